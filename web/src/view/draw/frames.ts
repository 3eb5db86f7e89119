/** The frames of all robots: base and tip, and those along the chain with a line through them. */

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from "three";
import type { RobotLook } from "../protocol.ts";
import { Axes, AxesKit } from "./axes.ts";
import type { Scenery } from "./scenery.ts";

/** Arrows as a share of the robot's size, and their bounds (m). */
const SHARE = { ends: 0.2, chain: 0.15 };
const SLIM = { ends: 0.016, chain: 0.02 };
const BOUNDS = { least: 0.03, most: 0.3 };

export class Frames {
  readonly root = new Group();
  private readonly kits = { ends: new AxesKit(SLIM.ends), chain: new AxesKit(SLIM.chain) };
  private readonly spine = new LineBasicMaterial({ color: 0xdbe1e6, transparent: true, opacity: 0.55, depthTest: false });
  private readonly ends = new Group();
  private readonly chains = new Group();
  private axes: Axes[] = [];
  private lines: { line: Line; nodes: Axes[] }[] = [];
  private pixel = 0.002;

  constructor() {
    this.root.add(this.ends, this.chains);
  }

  set(robots: readonly RobotLook[], scenery: Scenery, size: number): void {
    this.clear();
    for (const robot of robots) {
      const [long, short] = [lengthOf(size * SHARE.ends), lengthOf(size * SHARE.chain)];
      for (const place of [robot.base, robot.tip]) this.add(new Axes(this.kits.ends, place, long, true, 0), this.ends);
      const nodes = robot.frames.map((place) => new Axes(this.kits.chain, place, short, false, 1));
      for (const node of nodes) this.add(node, this.chains);
      this.addSpine(nodes);
    }
    this.resize(this.pixel);
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

  /** The camera turned: these are its directions. */
  face(right: Vector3, up: Vector3): void {
    for (const axes of this.axes) axes.face(right, up);
  }

  resize(pixel: number): void {
    this.pixel = pixel;
    for (const axes of this.axes) axes.resize(pixel);
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

function lengthOf(metres: number): number {
  return Math.min(Math.max(metres, BOUNDS.least), BOUNDS.most);
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
