/** The keys of the mapping in use, as they stand on the operator's keyboard. */

import { axisWords, CAMERA_KEYS } from "../../hand/axesAndActions.ts";
import { ledWords } from "../../state/status.ts";
import { OVERVIEW } from "../../view/api.ts";
import { useConsole } from "../context.ts";

export function KeyPanel() {
  const console = useConsole();
  const { store, keys, panes } = console;
  const byHand = store.info.value?.by_hand !== false;
  const axes = byHand ? store.axes.value.filter((axis) => `${axis}+` in keys.keys.value) : [];
  const tracked = (store.info.value?.tracks ?? null) !== null;
  const cameras = store.info.value?.cameras.length ?? 0;
  const last = CAMERA_KEYS[Math.min(cameras, CAMERA_KEYS.length) - 1] ?? "camera:0";
  const overview = panes.value.some((pane) => pane.name === OVERVIEW);
  const joints = store.info.value?.joints.map((joint) => joint.label) ?? [];
  return (
    <section class="keypanel">
      <div class="row">
        <h2>Keys</h2>
        <span class="grow" />
        <button class="chip" onClick={() => console.open("pad")}>
          Devices
        </button>
        <button class="chip" onClick={() => console.open("keys")}>
          All keys <kbd>?</kbd>
        </button>
      </div>
      <div class="keys">
        {axes.map((axis) => (
          <Key key={axis} caps={ends(axis).map((end) => keys.label(end))} what={axisWords(axis, joints).name} />
        ))}
        {axes.length === 0 && <span class="wide">{byHand ? ledWords(store.mapping.value) : "A script drives this robot."}</span>}
        {!tracked && <Key caps={[keys.label("mapping")]} what="mode" />}
        <Key caps={[keys.label("slower"), keys.label("faster")]} what="speed" />
        {cameras > 0 && <Key caps={[`${keys.label("camera:0")}–${keys.label(last)}`]} what="camera" />}
        {cameras > 0 && overview && <Key caps={[keys.label("overview")]} what="overview" />}
        <Key caps={[keys.label("talk")]} what="speak" />
        <Key caps={["Space"]} what="stop" />
      </div>
    </section>
  );
}

/** Rolling and gripping go from left to right on the keyboard, everything else from far to near. */
function ends(axis: string): string[] {
  const both = [`${axis}+`, `${axis}-`];
  return axis === "roll" || axis === "grip" ? both.reverse() : both;
}

function Key({ caps, what }: { caps: readonly string[]; what: string }) {
  return (
    <span class="key">
      {caps.map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
      <span class="what" title={what}>
        {what}
      </span>
    </span>
  );
}
