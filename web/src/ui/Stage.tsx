/** The pictures and what lies over the large one. */

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
import { Wall } from "./Wall.tsx";

/** Slow machines need a moment for the first picture; everything else works meanwhile. */
function FirstPicture() {
  const { stats, store } = useConsole();
  if (store.exam.value) return null;
  const waiting = stats.value?.seen !== true && (stats.value?.problem ?? "") === "";
  if (!waiting || store.scene.value === null || store.stalled.value !== null) return null;
  return <p class="firstpicture mute">Drawing the first picture…</p>;
}

export function Stage() {
  const { look, panes } = useConsole();
  const small = panes.value.filter((pane) => !pane.large).length;
  return (
    <main class={small > 0 ? "stage wall" : "stage"} style={{ "--small": small }} aria-label="Pictures of the cell">
      <Wall />
      <div class="over">
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
      </div>
    </main>
  );
}
