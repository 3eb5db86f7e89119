/** Sets up devices: what is connected, with live bars, a layout and a lesson for each function; what else can be. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { axisWords, FLIPPER_AXES, JOINT_AXES, TIP_AXES, TRACK_AXES } from "../../hand/axesAndActions.ts";
import { LAYOUT_WORDS, presetOf } from "../../hand/padLayouts.ts";
import { deflection, level } from "../../hand/readPad.ts";
import { PUSH_WORDS, PUSHES, type Deflection, type PadState, type Profile } from "../../hand/padProfile.ts";
import { useConsole } from "../context.ts";
import { DeviceOffers } from "./DeviceOffers.tsx";
import { Dialog } from "../controls/Dialog.tsx";
import { LayoutChoice } from "./LayoutChoice.tsx";
import { useLesson, type Lesson } from "./useInputTeaching.ts";
import { DeflectionRow, PushRow } from "./InputRows.tsx";
import { usePadState } from "./usePadState.ts";

export function PadDialog() {
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
    <Dialog title="Devices">
      {plugged.length === 0 && (
        <p class="mute">No gamepad or console is connected. Plug one in and press any of its buttons.</p>
      )}
      {plugged.length > 1 && (
        <div class="segments" role="group" aria-label="Device">
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
  const lesson = useLesson(id);
  if (pad === null) return null;
  const profile = pads.profile(pad);
  const labels = store.info.value?.joints.map((joint) => joint.label) ?? [];
  const joints = JOINT_AXES.slice(0, Math.max(labels.length, 1));
  const leads = (axis: string): boolean => store.info.value?.mappings.some((mapping) => mapping.axes.includes(axis)) ?? false;
  const saved = padStore.saved(id);
  const how = saved === null ? LAYOUT_WORDS[pad.layout].how : (presetOf(saved)?.how ?? "");
  const setMotion = (axis: string, wiring: Deflection | null): void => padStore.save(id, withMotion(profile, axis, wiring));
  const row = (axis: string) => (
    <DeflectionRow
      key={axis}
      words={axisWords(axis, labels)}
      wiring={profile.motions[axis]}
      value={deflection(pad, profile.motions[axis])}
      waiting={promptOf(lesson, axis)}
      teach={() => lesson.start({ kind: "motion", id: axis })}
      change={(wiring) => setMotion(axis, wiring)}
    />
  );
  return (
    <>
      <div class="row">
        <b>{id}</b>
        <span class="grow" />
        <LayoutChoice pad={pad} />
      </div>
      <p class="mute">{how} Press “Teach” and then do on the device what is asked.</p>
      <RawBars pad={pad} />
      <div class="columns wide">
        <fieldset class="keylist">
          <legend>Buttons</legend>
          {PUSHES.map((push) => (
            <PushRow
              key={push}
              words={PUSH_WORDS[push] ?? push}
              input={profile.pushes[push]}
              value={level(pad, profile.pushes[push])}
              waiting={promptOf(lesson, push)}
              teach={() => lesson.start({ kind: "push", id: push })}
            />
          ))}
        </fieldset>
        <fieldset class="keylist">
          <legend>Tip and gripper</legend>
          {[...TIP_AXES, "grip"].map(row)}
        </fieldset>
        <fieldset class="keylist">
          <legend>Joints</legend>
          {joints.map(row)}
        </fieldset>
        {leads("forward") && (
          <fieldset class="keylist">
            <legend>Tracks</legend>
            {TRACK_AXES.map(row)}
          </fieldset>
        )}
        {leads("raise") && (
          <fieldset class="keylist">
            <legend>Flippers</legend>
            {FLIPPER_AXES.map(row)}
          </fieldset>
        )}
      </div>
    </>
  );
}

function promptOf(lesson: Lesson, id: string): string | null {
  return lesson.current.value?.id === id ? lesson.prompt.value : null;
}

function withMotion(profile: Profile, axis: string, wiring: Deflection | null): Profile {
  const others = Object.fromEntries(Object.entries(profile.motions).filter(([name]) => name !== axis));
  return { ...profile, motions: wiring === null ? others : { ...others, [axis]: wiring } };
}

/** All that the device says, as it says it. */
function RawBars({ pad }: { pad: PadState }) {
  return (
    <div class="raw" aria-label="What the device says">
      {pad.axes.map((value, index) => (
        <span key={`a${index}`} class="rawaxis" title={`Axis ${index + 1}: ${value.toFixed(2)}`}>
          <i style={{ left: `${((value + 1) / 2) * 100}%` }} />
          <span>{index + 1}</span>
        </span>
      ))}
      {pad.buttons.map((value, index) => (
        <span key={`b${index}`} class={value > 0.5 ? "rawbutton on" : "rawbutton"} title={`Button ${index + 1}`}>
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
      <legend>Saved profiles</legend>
      {ids.map((id) => (
        <div key={id} class="keyrow">
          <span>{id}</span>
          <button onClick={() => padStore.remove(id)}>Delete</button>
        </div>
      ))}
    </fieldset>
  );
}
