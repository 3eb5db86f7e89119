/** All keys that this robot has a use for, each changeable, and how to drive by gamepad. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { keyGroups } from "../../hand/keyGroups.ts";
import { FIXED } from "../../hand/keyMap.ts";
import { sayings } from "../../voice/phrases.ts";
import { CONFIRMATIONS } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";
import { Dialog } from "../controls/Dialog.tsx";
import { PadSummary } from "./GamepadSummary.tsx";

export function KeysDialog() {
  const { keys, store } = useConsole();
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
      <div class="keysheet">
        {keyGroups(store.info.value, store.axes.value).map(({ context, heading, chosen, keys: functions }) => (
          <fieldset key={context} class="keylist">
            <legend>
              {heading} {chosen && <span class="inuse">in use</span>}
            </legend>
            {context === "always" && <Fixed />}
            {functions.map(({ id, words }) => (
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
  const { keys, store } = useConsole();
  return (
    <fieldset class="keylist sayings">
      <legend>Speak</legend>
      <p class="mute">
        Hold {keys.label("talk")}, say one of these, let go. To stop, Space is quicker. Confirm a motion within 3 s: say
        the phrase below it, or press Confirm.
      </p>
      <p>
        {sayings(store.info.value).map((phrase) => (
          <span key={phrase}>
            {phrase}
            {phrase in CONFIRMATIONS && <span class="mute">then: {CONFIRMATIONS[phrase]}</span>}
          </span>
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
