/** Three hints at the first visit, shown to the operator in control and worded for this robot. */

import { texts } from "../../language/language.ts";
import { pointing, pointingText } from "../../state/pointerHints.ts";
import { howDriven } from "../../state/status.ts";
import { useConsole } from "../context.ts";
import { FilledText } from "../controls/FilledText.tsx";

export function FirstSteps() {
  const { page, store } = useConsole();
  if (!page.hints.value || store.info.value?.by_hand !== true || !store.commanding.value || store.latched.value) return null;
  const touch = page.touch.value;
  const off = ["off", "powering"].includes(store.mode.value ?? "");
  const labels = texts().firstSteps;
  return (
    <aside class="hints" aria-label={labels.title}>
      <ol>
        {off && (
          <li>
            <FilledText text={labels.off} parts={{ button: <b>{texts().actions.powerUp}</b> }} />
          </li>
        )}
        <li>{store.axes.value.length === 0 ? howDriven(store.mapping.value) : touch ? labels.touch : <Motion />}</li>
        <li>{touch ? labels.stopTouch : <FilledText text={labels.stop} parts={{ key: <kbd>{texts().keys.names.Space}</kbd> }} />}</li>
        <More />
      </ol>
      <button class="strong" onClick={() => page.hideHints()}>
        {labels.done}
      </button>
    </aside>
  );
}

/** The use of the pointer, and the way to all other keys. */
function More() {
  const { page, keys, store, panes } = useConsole();
  const dragged = pointingText(pointing(store.info.value, store.master.value, panes.value));
  const modes = (store.info.value?.tracks ?? null) === null && (store.info.value?.mappings.length ?? 0) > 1;
  if (page.touch.value) return dragged === "" ? null : <li>{dragged}</li>;
  const { help, helpAndMode } = texts().firstSteps;
  return (
    <li>
      {dragged}{" "}
      <FilledText text={modes ? helpAndMode : help} parts={{ help: <kbd>?</kbd>, mode: <kbd>{keys.label("mapping")}</kbd> }} />
    </li>
  );
}

/** The keys that move the robot in the chosen control mode. */
function Motion() {
  const { keys, store } = useConsole();
  const labels = texts().firstSteps;
  const key = (id: string) => <kbd>{keys.label(id)}</kbd>;
  const axes = store.axes.value;
  if (axes.includes("joint:0")) {
    const parts = { "first+": key("joint:0+"), "first-": key("joint:0-"), "second+": key("joint:1+"), "second-": key("joint:1-") };
    return <FilledText text={labels.joints} parts={parts} />;
  }
  if (axes.includes("forward")) {
    const drive = { w: key("forward+"), a: key("turn+"), s: key("forward-"), d: key("turn-") };
    const flippers = { up: key("flippers+"), down: key("flippers-") };
    const modes = { drive: key("drive"), flippers: key("flippers"), arm: key("arm") };
    return <FilledText text={labels.tracks} parts={{ ...drive, ...flippers, ...modes }} />;
  }
  if (axes.includes("raise")) {
    const front = { "front+": key("raise:front+"), "front-": key("raise:front-") };
    const rear = { "rear+": key("raise:rear+"), "rear-": key("raise:rear-") };
    return <FilledText text={labels.flippers} parts={{ ...front, ...rear }} />;
  }
  const parts = { w: key("x+"), a: key("y+"), s: key("x-"), d: key("y-"), up: key("z+"), down: key("z-") };
  return <FilledText text={store.leadsMaster.value ? labels.master : labels.tip} parts={parts} />;
}
