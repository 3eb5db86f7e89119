/** For experts: how the robot is driven, part by part, as the cell file has it; changed while it runs. */

import { useSignal } from "@preact/signals";
import type { PartInfo } from "../../wire.gen.ts";
import { linesOf, settingsIn } from "../../state/settingsText.ts";
import { useConsole } from "../context.ts";
import { useShown } from "../controls/useScrollIntoView.ts";

const NEW_FILTER: PartInfo = { part: "filter", name: "", settings: { kind: "limits", speed: 0.25 } };
const WORDS: Readonly<Record<PartInfo["part"], string>> = {
  filter: "Filter",
  mapping: "Way to drive",
  watchdog: "Watchdog",
  speeds: "Speeds",
  scales: "Scales",
  feedback: "Force feedback",
  avoid: "Keeping clear",
  drive: "Drive",
};

function titleOf({ part, name }: PartInfo): string {
  if (part === "filter" && name === "") return "New filter";
  return name === "" ? WORDS[part] : `${WORDS[part]}: ${name}`;
}

export function SetupBox() {
  const { store, look } = useConsole();
  const open = look.setupBox.value;
  const parts = [...(store.info.value?.parts ?? []), NEW_FILTER];
  const chosen = useSignal("");
  const part = parts.find((each) => titleOf(each) === chosen.value) ?? parts[0] ?? NEW_FILTER;
  const place = useShown(open, titleOf(part));
  return (
    <section class="setup" ref={place}>
      <button
        class="fold"
        aria-expanded={open}
        onClick={() => {
          look.setupBox.value = !open;
        }}
      >
        <h2>Set-up</h2>
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && (
        <div class="folded lesson">
          <select
            aria-label="Part"
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
  const change = async (settings: PartInfo["settings"] | null, done: string): Promise<void> => {
    const { ok } = await actions.reconfigure(part.part, part.name, settings);
    if (ok) toasts.show(`${titleOf(part).replace(":", "")}: ${done}.`);
  };
  const apply = (): void => {
    const read = settingsIn(text.value);
    if ("problem" in read) toasts.show(read.problem);
    else void change(read.settings, fresh ? "added" : "applied");
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
        aria-label="Settings"
        rows={Math.max(3, text.value.split("\n").length)}
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="buttons">
        <button class="strong" disabled={locked}>
          {fresh ? "Add" : "Apply"}
        </button>
        {!fresh && (
          <button
            type="button"
            disabled={locked || needed}
            title={needed ? "The speed level stays: without it nothing would be slowed" : undefined}
            onClick={() => void change(null, several ? "taken out" : "as in the cell file")}
          >
            {several ? "Take out" : "As in the cell file"}
          </button>
        )}
      </div>
      <p class="mute">What loosens anything takes effect with the next press of the deadman.</p>
    </form>
  );
}
