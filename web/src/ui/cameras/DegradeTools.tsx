/** Makes the picture of the large camera worse on purpose, and good again. */

import { FLAWS, has, turned } from "../../state/degradations.ts";
import { useConsole } from "../context.ts";

/** For whoever may: the operator in control, and in an exam the instructor. */
export function PictureTools() {
  const { store, actions, panes } = useConsole();
  const pane = panes.value.find(({ large }) => large);
  if (!store.setting.value || pane === undefined || pane.camera === null) return null;
  const { name, degraded, label } = pane;
  return (
    <div class="picturetools group" role="group" aria-label={`Picture of ${label}`}>
      <button
        class="chip"
        title="As good as the camera gives it"
        aria-pressed={degraded === null}
        onClick={() => actions.degrade(name, {})}
      >
        Good
      </button>
      {FLAWS.map((flaw) => (
        <button
          key={flaw.name}
          class="chip"
          title={flaw.words}
          aria-pressed={has(degraded, flaw)}
          onClick={() => actions.degrade(name, turned(degraded, flaw))}
        >
          {flaw.name}
        </button>
      ))}
    </div>
  );
}
