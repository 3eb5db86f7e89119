/** Two sticks and two gripper buttons for touch screens. Touching one is the deadman. */

import { useSignal } from "@preact/signals";
import { stickPages, type Side, type StickAxes } from "../../hand/touchSticks.ts";
import { axisText } from "../../hand/axesAndActions.ts";
import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { HoldButton } from "../controls/HoldButton.tsx";

export function TouchSticks() {
  const { store, devices } = useConsole();
  const { sticks } = devices;
  const shown = useSignal(0);
  const axes = store.axes.value;
  const pages = stickPages(axes);
  const page = pages[shown.value % Math.max(1, pages.length)];
  if (!store.commanding.value || page === undefined) return null;
  const turn = (index: number): void => {
    shown.value = index;
    sticks.page = index;
  };
  return (
    <div class="sticks">
      <Stick side="left" axes={page.left} />
      <div class="middle">
        {pages.length > 1 && (
          <div class="segments" role="group" aria-label={texts().sticks.assignment}>
            {pages.map((each, index) => (
              <button key={each.name} aria-pressed={each === page} onClick={() => turn(index)}>
                {each.name}
              </button>
            ))}
          </div>
        )}
        {axes.includes("grip") && (
          <div class="row">
            <GripperButton direction={-1} />
            <GripperButton direction={1} />
          </div>
        )}
      </div>
      <Stick side="right" axes={page.right} />
    </div>
  );
}

function Stick({ side, axes }: { side: Side; axes: StickAxes }) {
  const { devices, store } = useConsole();
  const { sticks } = devices;
  const at = useSignal<readonly [number, number]>([0, 0]);
  const labels = store.info.value?.joints.map((joint) => joint.label) ?? [];
  const words = [axes.along, axes.across]
    .filter((target) => target !== null)
    .map((target) => axisText(target.axis, labels).name)
    .join(" · ");
  const follow = (event: PointerEvent & { currentTarget: HTMLElement }, fresh: boolean): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const radius = box.width / 2;
    const across = (event.clientX - box.left - radius) / (radius * 0.7);
    const along = -(event.clientY - box.top - radius) / (radius * 0.7);
    const length = Math.max(1, Math.hypot(across, along));
    at.value = [across / length, along / length];
    if (fresh) sticks.touch(side, at.value[0], at.value[1]);
    else sticks.move(side, at.value[0], at.value[1]);
  };
  const lift = (): void => {
    at.value = [0, 0];
    sticks.lift(side);
  };
  return (
    <div
      class="stick"
      role="application"
      aria-label={side === "left" ? texts().sticks.left(words) : texts().sticks.right(words)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event, true);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event, false);
      }}
      onPointerUp={lift}
      onPointerCancel={lift}
      onLostPointerCapture={lift}
    >
      <span class="knob" style={{ transform: `translate(${at.value[0] * 70}%, ${-at.value[1] * 70}%)` }} />
      <span class="words">{words}</span>
    </div>
  );
}

/** A button that closes (-1) or opens (1) the gripper while it is held. */
export function GripperButton({ direction }: { direction: -1 | 1 }) {
  const { devices, store } = useConsole();
  const { sticks } = devices;
  const byHand = store.info.value?.by_hand === true;
  const grips = byHand && store.axes.value.includes("grip");
  const labels = texts().actions;
  const unusable = grips ? "" : byHand ? labels.gripperNotInMode : labels.gripperByScript;
  const hindrance = store.immovable.value || unusable;
  return (
    <HoldButton
      disabled={hindrance !== ""}
      title={hindrance || labels.gripperTitle}
      begin={() => sticks.squeeze(direction)}
      end={() => sticks.squeeze(0)}
    >
      {direction === 1 ? labels.openGripper : labels.closeGripper}
    </HoldButton>
  );
}
