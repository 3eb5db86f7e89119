/** What is drawn in the view, and from where to look. */

import { OVERVIEW, type Look, type ViewOptions } from "../../view/api.ts";
import { useConsole } from "../context.ts";
import { TalkButton } from "../drive/TalkButton.tsx";
import { ToneSwitch } from "../drive/ClearanceToneSwitch.tsx";

const OPTIONS: readonly (readonly [keyof ViewOptions, string, string])[] = [
  ["frames", "Axes", "Axes at the base and the tip"],
  ["chain", "DH frames", "Frames along the arm (Denavit–Hartenberg)"],
  ["clearance", "Clearance", "What the arm is nearest to, and which ways it can go"],
  ["contacts", "Contacts", "Marks where things touch, sized by force"],
  ["touched", "Physics", "The shapes the physics touches with"],
  ["names", "Names", "Names of loose objects"],
];

const LOOKS: readonly (readonly [Look, string])[] = [
  ["home", "Home"],
  ["front", "Front"],
  ["side", "Side"],
  ["top", "Top"],
  ["tip", "Tip"],
];

export function ViewTools() {
  const { look, keys, store, panes } = useConsole();
  const master = look.master.value !== "hidden";
  const overview = panes.value.some((pane) => pane.large && pane.name === OVERVIEW);
  return (
    <div class="viewtools">
      {overview && <Options />}
      {overview && <ToneSwitch />}
      <TalkButton />
      <span class="grow" />
      {overview && <Looks />}
      <div class="group">
        {store.exam.value ? <ExamMark /> : <CamerasOnly />}
        {store.master.value !== null && (
          <button
            class="chip"
            title="The master in a picture of its own"
            aria-pressed={master}
            onClick={() => look.setMaster(master ? "hidden" : "small")}
          >
            Master
          </button>
        )}
        <button
          class="chip"
          title={`What happened (${keys.label("log")})`}
          aria-pressed={look.drawer.value === "log"}
          onClick={() => look.toggleLog()}
        >
          Log
        </button>
      </div>
    </div>
  );
}

function Options() {
  const { look } = useConsole();
  const options = look.options.value;
  return (
    <div class="group" role="group" aria-label="Shown in the view">
      {OPTIONS.map(([name, label, title]) => (
        <button
          key={name}
          class="chip"
          title={title}
          aria-pressed={options[name]}
          onClick={() => look.setOption(name, !options[name])}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function Looks() {
  const { view } = useConsole();
  return (
    <div class="group" role="group" aria-label="Look from">
      {LOOKS.map(([from, label]) => (
        <button key={from} class="chip" title={`Look from: ${label}`} onClick={() => view.look(from)}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** For training: what the robot's cameras see, and no 3D overview. */
function CamerasOnly() {
  const { look, store, keys } = useConsole();
  if ((store.info.value?.cameras.length ?? 0) === 0) return null;
  const on = look.camerasOnly.value;
  return (
    <button
      class="chip"
      title={`Drive by the cameras alone, without the 3D overview (${keys.label("cameras-only")})`}
      aria-pressed={on}
      onClick={() => look.setCamerasOnly(!on)}
    >
      Cameras only
    </button>
  );
}

/** A trainee shall know that he is examined, and why there is no overview. */
function ExamMark() {
  return (
    <span class="chip exam" role="status" title="You see what the robot's cameras see and read what it feels, and nothing else">
      Exam: cameras only
    </span>
  );
}
