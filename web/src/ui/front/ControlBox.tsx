/** Who holds control, and what can be done about it. */

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { STAFF } from "../../wire.gen.ts";
import { asking, leaseWords } from "../../state/status.ts";
import { useConsole } from "../context.ts";
import { SureButton } from "../controls/ConfirmButton.tsx";

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
      <PeopleList />
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

/** The other viewers, for whoever may send them away. */
function PeopleList() {
  const { store, actions } = useConsole();
  const box = useRef<HTMLDetailsElement>(null);
  useClosing(box);
  const { people, viewer } = store.model.value;
  const others = people.filter((person) => person.viewer !== viewer);
  if (others.length === 0) return null;
  return (
    <details class="people" ref={box}>
      <summary>Viewers</summary>
      <ul aria-label="Other viewers">
        {others.map(({ viewer: number, name, role }) => (
          <li key={number}>
            <span class="name" title={name}>
              {name}
            </span>
            {!STAFF.includes(role) ? (
              <SureButton
                what="Send away"
                whole={`Send ${name} away`}
                disabled={false}
                title={`Disconnect ${name} for ten minutes`}
                act={() => void actions.sendAway(number)}
              />
            ) : (
              <span class="mute">{role}</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Close an open list with Escape and with a press elsewhere. */
function useClosing(box: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = (event: Event): void => {
      const list = box.current;
      if (list?.open !== true) return;
      const elsewhere = event instanceof KeyboardEvent ? event.key === "Escape" : !list.contains(event.target as Node);
      if (elsewhere) list.open = false;
    };
    addEventListener("pointerdown", close, { capture: true });
    addEventListener("keydown", close, { capture: true });
    return () => {
      removeEventListener("pointerdown", close, { capture: true });
      removeEventListener("keydown", close, { capture: true });
    };
  }, []);
}
