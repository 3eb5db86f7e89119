/** A view of the master over the cell's: its pose, the pose the hand aims at, and the force feedback. */

import { effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { engagementText, feedbackText, leastTravel, masterTitle, travelText } from "../../state/masterStatus.ts";
import { isLedHere, masterNow } from "../../state/selectors.ts";
import { texts } from "../../language/language.ts";
import { createView } from "../../view/index.ts";
import { feltArrow, masterScene, masterUpdate } from "../../view/masterScene.ts";
import type { MasterInfo } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";

export function MasterPanel() {
  const { store, page } = useConsole();
  const info = store.master.value;
  const size = page.master.value;
  if (info === null || size === "hidden") return null;
  const labels = texts().master;
  const { larger, smaller } = texts().general;
  return (
    <section class={`master ${size}`} aria-label={labels.heading}>
      <div class="row head">
        <h2>{labels.heading}</h2>
        <span class="mute title" title={masterTitle(info)}>
          {info.label}
        </span>
        <span class="grow" />
        <button class="chip" onClick={() => page.setMaster(size === "large" ? "small" : "large")}>
          {size === "large" ? smaller : larger}
        </button>
        <button class="chip" aria-label={labels.closeView} onClick={() => page.setMaster("hidden")}>
          ×
        </button>
      </div>
      <Picture key={`${store.scene.value?.cell ?? ""} ${info.name}`} info={info} />
      <Status info={info} />
    </section>
  );
}

/** The view itself; it exists only while it is shown. */
function Picture({ info }: { info: MasterInfo }) {
  const { store, devices, page } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  const newest = useRef(info);
  newest.current = info;
  useEffect(() => {
    const view = createView("side", texts().view.master);
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
      // A small view has no room for the letters of the axes.
      effect(() => view.setOptions({ frames: page.master.value === "large" })),
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
  }, [store, devices, page]);
  return <div class="masterview" ref={place} />;
}

function Status({ info }: { info: MasterInfo }) {
  const { store, devices } = useConsole();
  const now = store.shownMaster.value;
  if (now === null) return <p class="mute words">{texts().master.noData}</p>;
  const alone = devices.lead.alone.value;
  const shown = store.demonstrating.value;
  const led = store.leadsMaster.value || !isLedHere(info);
  const engagement = engagementText(store.mode.value, shown ? "demonstration" : !led ? "keys" : alone ? "alone" : "both");
  const travel = leastTravel(info, now);
  const labels = texts().master;
  return (
    <div class="words">
      <span class={`tone ${engagement.tone}`} role="status">
        {engagement.text}
      </span>
      <span class="number">{feedbackText(now.felt)}</span>
      {travel !== null && <span class={travel.little ? "number warn" : "number mute"}>{travelText(travel)}</span>}
      {isLedHere(info) ? (
        <button
          class="chip"
          aria-pressed={alone && led}
          disabled={!store.commanding.value || shown || !led}
          title={led ? labels.aloneTitle : labels.aloneByKeys}
          onClick={() => devices.leadAlone(!alone)}
        >
          {labels.alone}
        </button>
      ) : (
        <span class="mute">{labels.heldElsewhere}</span>
      )}
    </div>
  );
}
