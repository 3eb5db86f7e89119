/** The bottom: plots, and the keys that matter now. */

import { KeyPanel } from "./KeyPanel.tsx";
import { PlotRow } from "./PlotRow.tsx";

export function Footer() {
  return (
    <footer class="foot">
      <PlotRow />
      <KeyPanel />
    </footer>
  );
}
