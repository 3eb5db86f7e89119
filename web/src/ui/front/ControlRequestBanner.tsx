/** Tells the holder that somebody else wants to drive. */

import { useConsole } from "../context.ts";

export function AskBanner() {
  const { store, actions } = useConsole();
  const asker = store.lease.value?.askers[0];
  if (!store.mine.value || asker === undefined) return null;
  return (
    <div class="ask" role="alertdialog" aria-label="Somebody asks for control">
      <span>
        <b>{asker.name}</b> asks for control.
      </span>
      <button class="strong" onClick={() => actions.handOver(asker.viewer)}>
        Hand over
      </button>
      <button onClick={() => actions.keep(asker.viewer)}>Keep</button>
    </div>
  );
}
