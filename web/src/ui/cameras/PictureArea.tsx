/** The pictures and what lies over the large one. */

import { useConsole } from "../context.ts";
import { HeadsetCard } from "../devices/HeadsetCard.tsx";
import { Hints } from "../front/FirstSteps.tsx";
import { LogDrawer } from "../front/LogDrawer.tsx";
import { MasterPanel } from "../master/MasterPanel.tsx";
import { PictureTools } from "./DegradeTools.tsx";
import { PlanBar } from "../drive/PlanningBar.tsx";
import { Readout } from "../drive/Readout.tsx";
import { StalledCard } from "../front/StalledCard.tsx";
import { StopBar } from "../drive/StopBar.tsx";
import { TalkCaption } from "../drive/TalkCaption.tsx";
import { Toaster } from "../controls/Toaster.tsx";
import { TouchSticks } from "../drive/TouchSticks.tsx";
import { ViewTools } from "./ViewTools.tsx";
import { Wall } from "./CameraWall.tsx";

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
