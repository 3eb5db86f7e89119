/** The whole page. */

import type { Console } from "../app/console.ts";
import { Announcer } from "./front/Announcer.tsx";
import { ControlRequestBanner } from "./front/ControlRequestBanner.tsx";
import { ConsoleContext } from "./context.ts";
import { OpenDialog } from "./front/OpenDialog.tsx";
import { Footer } from "./front/Footer.tsx";
import { Header } from "./front/Header.tsx";
import { AccessDeniedScreen } from "./front/AccessDeniedScreen.tsx";
import { RobotColumn } from "./drive/RobotColumn.tsx";
import { PictureArea } from "./cameras/PictureArea.tsx";
import { Timeline } from "./replay/Timeline.tsx";

export function App({ console }: { console: Console }) {
  return (
    <ConsoleContext.Provider value={console}>
      {console.store.phase.value === "refused" ? <AccessDeniedScreen /> : <Panels console={console} />}
      <Announcer />
    </ConsoleContext.Provider>
  );
}

/** All panels, laid out by `style/desk.css`. */
function Panels({ console }: { console: Console }) {
  const touch = console.page.touch.value ? " touch" : "";
  const replay = console.store.replay.value === null ? "" : " replay";
  return (
    <div class={`desk ${console.page.plots.value}-plots${touch}${replay}`}>
      <Header />
      <ControlRequestBanner />
      <div class="viewcolumn">
        <PictureArea />
        <Timeline />
      </div>
      <RobotColumn />
      <Footer />
      <OpenDialog />
    </div>
  );
}
