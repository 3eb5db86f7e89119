/** Switches for parts of the control, and a signal generator in place of the hand, to find a fault. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { SignalGeneratorBox } from "./SignalGeneratorBox.tsx";
import { Switch } from "../controls/Switch.tsx";
import { useScrollIntoView } from "../controls/useScrollIntoView.ts";

export function FaultFinding() {
  const { store, page, actions } = useConsole();
  const off = store.off.value;
  const marked = off.length > 0 || store.generating.value;
  const filters = store.info.value?.filters.filter((name) => name !== "scale") ?? [];
  const open = page.faultFinding.value;
  const place = useScrollIntoView(open);
  const labels = texts().faults;
  return (
    <section class="faults" ref={place}>
      <button
        class="fold"
        aria-expanded={open}
        onClick={() => {
          page.faultFinding.value = !open;
        }}
      >
        <h2>{labels.heading}</h2>
        {marked && <span class="badge">{store.generating.value ? labels.generatorOn : labels.off(off.length)}</span>}
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && (
        <div class="folded">
          {filters.map((name) => (
            <Switch
              key={name}
              label={labels.filter(name)}
              on={!off.includes(name)}
              disabled={!store.setting.value}
              change={(on) => actions.switchFilter(name, on)}
            />
          ))}
          <Switch
            label={labels.feedforward}
            on={!off.includes("feed-forward")}
            disabled={!store.setting.value}
            change={(on) => actions.switchFeedforward(on)}
          />
          <SignalGeneratorBox />
        </div>
      )}
    </section>
  );
}
