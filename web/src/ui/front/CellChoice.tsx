/** Which cell is watched: its name, or a choice where there are several. */

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
      aria-label="Cell"
      title={summary}
      value={watching}
      onChange={(event) => {
        console.watch(event.currentTarget.value);
        event.currentTarget.blur();
      }}
    >
      {cells.map((cell) => (
        <option key={cell.name} value={cell.name}>
          {cell.name + (cell.state === "running" ? "" : ` (${cell.state})`)}
        </option>
      ))}
    </select>
  );
}
