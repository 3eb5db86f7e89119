/** Buttons for moves and resets that the robot does by itself. */

import { useSignal } from "@preact/signals";
import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { GripperButton } from "./TouchSticks.tsx";

export function ActionsBox() {
  const { store, actions, keys } = useConsole();
  const immovable = store.immovable.value;
  const powerless = store.powerless.value;
  const still = immovable !== "";
  const gripper = (store.info.value?.gripper ?? null) !== null;
  const labels = texts().actions;
  return (
    <section class="actions">
      <h2>{labels.heading}</h2>
      <div class="buttons">
        <button disabled={still} title={immovable || labels.homeTitle(keys.label("home"))} onClick={actions.home}>
          {labels.home}
        </button>
        <button disabled={still} title={immovable || labels.backOutTitle(keys.label("free"))} onClick={actions.backOut}>
          {labels.backOut}
        </button>
        <button disabled={still} title={immovable || labels.holdTitle} onClick={actions.hold}>
          {labels.hold}
        </button>
        <button
          class={store.waiting.value ? "strong" : ""}
          disabled={still || !store.waiting.value}
          title={immovable || (store.waiting.value ? labels.continueTitle : labels.continueNothing)}
          onClick={actions.continue}
        >
          {labels.continue}
        </button>
        {gripper && <GripperButton direction={-1} />}
        {gripper && <GripperButton direction={1} />}
        {store.info.value?.switch === true && <PowerSwitch />}
        {store.info.value?.wrist === true && (
          <button
            disabled={powerless !== ""}
            title={powerless || labels.zeroSensorTitle}
            onClick={actions.zeroWrist}
          >
            {labels.zeroSensor}
          </button>
        )}
        <ResetButtons />
      </div>
      {(store.info.value?.tools.length ?? 0) > 0 && <ToolChoice />}
    </section>
  );
}

/** Buttons that restore the start of the task. In an exam they are the instructor's, with or without control. */
function ResetButtons() {
  const { store, actions } = useConsole();
  const locked = !store.setting.value;
  const labels = texts().actions;
  const titled = (title: string): string => (store.exam.value ? texts().disabled.exam : title);
  return (
    <>
      <button disabled={locked} title={titled(labels.resetRobotTitle)} onClick={actions.resetRobot}>
        {labels.resetRobot}
      </button>
      <button disabled={locked} title={titled(labels.resetObjectsTitle)} onClick={() => actions.resetObjects()}>
        {labels.resetObjects}
      </button>
      <ResetOneObject />
    </>
  );
}

/** A choice of one loose object to put back; shown where there are several. */
function ResetOneObject() {
  const { store, actions } = useConsole();
  const names = (store.scene.value?.bodies ?? []).map(({ name, robot }) => (robot === "" ? name : "")).filter((name) => name !== "" && !name.includes("/"));
  if (names.length < 2) return null;
  return (
    <select
      class="one"
      disabled={!store.setting.value}
      aria-label={texts().actions.resetOneTitle}
      title={texts().actions.resetOneTitle}
      value=""
      onChange={(event) => {
        actions.resetObjects(event.currentTarget.value);
        event.currentTarget.value = "";
      }}
    >
      <option value="">{texts().actions.resetOne}</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** Value of the option that is shown while the tool is being changed. */
const CHANGING = "…";

/** A choice of tools, for robots with a quick changer. */
function ToolChoice() {
  const { store, actions } = useConsole();
  const { tool = "", tools = [] } = store.info.value ?? {};
  const changing = useSignal("");
  const labels = texts().actions;
  const { none } = texts().general;
  const change = async (wanted: string): Promise<void> => {
    changing.value = labels.toolChanging(wanted === "" ? none : wanted);
    await actions.changeTool(wanted);
    changing.value = "";
  };
  return (
    <label class="tool">
      {labels.tool}
      <select
        disabled={!store.commanding.value || changing.value !== ""}
        title={changing.value || labels.toolTitle}
        value={changing.value === "" ? tool : CHANGING}
        onChange={(event) => {
          const wanted = event.currentTarget.value;
          event.currentTarget.value = tool; // until it has been changed
          void change(wanted);
        }}
      >
        {changing.value !== "" && <option value={CHANGING}>{changing.value}</option>}
        <option value="">{none}</option>
        {tools.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The power switch of robots that must be powered up before they move. */
function PowerSwitch() {
  const { store, actions } = useConsole();
  const labels = texts().actions;
  // The mode "stopped" hides whether there is power.
  const off = !(store.shown.value?.powered ?? false);
  // "immovable" also names the missing power, which is no reason against switching it on.
  const hindrance = store.commanding.value && !store.latched.value ? "" : store.immovable.value;
  return (
    <button
      class={off ? "strong" : ""}
      disabled={hindrance !== ""}
      title={hindrance || (off ? labels.powerUpTitle : labels.powerDownTitle)}
      onClick={() => actions.power(off)}
    >
      {off ? labels.powerUp : labels.powerDown}
    </button>
  );
}
