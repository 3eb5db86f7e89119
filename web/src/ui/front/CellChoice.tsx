/** The name of the cell that is shown, or a choice where there are several. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function CellChoice() {
  const console = useConsole();
  const { store } = console;
  const { watching, scene } = store.model.value;
  const summary = scene?.summary ?? "";
  const cells = store.cells.value;
  if (cells.length < 2) {
    return (
      <span class="cell mute" title={summary}>
        {watching}
        {summary === "" ? "" : ` · ${summary}`}
      </span>
    );
  }
  return (
    <select
      class="cell"
      aria-label={texts().header.cell}
      title={summary}
      value={watching}
      onChange={(event) => {
        console.watch(event.currentTarget.value);
        event.currentTarget.blur();
      }}
    >
      {cells.map((cell) => (
        <option key={cell.name} value={cell.name}>
          {cell.name + (cell.state === "running" ? "" : ` (${texts().header.cellStates[cell.state]})`)}
        </option>
      ))}
    </select>
  );
}
