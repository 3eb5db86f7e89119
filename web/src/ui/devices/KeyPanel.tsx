/** The keys of the control mode in use, labelled as on the operator's keyboard. */

import { axisText, CAMERA_KEYS } from "../../hand/axesAndActions.ts";
import { texts } from "../../language/language.ts";
import { howDriven } from "../../state/status.ts";
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
  const { heading, all, short, names } = texts().keys;
  return (
    <section class="keypanel">
      <div class="row">
        <h2>{heading}</h2>
        <span class="grow" />
        <button class="chip" onClick={() => console.open("pad")}>
          {texts().controlMode.devices}
        </button>
        <button class="chip" onClick={() => console.open("keys")}>
          {all} <kbd>?</kbd>
        </button>
      </div>
      <div class="keys">
        {axes.map((axis) => (
          <Key key={axis} caps={ends(axis).map((end) => keys.label(end))} action={axisText(axis, joints).name} />
        ))}
        {axes.length === 0 && <span class="wide">{byHand ? howDriven(store.mapping.value) : texts().controlMode.byScript}</span>}
        {!tracked && <Key caps={[keys.label("mapping")]} action={short.mode} />}
        <Key caps={[keys.label("slower"), keys.label("faster")]} action={short.speed} />
        {cameras > 0 && <Key caps={[`${keys.label("camera:0")}–${keys.label(last)}`]} action={short.camera} />}
        {cameras > 0 && overview && <Key caps={[keys.label("overview")]} action={short.overview} />}
        <Key caps={[keys.label("talk")]} action={short.speak} />
        <Key caps={[names.Space ?? ""]} action={short.stop} />
      </div>
    </section>
  );
}

/** Roll and grip keys run from left to right on the keyboard, all others from far to near. */
function ends(axis: string): string[] {
  const both = [`${axis}+`, `${axis}-`];
  return axis === "roll" || axis === "grip" ? both.reverse() : both;
}

function Key({ caps, action }: { caps: readonly string[]; action: string }) {
  return (
    <span class="key">
      {caps.map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
      <span class="what" title={action}>
        {action}
      </span>
    </span>
  );
}
