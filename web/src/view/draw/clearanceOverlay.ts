/** The clearance line and the free directions of each robot, drawn over the shapes. */

import { Group } from "three";
import type { ClearanceLook, RobotLook } from "../painterProtocol.ts";
import type { Sight } from "./axes.ts";
import { ClearanceLine, ClearanceLineKit, type Picture } from "./clearanceLine.ts";
import type { Scenery } from "./scenery.ts";
import { FreeDirections, FreeDirectionsKit } from "./freeDirections.ts";

/** Smallest visible motion of a line's end, m. */
const VISIBLE_M = 2e-4;

export class ClearanceOverlay {
  readonly root = new Group();
  private readonly kits = { line: new ClearanceLineKit(), ways: new FreeDirectionsKit() };
  private marks: { line: ClearanceLine; ways: FreeDirections }[] = [];
  private looks: readonly ClearanceLook[] = [];

  /** Set the robots of a new scene. */
  setRobots(robots: readonly RobotLook[]): void {
    this.clear();
    this.marks = robots.map((robot) => ({ line: new ClearanceLine(this.kits.line), ways: new FreeDirections(this.kits.ways, robot) }));
    for (const { line, ways } of this.marks) this.root.add(line.root, ways.root);
  }

  /** Show these lines; return whether there is a visible change. */
  set(looks: readonly ClearanceLook[]): boolean {
    if (looks.length === this.looks.length && looks.every((look, i) => same(look, this.looks[i]))) return false;
    this.looks = looks;
    this.marks.forEach(({ line, ways }, robot) => {
      const look = looks.find((each) => each.robot === robot) ?? null;
      line.set(look);
      ways.set(look?.ways ?? []);
    });
    return this.root.visible;
  }

  follow(scenery: Scenery): void {
    for (const { ways } of this.marks) ways.follow(scenery);
  }

  /** Keep the sizes on the screen. */
  face(sight: Sight, picture: Picture): void {
    for (const { line, ways } of this.marks) {
      line.face(sight, picture, ways.root.position);
      ways.face(sight);
    }
  }

  dispose(): void {
    this.clear();
    this.kits.line.dispose();
    this.kits.ways.dispose();
  }

  private clear(): void {
    for (const { line } of this.marks) line.dispose();
    this.marks = [];
    this.looks = [];
    this.root.clear();
  }
}

function same(one: ClearanceLook, other: ClearanceLook | undefined): boolean {
  if (one.robot !== other?.robot || one.text !== other.text) return false;
  if (one.closeness !== other.closeness || one.gently !== other.gently || one.ways.join() !== other.ways.join()) return false;
  return [0, 1, 2].every((i) => close(one.from[i], other.from[i]) && close(one.to[i], other.to[i]));
}

function close(one = 0, other = 0): boolean {
  return Math.abs(one - other) < VISIBLE_M;
}
