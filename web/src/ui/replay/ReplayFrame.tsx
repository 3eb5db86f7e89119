/** The frame around the picture that tells a replay from a live cell. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function ReplayFrame() {
  const { store } = useConsole();
  const info = store.replay.value;
  if (info === null) return null;
  const labels = texts().replay;
  const started = new Date(info.started).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const missing = store.playback.value?.missing === true;
  return (
    <>
      <div class="replayframe">
        <span class="replayplate" title={[info.run, labels.notLive, ...info.build].join("\n")}>
          <b>{labels.word}</b> {info.title === "" ? "" : `${info.title} · `}
          {started}
        </span>
      </div>
      {missing && (
        <p class="missingplate warn" role="status">
          {labels.missing}
        </p>
      )}
    </>
  );
}
