/** Whichever dialog is open. */

import { useConsole } from "./context.ts";
import { KeysDialog } from "./KeysDialog.tsx";
import { PadDialog } from "./PadDialog.tsx";
import { SignalDialog } from "./SignalDialog.tsx";

export function Dialogs() {
  const { look } = useConsole();
  switch (look.dialog.value) {
    case "keys":
      return <KeysDialog />;
    case "pad":
      return <PadDialog />;
    case "signals":
      return <SignalDialog />;
    case "":
      return null;
  }
}
