/** The dialog that is open, if any. */

import { useConsole } from "../context.ts";
import { KeysDialog } from "../devices/KeysDialog.tsx";
import { DevicesDialog } from "../devices/DevicesDialog.tsx";
import { SignalDialog } from "../plots/SignalDialog.tsx";

export function OpenDialog() {
  const { page } = useConsole();
  switch (page.dialog.value) {
    case "keys":
      return <KeysDialog />;
    case "pad":
      return <DevicesDialog />;
    case "signals":
      return <SignalDialog />;
    case "":
      return null;
  }
}
