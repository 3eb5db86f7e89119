/** The pictures and what lies over the large one. */

import { useConsole } from "./context.ts";
import { HeadsetCard } from "./HeadsetCard.tsx";
import { Hints } from "./Hints.tsx";
import { LogDrawer } from "./LogDrawer.tsx";
import { MasterPanel } from "./MasterPanel.tsx";
import { PictureTools } from "./PictureTools.tsx";
import { PlanBar } from "./PlanBar.tsx";
import { Readout } from "./Readout.tsx";
import { StalledCard } from "./StalledCard.tsx";
import { StopBar } from "./StopBar.tsx";
import { TalkCaption } from "./TalkCaption.tsx";
import { Toaster } from "./Toaster.tsx";
import { TouchSticks } from "./TouchSticks.tsx";
import { ViewTools } from "./ViewTools.tsx";
import { Wall } from "./Wall.tsx";

export function Stage() {
  const { look, panes } = useConsole();
  const small = panes.value.filter((pane) => !pane.large).length;
  return (
    <main class={small > 0 ? "stage wall" : "stage"} style={{ "--small": small }} aria-label="Pictures of the cell">
      <Wall />
      <div class="over">
        <div class="tops">
          <ViewTools />
          <PictureTools />
          <Readout />
        </div>
        <MasterPanel />
        <div class="messages">
          <StopBar />
          <PlanBar />
          <Toaster />
        </div>
        <StalledCard />
        <HeadsetCard />
        {look.touch.value && <TouchSticks />}
        <Hints />
        <TalkCaption />
        <LogDrawer />
      </div>
    </main>
  );
}
