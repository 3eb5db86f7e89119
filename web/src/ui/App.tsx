/** The whole page. */

import type { Console } from "../app/console.ts";
import { Announcer } from "./Announcer.tsx";
import { AskBanner } from "./AskBanner.tsx";
import { ConsoleContext } from "./context.ts";
import { Dialogs } from "./Dialogs.tsx";
import { Footer } from "./Footer.tsx";
import { Header } from "./Header.tsx";
import { RefusedScreen } from "./RefusedScreen.tsx";
import { Side } from "./Side.tsx";
import { Stage } from "./Stage.tsx";

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
