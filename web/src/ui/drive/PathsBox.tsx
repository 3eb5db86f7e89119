/** Moves that the robot is taught: record a way or add points, name it, run it, delete it. */

import { useSignal } from "@preact/signals";
import type { MoveInfo } from "../../wire.gen.ts";
import { lessonWords, moveWords } from "../../state/taughtPaths.ts";
import { useConsole } from "../context.ts";
import { useShown } from "../controls/useScrollIntoView.ts";
import { SureButton } from "../controls/ConfirmButton.tsx";

export function MovesBox() {
  const { store, look } = useConsole();
  const open = look.movesBox.value;
  const moves = store.moves.value;
  const teaching = store.lesson.value >= 0;
  const place = useShown(open, `${teaching} ${moves.length}`);
  return (
    <section class="moves" ref={place}>
      <button
        class="fold"
        aria-expanded={open}
        onClick={() => {
          look.movesBox.value = !open;
        }}
      >
        <h2>Moves</h2>
        {teaching && <span class="badge">{store.recording.value ? "Recording" : "Teaching"}</span>}
        {!teaching && moves.length > 0 && <span class="mute">{moves.length}</span>}
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && (
        <div class="folded">
          {teaching ? <LessonBox /> : <Begin />}
          {moves.length === 0 && !teaching && (
            <p class="mute">Record a way while you drive it, or drive to each point and add it.</p>
          )}
          {moves.map((move) => (
            <MoveRow key={move.name} move={move} />
          ))}
        </div>
      )}
    </section>
  );
}

function Begin() {
  const { store, actions } = useConsole();
  const locked = !store.commanding.value;
  return (
    <div class="buttons">
      <button disabled={locked} title="Keep the way that the arm is led from now on" onClick={() => void actions.teach("record")}>
        Record a way
      </button>
      <button disabled={locked} title="Begin with where the arm is now" onClick={() => void actions.teach("point")}>
        Add point here
      </button>
    </div>
  );
}

/** A lesson under way: how far it is, its name, and how it ends. */
function LessonBox() {
  const { store, actions } = useConsole();
  const name = useSignal("");
  const locked = !store.commanding.value;
  const recording = store.recording.value;
  const save = async (): Promise<void> => {
    const { ok } = await actions.teach("finish", name.value.trim());
    if (ok) name.value = "";
  };
  return (
    <form
      class="lesson"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <span class="warn">{lessonWords(store.lesson.value, recording)}</span>
      <NameField label="Name of the move" value={name.value} change={(value) => (name.value = value)} />
      <div class="buttons">
        {!recording && (
          <button type="button" disabled={locked} onClick={() => void actions.teach("point")}>
            Add point here
          </button>
        )}
        <button
          class="strong"
          disabled={locked || name.value.trim() === ""}
          title={name.value.trim() === "" ? "Give it a name first" : "Keep it under this name"}
        >
          Save
        </button>
        <SureButton
          what="Discard"
          whole="Discard what was taught so far"
          disabled={locked}
          title="Forget what was taught so far"
          act={() => void actions.teach("discard")}
        />
      </div>
    </form>
  );
}

function MoveRow({ move }: { readonly move: MoveInfo }) {
  const { store, actions } = useConsole();
  const naming = useSignal<string | null>(null);
  const locked = !store.commanding.value;
  const immovable = store.immovable.value;
  if (naming.value !== null) {
    const rename = async (): Promise<void> => {
      const to = naming.value?.trim() ?? "";
      if (to === move.name || (await actions.keptMove("rename", move.name, to)).ok) naming.value = null;
    };
    return (
      <form
        class="move"
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <NameField label="New name" value={naming.value} change={(value) => (naming.value = value)} />
        <button disabled={locked || naming.value.trim() === ""}>Rename</button>
        <button type="button" onClick={() => (naming.value = null)}>
          Cancel
        </button>
      </form>
    );
  }
  return (
    <div class="move">
      <span class="what" title={`${move.name}, ${moveWords(move)}`}>
        {move.name} <span class="mute">{moveWords(move)}</span>
      </span>
      <button
        disabled={immovable !== ""}
        title={immovable || "Move along it, after a move to its start"}
        onClick={() => void actions.keptMove("run", move.name)}
      >
        Run path
      </button>
      <button disabled={locked} aria-label={`Rename ${move.name}`} title="Rename" onClick={() => (naming.value = move.name)}>
        ✎
      </button>
      <SureButton
        what="Delete"
        whole={`Delete ${move.name}`}
        sign="✕"
        disabled={locked}
        title="Delete"
        act={() => void actions.keptMove("delete", move.name)}
      />
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

function NameField({ label, value, change }: FieldProps) {
  return (
    <input
      type="text"
      aria-label={label}
      placeholder={label}
      maxLength={64}
      value={value}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}
