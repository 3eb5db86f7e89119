/** Devices that a page may read only after the operator has allowed it, each where the browser can. */

import { useConsole } from "../context.ts";
import { HEADSET_CARD } from "./HeadsetCard.tsx";

export function DeviceOffers() {
  return (
    <fieldset class="keylist offers">
      <legend>More devices</legend>
      <SpaceMouseOffer />
      <HeadsetOffer />
    </fieldset>
  );
}

function SpaceMouseOffer() {
  const { spaceMice } = useConsole().devices;
  if (!spaceMice.offered) {
    return (
      <p class="mute">
        A SpaceMouse cannot be read here: that takes Chrome or Edge, and an address that is https or on this machine.
      </p>
    );
  }
  return (
    <div class="keyrow">
      <span>
        SpaceMouse <span class="mute">Push its cap the way the tip shall go, with its left button held.</span>
      </span>
      <button onClick={() => void spaceMice.connect()}>Connect SpaceMouse</button>
    </div>
  );
}

function HeadsetOffer() {
  const { devices, look } = useConsole();
  const { headset } = devices;
  if (headset.mode.value === null) return null;
  const start = (): void => {
    look.dialog.value = "";
    void headset.start(document.getElementById(HEADSET_CARD));
  };
  return (
    <div class="keyrow">
      <span>
        Headset or phone <span class="mute">Its place in the room leads the tip.</span>
      </span>
      <button disabled={headset.status.value !== "off"} onClick={start}>
        Use headset or phone
      </button>
    </div>
  );
}
