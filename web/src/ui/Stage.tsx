/** The 3D view and what lies over it. */

import { useEffect, useRef } from "preact/hooks";
import { useConsole } from "./context.ts";
import { HeadsetCard } from "./HeadsetCard.tsx";
import { Hints } from "./Hints.tsx";
import { LogDrawer } from "./LogDrawer.tsx";
import { MasterPanel } from "./MasterPanel.tsx";
import { Readout } from "./Readout.tsx";
import { StalledCard } from "./StalledCard.tsx";
import { StopBar } from "./StopBar.tsx";
import { TouchSticks } from "./TouchSticks.tsx";
import { ViewTools } from "./ViewTools.tsx";

/** Slow machines need a moment for the first picture; everything else works meanwhile. */
function FirstPicture() {
  const { stats, store } = useConsole();
  const waiting = stats.value?.seen !== true && (stats.value?.problem ?? "") === "";
  if (!waiting || store.scene.value === null || store.stalled.value !== null) return null;
  return <p class="firstpicture mute">Drawing the first picture…</p>;
}

export function Stage() {
  const { view, look } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.append(view.element);
  }, [view]);
  return (
    <main class="stage" aria-label="3D view of the cell">
      <div class="picture" ref={place} />
      <FirstPicture />
      <ViewTools />
      <MasterPanel />
      <StopBar />
      <StalledCard />
      <HeadsetCard />
      <Readout />
      {look.touch.value && <TouchSticks />}
      <Hints />
      <LogDrawer />
    </main>
  );
}
