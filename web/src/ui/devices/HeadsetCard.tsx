/** Instructions and the End button while a headset or a phone is in use. A phone shows nothing else. */

import { useEffect, useRef } from "preact/hooks";
import type { HeadsetStatus } from "../../hand/headset.ts";
import { texts } from "../../language/language.ts";
import { capital } from "../../state/format.ts";
import { poseHindrance } from "../../state/status.ts";
import { useConsole } from "../context.ts";
import { StopButton } from "../controls/StopButton.tsx";

export const HEADSET_CARD = "headset";

/** Return the instruction for the operator. */
function instruction(status: Exclude<HeadsetStatus, "off">, phone: boolean): string {
  const of = texts().headset;
  switch (status) {
    case "lost":
      return phone ? of.phoneLost : of.controllerLost;
    case "free":
      return phone ? of.phoneFree : of.controllerFree;
    case "again":
      return phone ? of.phoneAgain : of.controllerAgain;
    case "driving":
      return phone ? of.phoneDriving : of.controllerDriving;
  }
}

/** Always in the page: a session needs the element before it begins. */
export function HeadsetCard() {
  const { headset } = useConsole().devices;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A finger on a button presses that button and does not enable motion.
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

function InUse({ status }: { status: Exclude<HeadsetStatus, "off"> }) {
  const { devices, store, actions } = useConsole();
  const { headset } = devices;
  const hindrance = poseHindrance(store.info.value, store.mapping.value, store.master.value);
  const other = hindrance?.other ?? null;
  const phone = headset.phone.value;
  return (
    <>
      <b>{phone ? texts().headset.phone : texts().headset.headset}</b>
      <span class={hindrance === null ? "" : "warn"} role="status">
        {hindrance?.text ?? instruction(status, phone)}
      </span>
      {other !== null && (
        <button class="strong" disabled={!store.commanding.value} onClick={() => void actions.choose(other)}>
          {capital(other)}
        </button>
      )}
      <button onClick={() => void headset.end()}>{texts().headset.end}</button>
      {phone && <StopButton />}
    </>
  );
}
