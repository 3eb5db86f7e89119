/** Announces the robot's mode and its stops to screen readers. */

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { modeText, stalledText } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function Announcer() {
  const { store } = useConsole();
  const words = useMemo(
    () =>
      computed(() => {
        const model = store.model.value;
        // Without the seconds: a screen reader would read every count aloud.
        if (store.stalled.value !== null) return `!${stalledText(model, 0)?.title ?? ""}`;
        const { tone, text } = modeText(model, store.robot.value);
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
