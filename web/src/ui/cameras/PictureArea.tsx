/** The pictures, and the controls and messages that lie over the large one. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { HeadsetCard } from "../devices/HeadsetCard.tsx";
import { FirstSteps } from "../front/FirstSteps.tsx";
import { LogDrawer } from "../front/LogDrawer.tsx";
import { MasterPanel } from "../master/MasterPanel.tsx";
import { DegradeTools } from "./DegradeTools.tsx";
import { PlanningBar } from "../drive/PlanningBar.tsx";
import { Readout } from "../drive/Readout.tsx";
import { StalledCard } from "../front/StalledCard.tsx";
import { StopBar } from "../drive/StopBar.tsx";
import { TalkCaption } from "../drive/TalkCaption.tsx";
import { Toaster } from "../controls/Toaster.tsx";
import { TouchSticks } from "../drive/TouchSticks.tsx";
import { ReplayFrame } from "../replay/ReplayFrame.tsx";
import { ViewTools } from "./ViewTools.tsx";
import { CameraWall } from "./CameraWall.tsx";

export function PictureArea() {
  const { page, panes, store } = useConsole();
  const live = store.replay.value === null;
  const small = panes.value.filter((pane) => !pane.large).length;
  return (
    <main class={small > 0 ? "stage wall" : "stage"} style={{ "--small": small }} aria-label={texts().view.area}>
      <CameraWall />
      <div class="over">
        <div class="tops">
          <ViewTools />
          {live && <DegradeTools />}
          <Readout />
        </div>
        <MasterPanel />
        <div class="messages">
          {live && <StopBar />}
          {live && <PlanningBar />}
          <Toaster />
        </div>
        <StalledCard />
        {live && <HeadsetCard />}
        {live && page.touch.value && <TouchSticks />}
        <FirstSteps />
        <TalkCaption />
        <ReplayFrame />
        <LogDrawer />
      </div>
    </main>
  );
}
