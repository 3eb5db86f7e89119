/** Whichever dialog is open. */

import { useConsole } from "../context.ts";
import { KeysDialog } from "../devices/KeysDialog.tsx";
import { PadDialog } from "../devices/DevicesDialog.tsx";
import { SignalDialog } from "../plots/SignalDialog.tsx";

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
