/** The 3D view: draws a cell in a worker, steers the camera, and handles drags of the tip. */

import { texts } from "../language/language.ts";
import type { Place, RobotInfo, Scene, Update } from "../wire.gen.ts";
import type { BodyPose, Drag, Look, MeshData, View, ViewOptions, ViewStats } from "./api.ts";
import { basis, eye, ray, rotation } from "./orbitCamera.ts";
import type { Viewport } from "./orbitCamera.ts";
import { OrbitAnimator } from "./orbitAnimator.ts";
import { attachControls } from "./orbitControls.ts";
import { ball, lookAt, subjectOf } from "./framing.ts";
import { floorOf } from "./floorHeight.ts";
import { RobotFollower } from "./robotFollower.ts";
import { conjugate, multiply } from "./math.ts";
import type { Quat } from "./math.ts";
import { GhostStore } from "./ghostStore.ts";
import { MeshStore } from "./meshStore.ts";
import { nearLooks } from "./clearanceLines.ts";
import { nearestShape } from "./picking.ts";
import { PoseFlow } from "./poseFlow.ts";
import { floats, PoseStore } from "./poseStore.ts";
import type { ArrowLook, CameraFrame, CameraLook, FromPainter, Presence, Role, PictureSize, ToPainter } from "./painterProtocol.ts";
import { openPainter } from "./painterHost.ts";
import type { PainterHost } from "./painterHost.ts";
import { TipHandle } from "./tipHandle.ts";
import { ViewMessage } from "./viewMessage.ts";

export type { BodyPose, CameraFrame, CameraLook, Drag, Look, MeshData, Presence, View, ViewOptions, ViewStats } from "./api.ts";
export { OVERVIEW } from "./api.ts";

/** Return a view; one with the role "side" takes less of the drawing time. */
export function createView(role: Role, label: string): View {
  return new CellView(role, label);
}

type FetchMesh = (hash: string) => Promise<MeshData>;

const OLD_PICTURE = "saturate(0.2) brightness(0.55)";
/** Share of the distance after a double click, and the nearest distance, m. */
const FOCUS = { nearer: 0.6, nearest: 0.35 };

class CellView implements View {
  readonly element: HTMLElement;
  private readonly painter: PainterHost;
  private readonly message: ViewMessage;
  private readonly camera = new OrbitAnimator(() => this.sendCamera());
  private readonly flow = new PoseFlow((poses) => this.send({ type: "poses", poses }));
  private readonly meshes: MeshStore;
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
  private readonly follower = new RobotFollower();
  /** The robot's camera that is shown large, if there is one. */
  private large: CameraLook | null = null;
  /** The pose of every body of this scene is known. */
  private complete = false;
  /** The camera has framed this cell. */
  private framed = false;
  /** Drawing has failed. */
  private failed = false;
  private problem = "";

  constructor(role: Role, label: string) {
    this.element = makeElement(label);
    this.message = new ViewMessage(this.element);
    this.meshes = new MeshStore(
      (hash, mesh) => this.send({ type: "mesh", hash, mesh }),
      () => this.meshesSettled(),
    );
    this.painter = openPainter(this.element, role, () => sizeOf(this.element), (message) => this.hear(message));
    this.handle = new TipHandle(this.element, {
      orbit: () => this.camera.orbit,
      viewport: () => this.viewport(),
      show: (handle) => this.send({ type: "handle", handle }),
      emit: (drag) => this.dragListeners.forEach((listener) => listener(drag)),
    });
    const steered = {
      orbit: () => this.camera.orbit,
      viewport: () => this.viewport(),
      steer: (orbit: OrbitAnimator["orbit"]) => this.camera.steer(orbit),
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
    this.camera.floor = floorOf(scene);
    if (!sameCell) this.camera.steered = false;
    this.framed = sameCell && this.framed;
    this.complete = false;
    this.follower.lose();
    this.flow.clear();
    this.send({ type: "scene", scene: { bodies: scene.bodies, geoms: scene.geoms, robots: looksOf(scene.robots) } });
    this.meshes.keep(scene.geoms);
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
    if (!this.complete && this.poses.complete) this.firstPoses();
    else if (this.complete && moved) this.followRobot();
  }

  setOptions(options: Partial<ViewOptions>): void {
    this.options = { ...this.options, ...options };
    this.send({ type: "options", options: this.options });
    this.wantMeshes();
  }

  look(from: Look): void {
    if (this.scene === null) return;
    this.camera.steered = from !== "home";
    this.camera.go(this.orbitOf(from));
  }

  setDraggable(robot: string | null): void {
    // The same robot again must not end a drag.
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
    this.follower.follow(robot);
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
    this.camera.dispose();
    this.endings.forEach((end) => end());
    this.painter.dispose();
    this.element.remove();
    this.statsListeners.length = 0;
    this.dragListeners.length = 0;
    this.frameListeners.length = 0;
  }

  private holdHandle(): void {
    const info = this.scene?.robots.find((other) => other.name === this.draggable);
    // Without a picture nothing may be dragged.
    if (info === undefined || this.failed) {
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

  /** Return the rotation in the world of the large camera, or of the overview's eye. */
  private eyeRotation(): Quat | null {
    if (this.large === null) return rotation(this.camera.orbit);
    return this.poses.place(this.large.place.body, this.large.place.pose)?.rotation ?? null;
  }

  private send(message: ToPainter): void {
    this.painter.send(message);
  }

  private sendCamera(): void {
    const { orbit } = this.camera;
    this.send({ type: "camera", camera: { eye: eye(orbit), ...basis(orbit), distance: orbit.distance } });
  }

  private hear(message: FromPainter): void {
    switch (message.type) {
      case "ready":
        this.tell({ software: message.software });
        return;
      case "failed":
        this.problem = message.reason;
        this.failed = true;
        this.holdHandle();
        this.message.show(message.reason);
        this.tell({});
        return;
      case "problem":
        this.problem = message.problem === "" ? "" : texts().view[message.problem];
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
    this.stats = { ...this.stats, ...news, problem: this.problem || this.meshes.problem };
    for (const listener of this.statsListeners) listener(this.stats);
  }

  /** All poses are known for the first time: set the reach of the shadows, and frame a new cell. */
  private firstPoses(): void {
    this.complete = true;
    this.sendSurroundings();
    if (!this.framed) this.camera.jump(this.orbitOf("home"));
    this.framed = true;
  }

  /** Move the camera and the shadows along with a robot that drives. */
  private followRobot(): void {
    const base = this.scene?.robots.find((robot) => robot.name === this.follower.robot)?.base;
    const place = base === undefined || base.body < 0 ? null : this.poses.place(base.body, base.pose);
    const shift = this.follower.step(place?.position ?? null);
    if (shift === null) return;
    const { orbit } = this.camera;
    this.camera.shift(shift);
    if (this.follower.strayed(orbit.distance)) this.sendSurroundings();
  }

  /** The last mesh has arrived: the sizes of all shapes are known. */
  private meshesSettled(): void {
    this.tell({});
    if (!this.complete) return;
    this.sendSurroundings();
    if (!this.camera.steered) this.camera.go(this.orbitOf("home"));
  }

  private sendSurroundings(): void {
    this.send({ type: "surroundings", surroundings: ball(this.subject()) });
  }

  private resized(): void {
    this.send({ type: "size", size: sizeOf(this.element) });
    if (this.framed && !this.camera.steered) this.camera.jump(this.orbitOf("home"));
  }

  private wantMeshes(): void {
    const { scene, options } = this;
    if (scene === null) return;
    this.meshes.want(scene.geoms.filter((geom) => (options.touched ? geom.touched : geom.seen)), this.fetchMesh);
  }

  private focus(x: number, y: number): void {
    if (this.scene === null) return;
    const { orbit } = this.camera;
    const point = nearestShape(ray(orbit, this.viewport(), x, y), this.scene, this.poses, this.meshes.bounds);
    if (point === null) {
      this.look("home");
      return;
    }
    const distance = Math.min(orbit.distance, Math.max(orbit.distance * FOCUS.nearer, FOCUS.nearest));
    this.camera.steered = true;
    this.camera.go({ ...orbit, target: point, distance });
  }

  private orbitOf(from: Look): OrbitAnimator["orbit"] {
    return lookAt(from, this.subject(), this.tipPosition(), this.viewport());
  }

  private subject(): ReturnType<typeof subjectOf> {
    return this.scene === null ? [] : subjectOf(this.scene, this.poses, this.meshes.bounds);
  }

  private tipPosition(): readonly [number, number, number] | null {
    const robots = this.scene?.robots ?? [];
    const robot = robots.find((other) => other.name === this.draggable) ?? robots[0];
    return robot === undefined ? null : (this.poses.place(robot.tip.body, robot.tip.pose)?.position ?? null);
  }

  private viewport(): Viewport {
    const { clientWidth, clientHeight } = this.element;
    return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
  }
}

/** Return the frames of the robots; where there are several, their labels include the robot's name. */
function looksOf(robots: readonly RobotInfo[]): Pick<RobotInfo, "name" | "base" | "tip" | "frames">[] {
  const labelled = (robot: string, place: Place): Place =>
    robots.length < 2 || place.name === "" ? place : { ...place, name: `${robot} ${place.name}` };
  return robots.map(({ name, base, tip, frames }) => ({ name, base: labelled(name, base), tip: labelled(name, tip), frames }));
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

function sizeOf(element: HTMLElement): PictureSize {
  return {
    width: Math.max(element.clientWidth, 1),
    height: Math.max(element.clientHeight, 1),
    ratio: Math.min(Math.max(window.devicePixelRatio, 1), 2),
  };
}

/** Call `changed` at every change of the element's size or of the screen; return the function that ends it. */
function watchSize(element: HTMLElement, changed: () => void): () => void {
  const observer = new ResizeObserver(changed);
  observer.observe(element);
  window.addEventListener("resize", changed);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", changed);
  };
}
