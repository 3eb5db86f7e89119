/** The holder of control, with the buttons to ask for it, release it or take it over. */

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { STAFF } from "../../wire.gen.ts";
import { texts } from "../../language/language.ts";
import { asking, controlText } from "../../state/status.ts";
import { useConsole } from "../context.ts";
import { ConfirmButton } from "../controls/ConfirmButton.tsx";

export function ControlBox() {
  const { store } = useConsole();
  if (store.phase.value !== "open" || store.lease.value === null) return null;
  const words = controlText(store.model.value, store.robot.value);
  return (
    <span class="lease">
      <span class="mute words" title={words}>
        {words}
      </span>
      <ControlButton />
      <PeopleList />
    </span>
  );
}

function ControlButton() {
  const console = useConsole();
  const labels = texts().control;
  const { store, actions } = console;
  const lease = store.lease.value;
  if (store.mine.value) return <button onClick={() => console.releaseControl()}>{labels.release}</button>;
  if (lease?.may_take === true) {
    return (
      <button class="strong" onClick={() => actions.takeOver()}>
        {labels.takeOver}
      </button>
    );
  }
  if (asking(store.model.value, store.robot.value)) {
    return (
      <button onClick={() => console.releaseControl()} title={labels.askedTitle}>
        {labels.asked}
      </button>
    );
  }
  return (
    <button class="strong" onClick={() => console.ask()}>
      {labels.ask}
    </button>
  );
}

/** The other viewers, shown to those who may send them away. */
function PeopleList() {
  const { store, actions } = useConsole();
  const box = useRef<HTMLDetailsElement>(null);
  useClosing(box);
  const { people, viewer } = store.model.value;
  const labels = texts().control;
  const others = people.filter((person) => person.viewer !== viewer);
  if (others.length === 0) return null;
  return (
    <details class="people" ref={box}>
      <summary>{labels.viewers}</summary>
      <ul aria-label={labels.otherViewers}>
        {others.map(({ viewer: number, name, role }) => (
          <li key={number}>
            <span class="name" title={name}>
              {name}
            </span>
            {!STAFF.includes(role) ? (
              <ConfirmButton
                label={labels.sendAway}
                action={labels.sendAwayName(name)}
                disabled={false}
                title={labels.sendAwayTitle(name)}
                act={() => void actions.sendAway(number)}
              />
            ) : (
              <span class="mute">{labels.roles[role]}</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Close an open list on Escape and on a press outside it. */
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
