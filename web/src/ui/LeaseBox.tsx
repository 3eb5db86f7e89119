/** Who holds control, and what can be done about it. */

import { asking, leaseWords } from "../state/words.ts";
import { useConsole } from "./context.ts";

export function LeaseBox() {
  const { store } = useConsole();
  if (store.phase.value !== "open" || store.lease.value === null) return null;
  const words = leaseWords(store.model.value, store.robot.value);
  return (
    <span class="lease">
      <span class="mute words" title={words}>
        {words}
      </span>
      <LeaseButton />
    </span>
  );
}

function LeaseButton() {
  const console = useConsole();
  const { store, actions } = console;
  const lease = store.lease.value;
  if (store.mine.value) return <button onClick={() => console.giveBack()}>Release</button>;
  if (lease?.may_take === true) {
    return (
      <button class="strong" onClick={() => actions.takeOver()}>
        Take over
      </button>
    );
  }
  if (asking(store.model.value, store.robot.value)) {
    return (
      <button onClick={() => console.giveBack()} title="You have asked. Press to take it back.">
        Asked · cancel
      </button>
    );
  }
  return (
    <button class="strong" onClick={() => console.ask()}>
      Ask for control
    </button>
  );
}
