/** Choices over the view: options of drawing, sides to look from, cameras, master, log. */

import { texts } from "../../language/language.ts";
import { OVERVIEW, type Look, type ViewOptions } from "../../view/api.ts";
import { useConsole } from "../context.ts";
import { TalkButton } from "../drive/TalkButton.tsx";
import { ClearanceToneSwitch } from "../drive/ClearanceToneSwitch.tsx";

const OPTIONS: readonly (keyof ViewOptions)[] = ["frames", "chain", "clearance", "contacts", "touched", "names"];
const SIDES: readonly Look[] = ["home", "front", "side", "top", "tip"];

export function ViewTools() {
  const { page, keys, store, panes } = useConsole();
  const master = page.master.value !== "hidden";
  const overview = panes.value.some((pane) => pane.large && pane.name === OVERVIEW);
  const { view, log } = texts();
  return (
    <div class="viewtools">
      {overview && <Options />}
      {overview && <ClearanceToneSwitch />}
      {store.replay.value === null && <TalkButton />}
      <span class="grow" />
      {overview && <Sides />}
      <div class="group">
        {store.exam.value ? <ExamMark /> : <CamerasOnly />}
        {store.master.value !== null && (
          <button
            class="chip"
            title={view.masterTitle}
            aria-pressed={master}
            onClick={() => page.setMaster(master ? "hidden" : "small")}
          >
            {view.masterButton}
          </button>
        )}
        <button
          class="chip"
          title={log.open(keys.label("log"))}
          aria-pressed={page.drawer.value === "log"}
          onClick={() => page.toggleLog()}
        >
          {log.title}
        </button>
      </div>
    </div>
  );
}

function Options() {
  const { page } = useConsole();
  const options = page.options.value;
  return (
    <div class="group" role="group" aria-label={texts().view.shown}>
      {OPTIONS.map((name) => (
        <button
          key={name}
          class="chip"
          title={texts().view.options[name].title}
          aria-pressed={options[name]}
          onClick={() => page.setOption(name, !options[name])}
        >
          {texts().view.options[name].label}
        </button>
      ))}
    </div>
  );
}

function Sides() {
  const { view } = useConsole();
  const { from, fromTitle, sides } = texts().view;
  return (
    <div class="group" role="group" aria-label={from}>
      {SIDES.map((side) => (
        <button key={side} class="chip" title={fromTitle(sides[side])} onClick={() => view.look(side)}>
          {sides[side]}
        </button>
      ))}
    </div>
  );
}

/** Switches the 3D overview off, for training by the robot's cameras alone. */
function CamerasOnly() {
  const { page, store, keys } = useConsole();
  if ((store.info.value?.cameras.length ?? 0) === 0) return null;
  const on = page.camerasOnly.value;
  return (
    <button
      class="chip"
      title={texts().view.camerasOnlyTitle(keys.label("cameras-only"))}
      aria-pressed={on}
      onClick={() => page.setCamerasOnly(!on)}
    >
      {texts().view.camerasOnly}
    </button>
  );
}

/** Tells trainees that this is an exam, and why there is no overview. */
function ExamMark() {
  return (
    <span class="chip exam" role="status" title={texts().view.examTitle}>
      {texts().view.exam}
    </span>
  );
}
