/** All keys that this robot has a use for, each changeable, with the gamepad and the voice commands. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { keyGroups } from "../../hand/keyGroups.ts";
import { FIXED } from "../../hand/keyMap.ts";
import { texts } from "../../language/language.ts";
import { phrasesFor } from "../../voice/phrases.ts";
import { CONFIRMATIONS } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";
import { Dialog } from "../controls/Dialog.tsx";
import { GamepadSummary } from "./GamepadSummary.tsx";

export function KeysDialog() {
  const { keys, store } = useConsole();
  const changing = useSignal("");
  useKeyCatcher(changing.value, (code) => {
    if (code !== "Escape") keys.assign(changing.value, code);
    changing.value = "";
  });
  const labels = texts().keys;
  return (
    <Dialog title={labels.title}>
      <p class="mute">{labels.intro}</p>
      <div class="keysheet">
        {keyGroups(store.info.value, store.axes.value).map(({ context, heading, chosen, keys: functions }) => (
          <fieldset key={context} class="keylist">
            <legend>
              {heading} {chosen && <span class="inuse">{labels.inUse}</span>}
            </legend>
            {context === "always" && <Fixed />}
            {functions.map(({ id, text }) => (
              <div key={id} class="keyrow">
                <span>{text}</span>
                <button
                  class={changing.value === id ? "cap waiting" : "cap"}
                  aria-label={labels.change(text, keys.label(id))}
                  onClick={() => {
                    changing.value = id;
                  }}
                >
                  {changing.value === id ? labels.waiting : keys.label(id)}
                </button>
              </div>
            ))}
          </fieldset>
        ))}
        <GamepadSummary />
        <VoiceCommands />
      </div>
      <div class="row">
        <button onClick={() => keys.reset()}>{labels.restore}</button>
        <span class="mute">{labels.layout}</span>
      </div>
    </Dialog>
  );
}

/** Keys that cannot be changed. */
function Fixed() {
  const { fixed, names } = texts().keys;
  return (
    <>
      <div class="keyrow">
        <span>{fixed.stop}</span>
        <kbd>{names.Space}</kbd>
      </div>
      <div class="keyrow">
        <span>{fixed.help}</span>
        <kbd>?</kbd>
      </div>
      <div class="keyrow">
        <span>{fixed.close}</span>
        <kbd>{names.Escape}</kbd>
      </div>
    </>
  );
}

/** The phrases that the robot understands while the talk key is held. */
function VoiceCommands() {
  const { keys, store } = useConsole();
  const { voice, voiceHelp, voiceThen } = texts().keys;
  return (
    <fieldset class="keylist sayings">
      <legend>{voice}</legend>
      <p class="mute">{voiceHelp(keys.label("talk"))}</p>
      <p>
        {phrasesFor(store.info.value).map((phrase) => (
          <span key={phrase}>
            {phrase}
            {phrase in CONFIRMATIONS && <span class="mute">{voiceThen(CONFIRMATIONS[phrase] ?? "")}</span>}
          </span>
        ))}
      </p>
    </fieldset>
  );
}

/** Catch the next key before any other handler does; Space still stops. */
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
