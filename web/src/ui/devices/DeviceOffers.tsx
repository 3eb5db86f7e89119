/** Devices that the page reads only after the operator has allowed it, where the browser supports them. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { HEADSET_CARD } from "./HeadsetCard.tsx";

export function DeviceOffers() {
  return (
    <fieldset class="keylist offers">
      <legend>{texts().devices.more}</legend>
      <SpaceMouseOffer />
      <HeadsetOffer />
    </fieldset>
  );
}

function SpaceMouseOffer() {
  const { spaceMice } = useConsole().devices;
  if (!spaceMice.offered) {
    return <p class="mute">{texts().devices.spaceMouseNeeds}</p>;
  }
  return (
    <div class="keyrow">
      <span>
        {texts().devices.spaceMouse} <span class="mute">{texts().devices.spaceMouseHow}</span>
      </span>
      <button onClick={() => void spaceMice.connect()}>{texts().devices.spaceMouseConnect}</button>
    </div>
  );
}

function HeadsetOffer() {
  const { devices, page } = useConsole();
  const { headset } = devices;
  if (headset.mode.value === null) return null;
  const start = (): void => {
    page.dialog.value = "";
    void headset.start(document.getElementById(HEADSET_CARD));
  };
  return (
    <div class="keyrow">
      <span>
        {texts().devices.headset} <span class="mute">{texts().devices.headsetHow}</span>
      </span>
      <button disabled={headset.status.value !== "off"} onClick={start}>
        {texts().devices.headsetUse}
      </button>
    </div>
  );
}
