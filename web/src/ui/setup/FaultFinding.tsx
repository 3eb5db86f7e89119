/** Parts of the control can be switched off, or the hand replaced by a signal, to find a fault. */

import { useConsole } from "../context.ts";
import { GeneratorBox } from "./SignalGeneratorBox.tsx";
import { Switch } from "../controls/Switch.tsx";
import { useShown } from "../controls/useScrollIntoView.ts";

export function FaultFinding() {
  const { store, look, actions } = useConsole();
  const off = store.off.value;
  const marked = off.length > 0 || store.generating.value;
  const filters = store.info.value?.filters.filter((name) => name !== "scale") ?? [];
  const open = look.faultFinding.value;
  const place = useShown(open);
  return (
    <section class="faults" ref={place}>
      <button
        class="fold"
        aria-expanded={open}
        onClick={() => {
          look.faultFinding.value = !open;
        }}
      >
        <h2>Fault finding</h2>
        {marked && <span class="badge">{store.generating.value ? "Signal generator on" : `${off.length} off`}</span>}
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && (
        <div class="folded">
          {filters.map((name) => (
            <Switch
              key={name}
              label={`Filter: ${name}`}
              on={!off.includes(name)}
              disabled={!store.setting.value}
              change={(on) => actions.switchFilter(name, on)}
            />
          ))}
          <Switch
            label="Feed-forward of the drive"
            on={!off.includes("feed-forward")}
            disabled={!store.setting.value}
            change={(on) => actions.switchFeedforward(on)}
          />
          <GeneratorBox />
        </div>
      )}
    </section>
  );
}
