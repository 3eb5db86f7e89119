/** Sets up devices: each connected one with live bars, a layout and teaching for each function; then others on offer. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { texts } from "../../language/language.ts";
import { axisText, FLIPPER_AXES, JOINT_AXES, TIP_AXES, TRACK_AXES } from "../../hand/axesAndActions.ts";
import { layoutText, presetOf, presetText } from "../../hand/padLayouts.ts";
import { deflection, level } from "../../hand/readPad.ts";
import { pushText, PUSHES, type Deflection, type PadState, type Profile } from "../../hand/padProfile.ts";
import { fixed } from "../../state/format.ts";
import { useConsole } from "../context.ts";
import { DeviceOffers } from "./DeviceOffers.tsx";
import { Dialog } from "../controls/Dialog.tsx";
import { LayoutChoice, MissingInputs } from "./LayoutChoice.tsx";
import { useInputTeaching, type InputTeaching } from "./useInputTeaching.ts";
import { DeflectionRow, PushRow } from "./InputRows.tsx";
import { usePadState } from "./usePadState.ts";

export function DevicesDialog() {
  const { padStore, devices } = useConsole();
  const { pads } = devices;
  useEffect(() => {
    pads.use = "set up";
    return () => {
      pads.use = "drive";
    };
  }, [pads]);
  const plugged = padStore.plugged.value;
  const chosen = useSignal("");
  const id = plugged.includes(chosen.value) ? chosen.value : (plugged[0] ?? "");
  return (
    <Dialog title={texts().devices.title}>
      {plugged.length === 0 && (
        <p class="mute">{texts().devices.none}</p>
      )}
      {plugged.length > 1 && (
        <div class="segments" role="group" aria-label={texts().devices.device}>
          {plugged.map((each) => (
            <button
              key={each}
              aria-pressed={each === id}
              onClick={() => {
                chosen.value = each;
              }}
            >
              {each}
            </button>
          ))}
        </div>
      )}
      {id !== "" && <Device key={id} id={id} />}
      <DeviceOffers />
      <SavedProfiles />
    </Dialog>
  );
}

function Device({ id }: { id: string }) {
  const { devices, padStore, store } = useConsole();
  const { pads } = devices;
  const pad = usePadState(id);
  const teaching = useInputTeaching(id);
  if (pad === null) return null;
  const profile = pads.profile(pad);
  const labels = store.info.value?.joints.map((joint) => joint.label) ?? [];
  const joints = JOINT_AXES.slice(0, Math.max(labels.length, 1));
  const leads = (axis: string): boolean => store.info.value?.mappings.some((mapping) => mapping.axes.includes(axis)) ?? false;
  const saved = padStore.saved(id);
  const preset = saved === null ? null : presetOf(saved);
  const how = saved === null ? layoutText(pad.layout).how : preset === null ? "" : presetText(preset).how;
  const setMotion = (axis: string, wiring: Deflection | null): void => padStore.save(id, withMotion(profile, axis, wiring));
  const row = (axis: string) => (
    <DeflectionRow
      key={axis}
      name={axisText(axis, labels).name}
      wiring={profile.motions[axis]}
      value={deflection(pad, profile.motions[axis])}
      waiting={promptOf(teaching, axis)}
      teach={() => teaching.start({ kind: "motion", id: axis })}
      change={(wiring) => setMotion(axis, wiring)}
    />
  );
  const labelled = texts().devices;
  return (
    <>
      <div class="row">
        <b>{id}</b>
        <span class="grow" />
        <LayoutChoice pad={pad} />
      </div>
      <MissingInputs pad={pad} />
      <p class="mute">{labelled.teachHelp(how)}</p>
      <RawBars pad={pad} />
      <div class="columns wide">
        <fieldset class="keylist">
          <legend>{labelled.buttons}</legend>
          {PUSHES.map((push) => (
            <PushRow
              key={push}
              name={pushText(push)}
              input={profile.pushes[push]}
              value={level(pad, profile.pushes[push])}
              waiting={promptOf(teaching, push)}
              teach={() => teaching.start({ kind: "push", id: push })}
            />
          ))}
        </fieldset>
        <fieldset class="keylist">
          <legend>{labelled.tipAndGripper}</legend>
          {[...TIP_AXES, "grip"].map(row)}
        </fieldset>
        <fieldset class="keylist">
          <legend>{labelled.joints}</legend>
          {joints.map(row)}
        </fieldset>
        {leads("forward") && (
          <fieldset class="keylist">
            <legend>{labelled.tracks}</legend>
            {TRACK_AXES.map(row)}
          </fieldset>
        )}
        {leads("raise") && (
          <fieldset class="keylist">
            <legend>{labelled.flippers}</legend>
            {FLIPPER_AXES.map(row)}
          </fieldset>
        )}
      </div>
    </>
  );
}

function promptOf(teaching: InputTeaching, id: string): string | null {
  return teaching.current.value?.id === id ? teaching.prompt.value : null;
}

function withMotion(profile: Profile, axis: string, wiring: Deflection | null): Profile {
  const others = Object.fromEntries(Object.entries(profile.motions).filter(([name]) => name !== axis));
  return { ...profile, motions: wiring === null ? others : { ...others, [axis]: wiring } };
}

/** Every axis and button of the device, as it reports them. */
function RawBars({ pad }: { pad: PadState }) {
  return (
    <div class="raw" role="group" aria-label={texts().devices.raw}>
      {pad.axes.map((value, index) => (
        <span key={`a${index}`} class="rawaxis" title={texts().devices.rawAxis(index + 1, fixed(value, 2))}>
          <i style={{ left: `${((value + 1) / 2) * 100}%` }} />
          <span>{index + 1}</span>
        </span>
      ))}
      {pad.buttons.map((value, index) => (
        <span key={`b${index}`} class={value > 0.5 ? "rawbutton on" : "rawbutton"} title={texts().devices.rawButton(index + 1)}>
          {index + 1}
        </span>
      ))}
    </div>
  );
}

function SavedProfiles() {
  const { padStore } = useConsole();
  const ids = Object.keys(padStore.profiles.value);
  if (ids.length === 0) return null;
  return (
    <fieldset class="keylist">
      <legend>{texts().devices.saved}</legend>
      {ids.map((id) => (
        <div key={id} class="keyrow">
          <span>{id}</span>
          <button onClick={() => padStore.remove(id)}>{texts().devices.delete}</button>
        </div>
      ))}
    </fieldset>
  );
}
