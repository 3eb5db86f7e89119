/** The frames of all robots: base, tip, and the frames along the chain with a line through them. */

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from "three";
import type { RobotLook } from "../painterProtocol.ts";
import { Axes, AxesKit } from "./axes.ts";
import type { AxesStyle, Sight } from "./axes.ts";
import type { Scenery } from "./scenery.ts";

/** Radius of the arrows' shafts as a share of their length. */
const SLIM = { ends: 0.016, chain: 0.02 };
/** Length of the arrows as a share of the robot's size, and its bounds, m. */
const LENGTH_SHARE = { ends: 0.2, chain: 0.15 };
const LENGTH_M = { min: 0.03, max: 0.3 };
const STYLES: Record<"ends" | "chain", Omit<AxesStyle, "length">> = {
  ends: { longest: 90, letters: true, gap: 0, away: 20 },
  chain: { longest: 60, letters: false, gap: 1, away: 8 },
};

export class RobotFrames {
  readonly root = new Group();
  private readonly kits = { ends: new AxesKit(SLIM.ends), chain: new AxesKit(SLIM.chain) };
  private readonly spine = new LineBasicMaterial({ color: 0xdbe1e6, transparent: true, opacity: 0.55, depthTest: false });
  private readonly ends = new Group();
  private readonly chains = new Group();
  private axes: Axes[] = [];
  private lines: { line: Line; nodes: Axes[] }[] = [];

  constructor() {
    this.root.add(this.ends, this.chains);
  }

  set(robots: readonly RobotLook[], scenery: Scenery, size: number): void {
    this.clear();
    for (const robot of robots) {
      const [ends, chain] = [styleOf("ends", size), styleOf("chain", size)];
      for (const place of [robot.base, robot.tip]) this.add(new Axes(this.kits.ends, place, ends), this.ends);
      const nodes = robot.frames.map((place) => new Axes(this.kits.chain, place, chain));
      for (const node of nodes) this.add(node, this.chains);
      this.addSpine(nodes);
    }
    this.follow(scenery);
  }

  show(ends: boolean, chain: boolean): void {
    this.ends.visible = ends;
    this.chains.visible = chain;
  }

  follow(scenery: Scenery): void {
    for (const axes of this.axes) axes.follow(scenery);
    for (const { line, nodes } of this.lines) bend(line, nodes);
  }

  face(sight: Sight): void {
    for (const axes of this.axes) axes.face(sight);
  }

  dispose(): void {
    this.clear();
    this.kits.ends.dispose();
    this.kits.chain.dispose();
    this.spine.dispose();
  }

  private add(axes: Axes, into: Group): void {
    this.axes.push(axes);
    into.add(axes.root);
  }

  private addSpine(nodes: Axes[]): void {
    if (nodes.length < 2) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(nodes.length * 3), 3));
    const line = new Line(geometry, this.spine);
    line.frustumCulled = false;
    line.renderOrder = -1;
    this.lines.push({ line, nodes });
    this.chains.add(line);
  }

  private clear(): void {
    for (const axes of this.axes) axes.dispose();
    for (const { line } of this.lines) line.geometry.dispose();
    this.axes = [];
    this.lines = [];
    this.ends.clear();
    this.chains.clear();
  }
}

function styleOf(kind: "ends" | "chain", size: number): AxesStyle {
  return { ...STYLES[kind], length: Math.min(Math.max(size * LENGTH_SHARE[kind], LENGTH_M.min), LENGTH_M.max) };
}

const POINT = new Vector3();

function bend(line: Line, nodes: readonly Axes[]): void {
  const places = line.geometry.getAttribute("position");
  nodes.forEach((node, i) => {
    POINT.setFromMatrixPosition(node.root.matrix);
    places.setXYZ(i, POINT.x, POINT.y, POINT.z);
  });
  places.needsUpdate = true;
}
