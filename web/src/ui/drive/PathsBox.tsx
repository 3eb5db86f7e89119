/** Taught paths: record one or add points, name it, run it, delete it. */

import { useSignal } from "@preact/signals";
import type { MoveInfo } from "../../wire.gen.ts";
import { texts } from "../../language/language.ts";
import { pathLength, teachingProgress } from "../../state/taughtPaths.ts";
import { useConsole } from "../context.ts";
import { useScrollIntoView } from "../controls/useScrollIntoView.ts";
import { ConfirmButton } from "../controls/ConfirmButton.tsx";

export function PathsBox() {
  const { store, page } = useConsole();
  const open = page.movesBox.value;
  const moves = store.moves.value;
  const teaching = store.lesson.value >= 0;
  const place = useScrollIntoView(open, `${teaching} ${moves.length}`);
  const labels = texts().paths;
  return (
    <section class="moves" ref={place}>
      <button
        class="fold"
        aria-expanded={open}
        onClick={() => {
          page.movesBox.value = !open;
        }}
      >
        <h2>{labels.heading}</h2>
        {teaching && <span class="badge">{store.recording.value ? labels.recording : labels.teaching}</span>}
        {!teaching && moves.length > 0 && <span class="mute">{moves.length}</span>}
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && (
        <div class="folded">
          {teaching ? <TeachingForm /> : <StartButtons />}
          {moves.length === 0 && !teaching && (
            <p class="mute">{labels.empty}</p>
          )}
          {moves.map((move) => (
            <PathRow key={move.name} move={move} />
          ))}
        </div>
      )}
    </section>
  );
}

function StartButtons() {
  const { store, actions } = useConsole();
  const labels = texts().paths;
  const locked = !store.commanding.value;
  return (
    <div class="buttons">
      <button disabled={locked} title={labels.recordTitle} onClick={() => void actions.teach("record")}>
        {labels.record}
      </button>
      <button disabled={locked} title={labels.addPointTitle} onClick={() => void actions.teach("point")}>
        {labels.addPoint}
      </button>
    </div>
  );
}

/** A path that is being taught: its progress, its name, Save and Discard. */
function TeachingForm() {
  const labels = texts().paths;
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
      <span class="warn">{teachingProgress(store.lesson.value, recording)}</span>
      <NameField label={labels.name} value={name.value} change={(value) => (name.value = value)} />
      <div class="buttons">
        {!recording && (
          <button type="button" disabled={locked} onClick={() => void actions.teach("point")}>
            {labels.addPoint}
          </button>
        )}
        <button
          class="strong"
          disabled={locked || name.value.trim() === ""}
          title={name.value.trim() === "" ? labels.nameFirst : labels.saveTitle}
        >
          {labels.save}
        </button>
        <ConfirmButton
          label={labels.discard}
          action={labels.discardName}
          disabled={locked}
          title={labels.discardName}
          act={() => void actions.teach("discard")}
        />
      </div>
    </form>
  );
}

function PathRow({ move }: { readonly move: MoveInfo }) {
  const { store, actions } = useConsole();
  const labels = texts().paths;
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
        <NameField label={labels.newName} value={naming.value} change={(value) => (naming.value = value)} />
        <button disabled={locked || naming.value.trim() === ""}>{labels.rename}</button>
        <button type="button" onClick={() => (naming.value = null)}>
          {labels.cancel}
        </button>
      </form>
    );
  }
  return (
    <div class="move">
      <span class="what" title={`${move.name}, ${pathLength(move)}`}>
        {move.name} <span class="mute">{pathLength(move)}</span>
      </span>
      <button
        disabled={immovable !== ""}
        title={immovable || labels.runTitle}
        onClick={() => void actions.keptMove("run", move.name)}
      >
        {labels.run}
      </button>
      <button disabled={locked} aria-label={labels.renameName(move.name)} title={labels.rename} onClick={() => (naming.value = move.name)}>
        ✎
      </button>
      <ConfirmButton
        label={labels.delete}
        action={labels.deleteName(move.name)}
        sign="✕"
        disabled={locked}
        title={labels.delete}
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
