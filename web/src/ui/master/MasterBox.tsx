/** The master's travel and joints: a slider and a typed value for each. Holding a slider, or "Go", leads it. */

import { useSignal } from "@preact/signals";
import { bar } from "../../state/jointBars.ts";
import { millimetres } from "../../state/format.ts";
import { masterTitle } from "../../state/masterStatus.ts";
import type { MasterNow } from "../../state/model.ts";
import { isLedHere } from "../../state/selectors.ts";
import { meantPose } from "../../view/masterScene.ts";
import type { MasterInfo } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";
import { HoldButton } from "../controls/HoldButton.tsx";
import { Row } from "../drive/JointBars.tsx";
import { MasterJoint } from "./MasterJoint.tsx";
import { useShown } from "../controls/useScrollIntoView.ts";

export function MasterBox() {
  const { store, look } = useConsole();
  const info = store.master.value;
  if (info === null) return null;
  const open = look.masterBox.value;
  return <Fold info={info} open={open} toggle={() => (look.masterBox.value = !open)} />;
}

function Fold({ info, open, toggle }: { info: MasterInfo; open: boolean; toggle: () => void }) {
  const place = useShown(open);
  return (
    <section class="masterbox" ref={place}>
      <button class="fold" aria-expanded={open} onClick={toggle}>
        <h2>
          Master <span class="unit">{masterTitle(info)}</span>
        </h2>
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && <Inside info={info} />}
    </section>
  );
}

function Inside({ info }: { info: MasterInfo }) {
  const { store } = useConsole();
  const now = store.shownMaster.value;
  if (now === null) return <p class="mute">It has not spoken yet.</p>;
  return (
    <div class="folded">
      <Travel info={info} now={now} />
      <MasterJoints info={info} now={now} />
    </div>
  );
}

function Travel({ info: { lower, upper }, now }: { info: MasterInfo; now: MasterNow }) {
  return (
    <>
      {([0, 1, 2] as const).map((axis) => {
        const at = now.tip[axis] ?? 0;
        const left = Math.max(0, Math.min(upper[axis] - at, at - lower[axis]));
        const ends = { lower: lower[axis], upper: upper[axis] };
        return <Row key={axis} label={`Travel ${"xyz"[axis] ?? ""}`} bar={bar(ends, at)} text={`${millimetres(left)} mm left`} />;
      })}
    </>
  );
}

function MasterJoints({ info, now }: { info: MasterInfo; now: MasterNow }) {
  const { store, devices } = useConsole();
  const { lead } = devices;
  const typed = useSignal<Readonly<Record<number, number>>>({});
  const locked = !store.commanding.value || store.latched.value || !isLedHere(info);
  const goal = (): number[] => now.joints.map((value, index) => typed.value[index] ?? value);
  const middle = (): void => {
    const { rotation } = meantPose(now);
    const [x, y, z] = ([0, 1, 2] as const).map((axis) => (info.lower[axis] + info.upper[axis]) / 2) as [number, number, number];
    lead.tipAlone({ position: [x, y, z], rotation });
  };
  const end = (): void => lead.end();
  return (
    <>
      {info.joints.map((joint, index) => (
        <MasterJoint
          key={joint.name}
          joint={joint}
          value={now.joints[index] ?? 0}
          typed={typed.value[index]}
          locked={locked}
          lead={(value) => lead.joints(now.joints.map((other, at) => (at === index ? value : other)))}
          end={end}
          type={(value) => {
            const others = Object.fromEntries(Object.entries(typed.value).filter(([at]) => Number(at) !== index));
            typed.value = value === null ? others : { ...others, [index]: value };
          }}
        />
      ))}
      <div class="buttons">
        <HoldButton
          disabled={locked || Object.keys(typed.value).length === 0}
          title="Hold to lead the master to the typed values"
          begin={() => lead.joints(goal())}
          end={end}
        >
          Hold: go there
        </HoldButton>
        <HoldButton disabled={locked || store.demonstrating.value} title="Hold to bring the hand back; the robot stays" begin={middle} end={end}>
          Hold: to the middle
        </HoldButton>
      </div>
    </>
  );
}
