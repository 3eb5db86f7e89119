/** The master's travel and joints, with a slider and a field for each joint. Holding a slider or a button moves it. */

import { useSignal } from "@preact/signals";
import { texts } from "../../language/language.ts";
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
import { useScrollIntoView } from "../controls/useScrollIntoView.ts";

export function MasterBox() {
  const { store, page } = useConsole();
  const info = store.master.value;
  if (info === null) return null;
  const open = page.masterBox.value;
  return <Fold info={info} open={open} toggle={() => (page.masterBox.value = !open)} />;
}

function Fold({ info, open, toggle }: { info: MasterInfo; open: boolean; toggle: () => void }) {
  const place = useScrollIntoView(open);
  return (
    <section class="masterbox" ref={place}>
      <button class="fold" aria-expanded={open} onClick={toggle}>
        <h2>
          {texts().master.heading} <span class="unit">{masterTitle(info)}</span>
        </h2>
        <span class="grow" />
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      </button>
      {open && <Content info={info} />}
    </section>
  );
}

function Content({ info }: { info: MasterInfo }) {
  const { store } = useConsole();
  const now = store.shownMaster.value;
  if (now === null) return <p class="mute">{texts().master.noData}</p>;
  return (
    <div class="folded">
      <Travel info={info} now={now} />
      <MasterJoints info={info} now={now} />
    </div>
  );
}

function Travel({ info: { lower, upper }, now }: { info: MasterInfo; now: MasterNow }) {
  const labels = texts().master;
  return (
    <>
      {([0, 1, 2] as const).map((axis) => {
        const at = now.tip[axis] ?? 0;
        const left = Math.max(0, Math.min(upper[axis] - at, at - lower[axis]));
        const ends = { lower: lower[axis], upper: upper[axis] };
        const text = labels.left(`${millimetres(left)} mm`);
        return <Row key={axis} label={labels.travel("xyz"[axis] ?? "")} bar={bar(ends, at)} text={text} />;
      })}
    </>
  );
}

function MasterJoints({ info, now }: { info: MasterInfo; now: MasterNow }) {
  const { store, devices } = useConsole();
  const { lead } = devices;
  const labels = texts().master;
  const typed = useSignal<Readonly<Record<number, number>>>({});
  const locked = !store.commanding.value || store.latched.value || !isLedHere(info);
  const goal = (): number[] => now.joints.map((value, index) => typed.value[index] ?? value);
  const centre = (): void => {
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
          title={labels.goToTitle}
          begin={() => lead.joints(goal())}
          end={end}
        >
          {labels.goTo}
        </HoldButton>
        <HoldButton disabled={locked || store.demonstrating.value} title={labels.centreTitle} begin={centre} end={end}>
          {labels.centre}
        </HoldButton>
      </div>
    </>
  );
}
