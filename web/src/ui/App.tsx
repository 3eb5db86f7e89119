/** The whole page. */

import type { Console } from "../app/console.ts";
import { Announcer } from "./front/Announcer.tsx";
import { AskBanner } from "./front/ControlRequestBanner.tsx";
import { ConsoleContext } from "./context.ts";
import { Dialogs } from "./front/OpenDialog.tsx";
import { Footer } from "./front/Footer.tsx";
import { Header } from "./front/Header.tsx";
import { RefusedScreen } from "./front/AccessDeniedScreen.tsx";
import { Side } from "./drive/RobotColumn.tsx";
import { Stage } from "./cameras/PictureArea.tsx";

export function App({ console }: { console: Console }) {
  return (
    <ConsoleContext.Provider value={console}>
      {console.store.phase.value === "refused" ? <RefusedScreen /> : <Desk console={console} />}
      <Announcer />
    </ConsoleContext.Provider>
  );
}

function Desk({ console }: { console: Console }) {
  const touch = console.look.touch.value ? " touch" : "";
  return (
    <div class={`desk ${console.look.plots.value}-plots${touch}`}>
      <Header />
      <AskBanner />
      <Stage />
      <Side />
      <Footer />
      <Dialogs />
    </div>
  );
}
