/** The 3D view: draws a cell beside the page's own work, steers the camera, and lets a tip be dragged. */

import { texts } from "../language/language.ts";
import type { Place, RobotInfo, Scene, Update } from "../wire.gen.ts";
import type { BodyPose, Drag, Look, MeshData, View, ViewOptions, ViewStats } from "./api.ts";
import { basis, eye, ray, rotation } from "./orbitCamera.ts";
import type { Pane } from "./orbitCamera.ts";
import { Cameraman } from "./orbitAnimator.ts";
import { attachControls } from "./orbitControls.ts";
import { ball, lookAt, subjectOf } from "./framing.ts";
import { floorOf } from "./floorHeight.ts";
import { Companion } from "./robotFollower.ts";
import { conjugate, multiply } from "./math.ts";
import type { Quat } from "./math.ts";
import { GhostStore } from "./ghostStore.ts";
import { MeshShelf } from "./meshStore.ts";
import { nearLooks } from "./clearanceLines.ts";
import { nearestShape } from "./picking.ts";
import { PoseFlow } from "./poseFlow.ts";
import { floats, PoseStore } from "./poseStore.ts";
import type { ArrowLook, CameraFrame, CameraLook, FromPainter, Presence, Role, Size, ToPainter } from "./painterProtocol.ts";
import { openStage } from "./painterHost.ts";
import type { Stage } from "./painterHost.ts";
import { TipHandle } from "./tipHandle.ts";
import { Notice } from "./viewMessage.ts";

export type { BodyPose, CameraFrame, CameraLook, Drag, Look, MeshData, Presence, View, ViewOptions, ViewStats } from "./api.ts";
export { OVERVIEW } from "./api.ts";

/** Return a view of the cell, or of something beside it, which takes less of the time. */
export function createView(role: Role, label: string): View {
  return new CellView(role, label);
}

type FetchMesh = (hash: string) => Promise<MeshData>;

const OLD_PICTURE = "saturate(0.2) brightness(0.55)";
/** How much nearer a double click brings what is under it, and how near at most (m). */
const FOCUS = { nearer: 0.6, nearest: 0.35 };

class CellView implements View {
  readonly element: HTMLElement;
  private readonly stage: Stage;
  private readonly notice: Notice;
  private readonly cameraman = new Cameraman(() => this.sendCamera());
  private readonly flow = new PoseFlow((poses) => this.send({ type: "poses", poses }));
  private readonly shelf: MeshShelf;
  private readonly handle: TipHandle;
  private readonly endings: (() => void)[] = [];
  private readonly statsListeners: ((stats: ViewStats) => void)[] = [];
  private readonly dragListeners: ((drag: Drag) => void)[] = [];
  private readonly frameListeners: ((frame: CameraFrame) => void)[] = [];
  private stats: ViewStats = { fps: 0, drawMs: 0, scale: 1, software: false, seen: false, tick: -1, shown: -1, views: {}, problem: "" };
  private options: ViewOptions = {
    frames: true,
    chain: false,
    clearance: true,
    contacts: false,
    touched: false,
    names: false,
  };
  private scene: Scene | null = null;
  private fetchMesh: FetchMesh = () => Promise.reject(new Error("There is no scene."));
  private poses = new PoseStore(0);
  private ghosts = new GhostStore([], []);
  private bodies = new Map<string, number>();
  private draggable: string | null = null;
  private readonly companion = new Companion();
  /** The robot's camera that is looked through, if one is. */
  private large: CameraLook | null = null;
  /** Every body of this scene has been told of. */
  private sighted = false;
  /** The camera has been pointed at this cell. */
  private framed = false;
  /** Nothing can be drawn. */
  private blind = false;
  private trouble = "";

  constructor(role: Role, label: string) {
    this.element = makeElement(label);
    this.notice = new Notice(this.element);
    this.shelf = new MeshShelf(
      (hash, mesh) => this.send({ type: "mesh", hash, mesh }),
      () => this.meshesSettled(),
    );
    this.stage = openStage(this.element, role, () => sizeOf(this.element), (message) => this.hear(message));
    this.handle = new TipHandle(this.element, {
      orbit: () => this.cameraman.orbit,
      pane: () => this.pane(),
      show: (handle) => this.send({ type: "handle", handle }),
      emit: (drag) => this.dragListeners.forEach((listener) => listener(drag)),
    });
    const steered = {
      orbit: () => this.cameraman.orbit,
      pane: () => this.pane(),
      steer: (orbit: Cameraman["orbit"]) => this.cameraman.steer(orbit),
      focus: (x: number, y: number) => this.focus(x, y),
    };
    this.endings.push(attachControls(this.element, steered, (event) => this.handle.claim(event)));
    this.endings.push(watchSize(this.element, () => this.resized()));
    this.send({ type: "options", options: this.options });
    this.sendCamera();
  }

  setScene(scene: Scene, mesh: FetchMesh): void {
    const sameCell = this.scene?.cell === scene.cell;
    this.scene = scene;
    this.fetchMesh = mesh;
    this.poses = new PoseStore(scene.bodies.length);
    this.ghosts = new GhostStore(scene.robots, scene.bodies);
    this.bodies = new Map(scene.bodies.map((body, index) => [body.name, index]));
    this.cameraman.floor = floorOf(scene);
    if (!sameCell) this.cameraman.steered = false;
    this.framed = sameCell && this.framed;
    this.sighted = false;
    this.companion.lose();
    this.flow.clear();
    this.send({ type: "scene", scene: { bodies: scene.bodies, geoms: scene.geoms, robots: looksOf(scene.robots) } });
    this.shelf.keep(scene.geoms);
    this.wantMeshes();
    this.holdHandle();
    this.tell({});
  }

  update(update: Update): void {
    if (this.scene?.number !== update.scene) return;
    const moved = this.poses.take(update.moved);
    const contacts = this.options.contacts ? floats(update.contacts) : new Float32Array();
    const near = this.options.clearance ? nearLooks(update.robots) : [];
    const { tick, asleep } = update;
    this.flow.push({ tick, values: this.poses.values, asleep, contacts, near, changed: moved });
    const ghosts = this.ghosts.take(update.robots);
    if (ghosts !== null) this.send({ type: "ghosts", ghosts });
    if (!this.sighted && this.poses.complete) this.firstSight();
    else if (this.sighted && moved) this.goAlong();
  }

  setOptions(options: Partial<ViewOptions>): void {
    this.options = { ...this.options, ...options };
    this.send({ type: "options", options: this.options });
    this.wantMeshes();
  }

  look(from: Look): void {
    if (this.scene === null) return;
    this.cameraman.steered = from !== "home";
    this.cameraman.go(this.orbitOf(from));
  }

  setDraggable(robot: string | null): void {
    // Said again, it must not end a drag.
    if (robot === this.draggable) return;
    this.draggable = robot;
    this.holdHandle();
  }

  setDriven(driven: boolean): void {
    this.send({ type: "driven", driven });
  }

  setArrow(arrow: ArrowLook | null): void {
    this.send({ type: "arrow", arrow });
  }

  setCameras(cameras: readonly CameraLook[], overview: Presence): void {
    this.large = cameras.find((camera) => camera.large) ?? null;
    this.send({ type: "cameras", cameras, overview });
  }

  follow(robot: string | null): void {
    this.companion.follow(robot);
  }

  setDimmed(dimmed: boolean): void {
    this.element.style.filter = dimmed ? OLD_PICTURE : "";
  }

  onStats(listener: (stats: ViewStats) => void): void {
    this.statsListeners.push(listener);
    listener(this.stats);
  }

  onDrag(listener: (drag: Drag) => void): void {
    this.dragListeners.push(listener);
  }

  onFrame(listener: (frame: CameraFrame) => void): void {
    this.frameListeners.push(listener);
  }

  eyeIn(robot: string): [number, number, number, number] | null {
    const base = this.scene?.robots.find((other) => other.name === robot)?.base;
    const place = base === undefined ? null : this.poses.place(base.body, base.pose);
    const eye = this.eyeRotation();
    return place && eye && [...multiply(conjugate(place.rotation), eye)];
  }

  bodyPose(name: string): BodyPose | null {
    const body = this.bodies.get(name);
    const pose = body === undefined ? null : this.poses.pose(body);
    return pose && { position: [...pose.position], rotation: [...pose.rotation] };
  }

  dispose(): void {
    this.handle.dispose();
    this.cameraman.dispose();
    this.endings.forEach((end) => end());
    this.stage.dispose();
    this.element.remove();
    this.statsListeners.length = 0;
    this.dragListeners.length = 0;
    this.frameListeners.length = 0;
  }

  private holdHandle(): void {
    const info = this.scene?.robots.find((other) => other.name === this.draggable);
    // What cannot be seen must not be dragged.
    if (info === undefined || this.blind) {
      this.handle.hold(null);
      return;
    }
    this.handle.hold({
      robot: info.name,
      place: info.tip,
      tip: () => this.poses.place(info.tip.body, info.tip.pose),
      base: () => this.poses.place(info.base.body, info.base.pose),
    });
  }

  /** Return how what the operator looks through is turned in the world: the camera that is large, or the overview's eye. */
  private eyeRotation(): Quat | null {
    if (this.large === null) return rotation(this.cameraman.orbit);
    return this.poses.place(this.large.place.body, this.large.place.pose)?.rotation ?? null;
  }

  private send(message: ToPainter): void {
    this.stage.send(message);
  }

  private sendCamera(): void {
    const { orbit } = this.cameraman;
    this.send({ type: "camera", camera: { eye: eye(orbit), ...basis(orbit), distance: orbit.distance } });
  }

  private hear(message: FromPainter): void {
    switch (message.type) {
      case "ready":
        this.tell({ software: message.software });
        return;
      case "failed":
        this.trouble = message.reason;
        this.blind = true;
        this.holdHandle();
        this.notice.show(message.reason);
        this.tell({});
        return;
      case "problem":
        this.trouble = message.problem === "" ? "" : texts().view[message.problem];
        this.tell({});
        return;
      case "seen":
        this.tell({ seen: true });
        return;
      case "applied":
        this.flow.applied();
        this.tell({ tick: message.tick, shown: message.shown });
        return;
      case "frame":
        for (const listener of this.frameListeners) listener(message.frame);
        return;
      case "drawn":
        this.tell({ fps: message.fps, drawMs: message.drawMs, scale: message.scale, views: message.views });
        return;
    }
  }

  private tell(news: Partial<ViewStats>): void {
    this.stats = { ...this.stats, ...news, problem: this.trouble || this.shelf.problem };
    for (const listener of this.statsListeners) listener(this.stats);
  }

  /** Every body's place is known for the first time: say how far shadows reach, and show it all if it is a new cell. */
  private firstSight(): void {
    this.sighted = true;
    this.sendSurroundings();
    if (!this.framed) this.cameraman.jump(this.orbitOf("home"));
    this.framed = true;
  }

  /** Have the eye go along with a robot that drives, and the shadows with it. */
  private goAlong(): void {
    const base = this.scene?.robots.find((robot) => robot.name === this.companion.robot)?.base;
    const place = base === undefined || base.body < 0 ? null : this.poses.place(base.body, base.pose);
    const way = this.companion.step(place?.position ?? null);
    if (way === null) return;
    const { orbit } = this.cameraman;
    this.cameraman.shift(way);
    if (this.companion.strayed(orbit.distance)) this.sendSurroundings();
  }

  /** The last mesh is there: now it is known how large everything is. */
  private meshesSettled(): void {
    this.tell({});
    if (!this.sighted) return;
    this.sendSurroundings();
    if (!this.cameraman.steered) this.cameraman.go(this.orbitOf("home"));
  }

  private sendSurroundings(): void {
    this.send({ type: "surroundings", surroundings: ball(this.subject()) });
  }

  private resized(): void {
    this.send({ type: "size", size: sizeOf(this.element) });
    if (this.framed && !this.cameraman.steered) this.cameraman.jump(this.orbitOf("home"));
  }

  private wantMeshes(): void {
    const { scene, options } = this;
    if (scene === null) return;
    this.shelf.want(scene.geoms.filter((geom) => (options.touched ? geom.touched : geom.seen)), this.fetchMesh);
  }

  private focus(x: number, y: number): void {
    if (this.scene === null) return;
    const { orbit } = this.cameraman;
    const point = nearestShape(ray(orbit, this.pane(), x, y), this.scene, this.poses, this.shelf.bounds);
    if (point === null) {
      this.look("home");
      return;
    }
    const distance = Math.min(orbit.distance, Math.max(orbit.distance * FOCUS.nearer, FOCUS.nearest));
    this.cameraman.steered = true;
    this.cameraman.go({ ...orbit, target: point, distance });
  }

  private orbitOf(from: Look): Cameraman["orbit"] {
    return lookAt(from, this.subject(), this.tipPosition(), this.pane());
  }

  private subject(): ReturnType<typeof subjectOf> {
    return this.scene === null ? [] : subjectOf(this.scene, this.poses, this.shelf.bounds);
  }

  private tipPosition(): readonly [number, number, number] | null {
    const robots = this.scene?.robots ?? [];
    const robot = robots.find((other) => other.name === this.draggable) ?? robots[0];
    return robot === undefined ? null : (this.poses.place(robot.tip.body, robot.tip.pose)?.position ?? null);
  }

  private pane(): Pane {
    const { clientWidth, clientHeight } = this.element;
    return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
  }
}

/** Return what is drawn of robots beside their shapes; where there are several, each says whose base and tip it is. */
function looksOf(robots: readonly RobotInfo[]): Pick<RobotInfo, "name" | "base" | "tip" | "frames">[] {
  const called = (robot: string, place: Place): Place =>
    robots.length < 2 || place.name === "" ? place : { ...place, name: `${robot} ${place.name}` };
  return robots.map(({ name, base, tip, frames }) => ({ name, base: called(name, base), tip: called(name, tip), frames }));
}

function makeElement(label: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "view";
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", label);
  Object.assign(element.style, {
    position: "relative",
    width: "100%",
    height: "100%",
    overflow: "hidden",
    touchAction: "none",
    userSelect: "none",
  });
  return element;
}

function sizeOf(element: HTMLElement): Size {
  return {
    width: Math.max(element.clientWidth, 1),
    height: Math.max(element.clientHeight, 1),
    ratio: Math.min(Math.max(window.devicePixelRatio, 1), 2),
  };
}

/** Hear of every change of the element's size or of the screen's resolution. Returns how to end. */
function watchSize(element: HTMLElement, changed: () => void): () => void {
  const observer = new ResizeObserver(changed);
  observer.observe(element);
  window.addEventListener("resize", changed);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", changed);
  };
}
