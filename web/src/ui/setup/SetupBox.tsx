/** For experts: the settings of each part of the control, as in the cell file, changeable while it runs. */

import { useSignal } from "@preact/signals";
import type { PartInfo } from "../../wire.gen.ts";
import { texts } from "../../language/language.ts";
import { linesOf, settingsIn } from "../../state/settingsText.ts";
import { useConsole } from "../context.ts";
import { useScrollIntoView } from "../controls/useScrollIntoView.ts";

const NEW_FILTER: PartInfo = { part: "filter", name: "", settings: { kind: "limits", speed: 0.25 } };

function titleOf({ part, name }: PartInfo): string {
  const { newFilter, parts } = texts().setup;
  if (part === "filter" && name === "") return newFilter;
  return name === "" ? parts[part] : `${parts[part]}: ${name}`;
}

export function SetupBox() {
  const { store, page } = useConsole();
  const open = page.setupBox.value;
  const parts = [...(store.info.value?.parts ?? []), NEW_FILTER];
  const chosen = useSignal("");
  const part = parts.find((each) => titleOf(each) === chosen.value) ?? parts[0] ?? NEW_FILTER;
  const place = useScrollIntoView(open, titleOf(part));
  const labels = texts().setup;
  return (
    <section class="setup" ref={place}>
      <button
        class="fold"
        aria-expanded={open}
        onClick={() => {
          page.setupBox.value = !open;
        }}
      >
        <h2>{labels.heading}</h2>
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && (
        <div class="folded lesson">
          <select
            aria-label={labels.part}
            value={titleOf(part)}
            onChange={(event) => {
              chosen.value = event.currentTarget.value;
            }}
          >
            {parts.map((each) => (
              <option key={titleOf(each)} value={titleOf(each)}>
                {titleOf(each)}
              </option>
            ))}
          </select>
          <PartForm key={`${titleOf(part)}\n${linesOf(part.settings)}`} part={part} />
        </div>
      )}
    </section>
  );
}

function PartForm({ part }: { readonly part: PartInfo }) {
  const { store, actions, toasts } = useConsole();
  const text = useSignal(linesOf(part.settings));
  const locked = !store.setting.value;
  const several = part.part === "filter" || part.part === "mapping";
  const fresh = part === NEW_FILTER;
  const needed = part.part === "filter" && part.name === "scale";
  const labels = texts().setup;
  const change = async (settings: PartInfo["settings"] | null, done: (part: string) => string): Promise<void> => {
    const { ok } = await actions.reconfigure(part.part, part.name, settings);
    if (ok) toasts.show(done(titleOf(part).replace(":", "")));
  };
  const apply = (): void => {
    const read = settingsIn(text.value);
    if ("problem" in read) toasts.show(read.problem);
    else void change(read.settings, fresh ? labels.added : labels.applied);
  };
  return (
    <form
      class="lesson"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <textarea
        aria-label={labels.settings}
        rows={Math.max(3, text.value.split("\n").length)}
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="buttons">
        <button class="strong" disabled={locked}>
          {fresh ? labels.add : labels.apply}
        </button>
        {!fresh && (
          <button
            type="button"
            disabled={locked || needed}
            title={needed ? labels.levelStays : undefined}
            onClick={() => void change(null, several ? labels.removed : labels.restored)}
          >
            {several ? labels.remove : labels.restore}
          </button>
        )}
      </div>
      <p class="mute">{labels.relaxed}</p>
    </form>
  );
}
