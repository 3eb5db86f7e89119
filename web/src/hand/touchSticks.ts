/** Sticks on the touch screen. Touching one is the deadman; the control mode assigns their directions. */

import { texts } from "../language/language.ts";
import { NOTHING, type Held, type InputSource } from "./inputState.ts";

/** The axes that a stick's two directions deflect: right and up are positive on the screen. */
export interface StickAxes {
  readonly across: { readonly axis: string; readonly sign: 1 | -1 } | null;
  readonly along: { readonly axis: string; readonly sign: 1 | -1 } | null;
}

/** A pair of sticks and its name. */
export interface StickPage {
  readonly name: string;
  readonly left: StickAxes;
  readonly right: StickAxes;
}

const NONE: StickAxes = { across: null, along: null };

/** Return the pairs of sticks that serve a mapping with these axes. */
export function stickPages(axes: readonly string[]): StickPage[] {
  const one = (axis: string, sign: 1 | -1 = 1): StickAxes["across"] => (axes.includes(axis) ? { axis, sign } : null);
  const labels = texts().sticks;
  if (axes.includes("x")) {
    const move = { left: { across: one("y", -1), along: one("x") }, right: { across: one("yaw", -1), along: one("z") } };
    const turn = { left: { across: one("roll"), along: one("pitch") }, right: { across: one("yaw", -1), along: null } };
    return [
      { name: labels.move, ...move },
      { name: labels.turn, ...turn },
    ];
  }
  if (axes.includes("forward")) {
    const drive = { across: one("turn", -1), along: one("forward") };
    return [
      { name: labels.drive, left: drive, right: { across: null, along: one("flippers") } },
      { name: labels.flippers, left: { across: null, along: one("flippers:front") }, right: { across: null, along: one("flippers:rear") } },
    ];
  }
  if (axes.includes("raise")) {
    const lever = (axis: string): StickAxes => ({ across: null, along: one(axis) });
    return [
      { name: labels.pairs, left: lever("raise:front"), right: lever("raise:rear") },
      { name: labels.front, left: lever("raise:0"), right: lever("raise:1") },
      { name: labels.rear, left: lever("raise:2"), right: lever("raise:3") },
      { name: labels.all, left: lever("raise"), right: NONE },
    ];
  }
  const joints = axes.filter((axis) => axis.startsWith("joint:"));
  const pages: StickPage[] = [];
  for (let first = 0; first < joints.length; first += 4) {
    const at = (offset: number): StickAxes["across"] => one(joints[first + offset] ?? "");
    const last = Math.min(first + 4, joints.length);
    pages.push({
      name: first + 1 === last ? labels.joint(last) : labels.joints(first + 1, last),
      left: { across: at(0), along: at(1) },
      right: { across: at(2), along: at(3) },
    });
  }
  return pages;
}

export type Side = "left" | "right";

export class Sticks implements InputSource {
  /** Index of the pair that is shown. */
  page = 0;
  private readonly touched = new Map<Side, readonly [number, number]>();
  private grip = 0;

  constructor(private readonly changed: () => void) {}

  /** A finger touches a stick, deflected to the right and up by -1 to 1. */
  touch(side: Side, across: number, along: number): void {
    this.touched.set(side, [across, along]);
    this.changed();
  }

  /** The finger moves. After a release it must be lifted and touch again. */
  move(side: Side, across: number, along: number): void {
    if (this.touched.has(side)) this.touched.set(side, [across, along]);
  }

  lift(side: Side): void {
    if (this.touched.delete(side)) this.changed();
  }

  /** 1 opens, -1 closes, 0 lets go. */
  squeeze(direction: -1 | 0 | 1): void {
    if (this.grip === direction) return;
    this.grip = direction;
    this.changed();
  }

  read(axes: readonly string[]): Held {
    if (this.touched.size === 0 && this.grip === 0) return NOTHING;
    const pages = stickPages(axes);
    const page = pages[this.page % Math.max(1, pages.length)];
    const deflections: Record<string, number> = this.grip === 0 ? {} : { grip: this.grip };
    for (const [side, [across, along]] of this.touched) {
      const stick = page?.[side] ?? NONE;
      for (const [target, value] of [[stick.across, across] as const, [stick.along, along] as const]) {
        if (target !== null) deflections[target.axis] = (deflections[target.axis] ?? 0) + target.sign * value;
      }
    }
    return { deadman: true, axes: deflections, pose: null };
  }

  release(): void {
    this.touched.clear();
    this.grip = 0;
  }
}
