/** The push-to-talk button: hold it by pointer or finger, as the talk key. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function TalkButton() {
  const { talk, keys } = useConsole();
  const { phase } = talk.state.value;
  return (
    <div class="group">
      <button
        class="chip speaker talk"
        title={texts().voice.talkTitle(keys.label("talk"))}
        aria-label={texts().voice.talk}
        aria-pressed={phase === "opening" || phase === "listening"}
        data-phase={phase}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          void talk.press();
        }}
        onPointerUp={() => talk.release()}
        onPointerCancel={() => talk.cancel()}
        onLostPointerCapture={() => talk.release()}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.repeat) void talk.press();
        }}
        onKeyUp={(event) => {
          if (event.key === "Enter") talk.release();
        }}
        onBlur={() => talk.cancel()}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <rect class="full" x="6" y="1.5" width="4" height="8" rx="2" />
          <path d="M3.5 7.5a4.5 4.5 0 0 0 9 0M8 12v2.5M5.5 14.5h5" />
        </svg>
      </button>
    </div>
  );
}
