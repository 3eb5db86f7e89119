/** Below the picture while somebody speaks, and for a moment after: that it listens, what was heard, what came of it. */

import { useConsole } from "./context.ts";

export function TalkCaption() {
  const { phase, phrase, text } = useConsole().talk.state.value;
  return (
    <div class="caption" role="status" aria-label="Speech" data-phase={phase}>
      {phase !== "idle" && (
        <span class="words">
          {phrase !== "" && <b>“{phrase}”</b>} {text}
        </span>
      )}
    </div>
  );
}
