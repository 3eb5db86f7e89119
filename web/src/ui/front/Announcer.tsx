/** Says aloud, to those who listen to the page, what the robot does and when it stops. */

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { modeWords, stalledWords } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function Announcer() {
  const { store } = useConsole();
  const words = useMemo(
    () =>
      computed(() => {
        const model = store.model.value;
        // Without the seconds: a count would be read out every second.
        if (store.stalled.value !== null) return `!${stalledWords(model, 0)?.title ?? ""}`;
        const { tone, text } = modeWords(model, store.robot.value);
        return (tone === "stop" ? "!" : "") + text;
      }),
    [store],
  );
  const grave = words.value.startsWith("!");
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {grave ? "" : words.value}
      </div>
      <div class="unseen" role="alert">
        {grave ? words.value.slice(1) : ""}
      </div>
    </>
  );
}
