/** What the robot can be told to do by itself. */

import { useSignal } from "@preact/signals";
import { useConsole } from "../context.ts";
import { Squeeze } from "./TouchSticks.tsx";

export function ActionsBox() {
  const { store, actions, keys } = useConsole();
  const immovable = store.immovable.value;
  const powerless = store.powerless.value;
  const still = immovable !== "";
  const gripper = (store.info.value?.gripper ?? null) !== null;
  return (
    <section class="actions">
      <h2>Actions</h2>
      <div class="buttons">
        <button disabled={still} title={immovable || `Move home (${keys.label("home")})`} onClick={actions.home}>
          Home
        </button>
        <button
          disabled={still}
          title={immovable || `Back out of a corner along the way in, slowly (${keys.label("free")})`}
          onClick={actions.free}
        >
          Free me
        </button>
        <button disabled={still} title={immovable || "End whatever it does, and hold"} onClick={actions.hold}>
          Hold
        </button>
        <button
          class={store.waiting.value ? "strong" : ""}
          disabled={still || !store.waiting.value}
          title={immovable || (store.waiting.value ? "Go on with the interrupted move" : "No move is interrupted")}
          onClick={actions.goOn}
        >
          Continue
        </button>
        {gripper && <Squeeze direction={-1} label="Close grip" />}
        {gripper && <Squeeze direction={1} label="Open grip" />}
        {store.info.value?.switch === true && <PowerSwitch />}
        {store.info.value?.wrist === true && (
          <button
            disabled={powerless !== ""}
            title={powerless || "Take what the wrist's force sensor feels now for nothing; the tool must hang free"}
            onClick={actions.zeroWrist}
          >
            Zero sensor
          </button>
        )}
        <PutBack />
      </div>
      {(store.info.value?.tools.length ?? 0) > 0 && <ToolChoice />}
    </section>
  );
}

/** What sets the task anew. During an exam that is the instructor's, with or without control. */
function PutBack() {
  const { store, actions } = useConsole();
  const barred = !store.setting.value;
  const told = (title: string): string => (store.exam.value ? "The instructor can do that." : title);
  return (
    <>
      <button disabled={barred} title={told("Put the robot back to its home pose at once")} onClick={actions.resetRobot}>
        Reset robot
      </button>
      <button disabled={barred} title={told("Put all loose objects back")} onClick={() => actions.resetObjects()}>
        Reset objects
      </button>
      <PutOneBack />
    </>
  );
}

/** One loose object goes back to where it began; shown where there are several. */
function PutOneBack() {
  const { store, actions } = useConsole();
  const names = (store.scene.value?.bodies ?? []).map(({ name, robot }) => (robot === "" ? name : "")).filter((name) => name !== "" && !name.includes("/"));
  if (names.length < 2) return null;
  return (
    <select
      class="one"
      disabled={!store.setting.value}
      aria-label="Put one object back to where it began"
      title="Put one object back to where it began"
      value=""
      onChange={(event) => {
        actions.resetObjects(event.currentTarget.value);
        event.currentTarget.value = "";
      }}
    >
      <option value="">Reset one…</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** Stands in place of a tool's name while it is changed. */
const UNDERWAY = "…";

/** For robots with quick change: another tool, at rest and with nothing held. */
function ToolChoice() {
  const { store, actions } = useConsole();
  const { tool = "", tools = [] } = store.info.value ?? {};
  const changing = useSignal("");
  const change = async (wanted: string): Promise<void> => {
    changing.value = `Changing to ${wanted === "" ? "none" : wanted}…`;
    await actions.changeTool(wanted);
    changing.value = "";
  };
  return (
    <label class="tool">
      Tool
      <select
        disabled={!store.commanding.value || changing.value !== ""}
        title={changing.value || "Change the tool; the robot must rest and hold nothing"}
        value={changing.value === "" ? tool : UNDERWAY}
        onChange={(event) => {
          const wanted = event.currentTarget.value;
          event.currentTarget.value = tool; // until it has been changed
          void change(wanted);
        }}
      >
        {changing.value !== "" && <option value={UNDERWAY}>{changing.value}</option>}
        <option value="">none</option>
        {tools.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** For robots that must be powered up before they move. */
function PowerSwitch() {
  const { store, actions } = useConsole();
  // a stop hides whether there is power
  const off = !(store.shown.value?.powered ?? false);
  // Without power it could not move either; that is no reason against switching it on.
  const hindrance = store.commanding.value && !store.latched.value ? "" : store.immovable.value;
  return (
    <button
      class={off ? "strong" : ""}
      disabled={hindrance !== ""}
      title={hindrance || (off ? "Power the robot up; that takes a moment" : "Take the robot's power away")}
      onClick={() => actions.power(off)}
    >
      {off ? "Power up" : "Power down"}
    </button>
  );
}
