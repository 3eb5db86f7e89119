/** While a headset or a phone is in use: what to do with it, and its end. A phone shows nothing else. */

import { useEffect, useRef } from "preact/hooks";
import type { Status } from "../../hand/headset.ts";
import { capital } from "../../state/format.ts";
import { poseHindrance } from "../../state/status.ts";
import { useConsole } from "../context.ts";
import { StopButton } from "../controls/StopButton.tsx";

export const HEADSET_CARD = "headset";

const WORDS: Readonly<Record<Exclude<Status, "off">, readonly [controller: string, phone: string]>> = {
  lost: ["No controller is tracked. Bring one into view.", "Its place is not known yet. Move the phone slowly."],
  free: [
    "Hold the grip button at the side of the controller to lead the tip. The trigger closes the gripper.",
    "Hold a finger on the screen and move the phone to lead the tip.",
  ],
  again: ["Let go of the grip button, then hold it again.", "Lift the finger, then touch the screen again."],
  leading: ["Leading the tip. Let go and it stops.", "Leading the tip. Lift the finger and it stops."],
};

/** Always there, because a session asks for its place before it begins. */
export function HeadsetCard() {
  const { headset } = useConsole().devices;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A finger on a button presses that button, and enables nothing.
    const spare = (event: Event): void => {
      if (event.target instanceof Element && event.target.closest("button") !== null) event.preventDefault();
    };
    place.current?.addEventListener("beforexrselect", spare);
  }, []);
  const status = headset.status.value;
  return (
    <div id={HEADSET_CARD} class="headset" ref={place} hidden={status === "off"}>
      {status !== "off" && <InUse status={status} />}
    </div>
  );
}

function InUse({ status }: { status: Exclude<Status, "off"> }) {
  const { devices, store, actions } = useConsole();
  const { headset } = devices;
  const hindrance = poseHindrance(store.info.value, store.mapping.value, store.master.value);
  const way = hindrance?.way ?? null;
  const phone = headset.telephone.value;
  return (
    <>
      <b>{phone ? "Phone in use" : "Headset in use"}</b>
      <span class={hindrance === null ? "" : "warn"} role="status">
        {hindrance?.text ?? WORDS[status][phone ? 1 : 0]}
      </span>
      {way !== null && (
        <button class="strong" disabled={!store.commanding.value} onClick={() => void actions.choose(way)}>
          {capital(way)}
        </button>
      )}
      <button onClick={() => void headset.end()}>End</button>
      {phone && <StopButton />}
    </>
  );
}
