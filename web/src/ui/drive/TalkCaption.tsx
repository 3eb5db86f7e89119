/** Below the picture: whether it listens, the phrase, its result, and a command that must be confirmed. */

import { texts } from "../../language/language.ts";
import { fixed } from "../../state/format.ts";
import { CONFIRMATIONS } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";

export function TalkCaption() {
  const { phase, phrase, text } = useConsole().talk.state.value;
  return (
    <div class="caption" role="status" aria-label={texts().voice.caption} data-phase={phase}>
      <PendingCard />
      {phase !== "idle" && (
        <span class="words">
          {phrase !== "" && <b>“{phrase}”</b>} {text}
        </span>
      )}
    </div>
  );
}

/** The command that waits for confirmation, its effect, and the seconds that are left. */
function PendingCard() {
  const { talk, store } = useConsole();
  const pending = talk.pending.value;
  if (pending === null) return null;
  const left = Math.max(0, pending.until - store.clock.value) / 1000;
  return (
    <span class="words pending">
      <span>
        <span class="mute">“{pending.phrase}”:</span> <Emphasised text={pending.text} part={CONFIRMATIONS[pending.phrase]} />
      </span>
      <button class="strong" disabled={pending.confirmed || left === 0} onClick={() => talk.confirm()}>
        {texts().voice.confirm}
      </button>
      <span class="left" aria-hidden="true">
        {texts().voice.left(fixed(left, 1))}
      </span>
    </span>
  );
}

/** A text in which the phrase to say stands out: there are three seconds to read it. */
function Emphasised({ text, part }: { text: string; part: string | undefined }) {
  const at = part === undefined ? -1 : text.indexOf(part);
  if (part === undefined || at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <b>{part}</b>
      {text.slice(at + part.length)}
    </>
  );
}
