/** The keys of a replay, in place of those that drive. */

import { texts } from "../../language/language.ts";

export function ReplayKeys() {
  const labels = texts().replay;
  return (
    <section class="keypanel">
      <div class="row">
        <h2>{labels.keys}</h2>
      </div>
      <div class="keys replaykeys">
        {labels.keyList.map(([caps, action]) => (
          <span class="key" key={action}>
            {caps.map((cap) => (
              <kbd key={cap}>{cap}</kbd>
            ))}
            <span class="what">{action}</span>
          </span>
        ))}
      </div>
    </section>
  );
}
