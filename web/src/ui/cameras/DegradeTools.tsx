/** Degrades the picture of the large camera for training, and restores it. */

import { texts } from "../../language/language.ts";
import { DEGRADATIONS, hasDegradation, withToggled } from "../../state/degradations.ts";
import { useConsole } from "../context.ts";

/** Shown to those who may: the operator in control, and in an exam the instructor. */
export function DegradeTools() {
  const { store, actions, panes } = useConsole();
  const pane = panes.value.find(({ large }) => large);
  if (!store.setting.value || pane === undefined || pane.camera === null) return null;
  const { name, degraded, label } = pane;
  const { degrade, normal, degradations } = texts().cameras;
  return (
    <div class="picturetools group" role="group" aria-label={degrade(label)}>
      <button
        class="chip"
        title={normal.title}
        aria-pressed={degraded === null}
        onClick={() => actions.degrade(name, {})}
      >
        {normal.label}
      </button>
      {DEGRADATIONS.map((each) => (
        <button
          key={each.id}
          class="chip"
          title={degradations[each.id].title}
          aria-pressed={hasDegradation(degraded, each)}
          onClick={() => actions.degrade(name, withToggled(degraded, each))}
        >
          {degradations[each.id].label}
        </button>
      ))}
    </div>
  );
}
