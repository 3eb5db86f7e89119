/** All keys, each changeable, and how to drive by gamepad. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { axisWords, jointIndex } from "../hand/functions.ts";
import { PHRASES } from "../wire.gen.ts";
import { FIXED, FUNCTIONS, type Context } from "../hand/keymap.ts";
import { useConsole } from "./context.ts";
import { Dialog } from "./Dialog.tsx";
import { PadSummary } from "./PadSummary.tsx";

const HEADINGS: readonly (readonly [Context, string])[] = [
  ["tip", "Move and turn the tip"],
  ["joints", "Turn single joints"],
  ["tracks", "Drive on tracks"],
  ["flippers", "Lead the flippers"],
  ["always", "Always"],
];

export function KeysDialog() {
  const { keys, store } = useConsole();
  const joints = store.info.value?.joints.map((joint) => joint.label) ?? [];
  const changing = useSignal("");
  useKeyCatcher(changing.value, (code) => {
    if (code !== "Escape") keys.assign(changing.value, code);
    changing.value = "";
  });
  return (
    <Dialog title="Keys and gamepad">
      <p class="mute">
        Hold a key to move; let go and the robot stops. Press a key's button below, then the key that shall do it instead.
      </p>
      <div class="columns">
        {HEADINGS.map(([context, heading]) => (
          <fieldset key={context} class="keylist">
            <legend>{heading}</legend>
            {context === "always" && <Fixed />}
            {shown(context, joints).map(({ id, words }) => (
              <div key={id} class="keyrow">
                <span>{words}</span>
                <button
                  class={changing.value === id ? "cap waiting" : "cap"}
                  aria-label={`${words}: ${keys.label(id)}. Change it.`}
                  onClick={() => {
                    changing.value = id;
                  }}
                >
                  {changing.value === id ? "press a key" : keys.label(id)}
                </button>
              </div>
            ))}
          </fieldset>
        ))}
        <PadSummary />
        <Sayings />
      </div>
      <div class="row">
        <button onClick={() => keys.reset()}>Back to the first keys</button>
        <span class="mute">Keys go by their place on the keyboard, so every layout works alike.</span>
      </div>
    </Dialog>
  );
}

/** Return the functions of one use; joints as this robot calls them, and only those that it has. */
function shown(context: Context, joints: readonly string[]): { id: string; words: string }[] {
  const functions = FUNCTIONS.filter((each) => each.context === context);
  if (context !== "joints" || joints.length === 0) return functions;
  return functions
    .filter((each) => (jointIndex(axisOf(each.id)) ?? 0) < joints.length)
    .map(({ id }) => {
      const { plus, minus } = axisWords(axisOf(id), joints);
      return { id, words: id.endsWith("+") ? plus : minus };
    });
}

/** Return the axis of a function like "joint:0+". */
function axisOf(id: string): string {
  return id.slice(0, -1);
}

/** Keys that always keep their meaning. */
function Fixed() {
  return (
    <>
      <div class="keyrow">
        <span>Stop, from anywhere</span>
        <kbd>Space</kbd>
      </div>
      <div class="keyrow">
        <span>These keys</span>
        <kbd>?</kbd>
      </div>
      <div class="keyrow">
        <span>Close what is open</span>
        <kbd>Esc</kbd>
      </div>
    </>
  );
}

/** What can be said while the talk key is held. */
function Sayings() {
  const { keys } = useConsole();
  return (
    <fieldset class="keylist sayings">
      <legend>Speak</legend>
      <p class="mute">Hold {keys.label("talk")}, say one of these, let go. To stop, Space is quicker.</p>
      <p>
        {PHRASES.map((phrase) => (
          <span key={phrase}>{phrase}</span>
        ))}
      </p>
    </fieldset>
  );
}

/** Catch the next key, before anything else hears of it; Space still stops. */
function useKeyCatcher(changing: string, caught: (code: string) => void): void {
  useLayoutEffect(() => {
    if (changing === "") return;
    const hear = (event: KeyboardEvent): void => {
      if (FIXED.has(event.code) && event.code !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) caught(event.code);
    };
    window.addEventListener("keydown", hear, { capture: true });
    return () => window.removeEventListener("keydown", hear, { capture: true });
  }, [changing]);
}
