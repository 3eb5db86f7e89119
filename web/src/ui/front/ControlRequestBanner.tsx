/** Tells the operator in control that another person asks for control. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function ControlRequestBanner() {
  const { store, actions } = useConsole();
  const asker = store.lease.value?.askers[0];
  if (!store.mine.value || asker === undefined) return null;
  const { request, asks, handOver, keep } = texts().control;
  return (
    <div class="ask" role="alertdialog" aria-label={request}>
      <span>
        <b>{asker.name}</b> {asks}
      </span>
      <button class="strong" onClick={() => actions.handOver(asker.viewer)}>
        {handOver}
      </button>
      <button onClick={() => actions.keep(asker.viewer)}>{keep}</button>
    </div>
  );
}
