/** The master in a small picture of its own, over the cell's: where it is, where the hand means to be, what it feels. */

import { effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { clutchWords, feltWords, leastTravel, masterTitle, travelWords } from "../../state/masterStatus.ts";
import { isLedHere, masterNow } from "../../state/selectors.ts";
import { createView } from "../../view/index.ts";
import { feltArrow, masterScene, masterUpdate } from "../../view/masterScene.ts";
import type { MasterInfo } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";

export function MasterPanel() {
  const { store, look } = useConsole();
  const info = store.master.value;
  const size = look.master.value;
  if (info === null || size === "hidden") return null;
  return (
    <section class={`master ${size}`} aria-label="Master">
      <div class="row head">
        <h2>Master</h2>
        <span class="mute title" title={masterTitle(info)}>
          {info.label}
        </span>
        <span class="grow" />
        <button class="chip" onClick={() => look.setMaster(size === "large" ? "small" : "large")}>
          {size === "large" ? "Smaller" : "Larger"}
        </button>
        <button class="chip" aria-label="Close the master's picture" onClick={() => look.setMaster("hidden")}>
          ×
        </button>
      </div>
      <Picture key={`${store.scene.value?.cell ?? ""} ${info.name}`} info={info} />
      <Status info={info} />
    </section>
  );
}

/** The picture; it lives only while it is shown. */
function Picture({ info }: { info: MasterInfo }) {
  const { store, devices, look } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  const newest = useRef(info);
  newest.current = info;
  useEffect(() => {
    const view = createView("side", "3D view of the master");
    place.current?.append(view.element);
    view.onDrag(({ phase, position }) => {
      if (phase === "end") devices.lead.end();
      else devices.leadTip(position);
    });
    let scene = -1;
    const endings = [
      effect(() => {
        const { scene: whole, now } = store.model.value;
        const master = masterNow(store.model.value, store.robot.value);
        if (whole === null || now === null || master === null) return;
        if (whole.number !== scene) {
          scene = whole.number;
          view.setScene(masterScene(newest.current, scene), () => Promise.reject(new Error("A master has no meshes.")));
        }
        view.update(masterUpdate(master, scene, now.tick));
      }),
      effect(() => {
        const master = store.shownMaster.value;
        view.setArrow(master === null ? null : feltArrow(newest.current, master));
      }),
      effect(() => {
        const leads = store.commanding.value && !store.latched.value && isLedHere(newest.current);
        view.setDraggable(leads ? newest.current.name : null);
      }),
      // Their letters take room that a small picture does not have.
      effect(() => view.setOptions({ frames: look.master.value === "large" })),
      effect(() => {
        const stalled = store.stalled.value !== null;
        untracked(() => view.setDimmed(stalled));
      }),
    ];
    return () => {
      for (const end of endings) end();
      devices.lead.end();
      view.dispose();
    };
  }, [store, devices, look]);
  return <div class="masterview" ref={place} />;
}

function Status({ info }: { info: MasterInfo }) {
  const { store, devices } = useConsole();
  const now = store.shownMaster.value;
  if (now === null) return <p class="mute words">It has not spoken yet.</p>;
  const alone = devices.lead.alone.value;
  const shown = store.demonstrating.value;
  const led = store.leadsMaster.value || !isLedHere(info);
  const clutch = clutchWords(store.mode.value, shown ? "demonstration" : !led ? "keys" : alone ? "alone" : "both");
  const travel = leastTravel(info, now);
  return (
    <div class="words">
      <span class={`tone ${clutch.tone}`} role="status">
        {clutch.text}
      </span>
      <span class="number">{feltWords(now.felt)}</span>
      {travel !== null && <span class={travel.little ? "number warn" : "number mute"}>{travelWords(travel)}</span>}
      {isLedHere(info) ? (
        <button
          class="chip"
          aria-pressed={alone && led}
          disabled={!store.commanding.value || shown || !led}
          title={led ? "Everything moves the master alone, so that the hand can be brought back" : "In this way to drive keys lead the robot"}
          onClick={() => devices.leadAlone(!alone)}
        >
          Move it alone
        </button>
      ) : (
        <span class="mute">Held on another machine.</span>
      )}
    </div>
  );
}
