/** The 3D view and what lies over it. */

import { useEffect, useRef } from "preact/hooks";
import { useConsole } from "./context.ts";
import { Hints } from "./Hints.tsx";
import { LogDrawer } from "./LogDrawer.tsx";
import { Readout } from "./Readout.tsx";
import { StalledCard } from "./StalledCard.tsx";
import { StopBar } from "./StopBar.tsx";
import { TouchSticks } from "./TouchSticks.tsx";
import { ViewTools } from "./ViewTools.tsx";

export function Stage() {
  const { view, look } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.append(view.element);
  }, [view]);
  return (
    <main class="stage" aria-label="3D view of the cell">
      <div class="picture" ref={place} />
      <ViewTools />
      <StopBar />
      <StalledCard />
      <Readout />
      {look.touch.value && <TouchSticks />}
      <Hints />
      <LogDrawer />
    </main>
  );
}
