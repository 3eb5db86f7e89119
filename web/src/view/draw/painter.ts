/** Keeps the scene graph by the page's messages, and draws a picture after changes when time allows. */

import { Matrix4, PCFShadowMap, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import type { ViewOptions } from "../api.ts";
import type { Quality } from "../drawBudget.ts";
import { FOV } from "../orbitCamera.ts";
import { OVERVIEW } from "../painterProtocol.ts";
import type { CameraPose, FromPainter, Poses, SceneLook, PictureSize, Surroundings, ToPainter } from "../painterProtocol.ts";
import { Arrow } from "./arrow.ts";
import { CLOCK } from "./drawClock.ts";
import { Contacts } from "./contacts.ts";
import { RobotFrames } from "./robotFrames.ts";
import { Ghosts } from "./ghosts.ts";
import { drawsInSoftware } from "./graphics.ts";
import { TipHandleShape } from "./tipHandleShape.ts";
import { Lights } from "./lights.ts";
import { ViewSet } from "./viewSet.ts";
import { ObjectNames } from "./objectNames.ts";
import { ClearanceOverlay } from "./clearanceOverlay.ts";
import { Pacer } from "./pacer.ts";
import type { PacedPainter } from "./pacer.ts";
import { Scenery, VIRTUAL } from "./scenery.ts";
import { Sky } from "./sky.ts";
import { Stopwatch } from "./stopwatch.ts";

const FAR_PLANE_M = 80;
const DEGREE = Math.PI / 180;

export class Painter implements PacedPainter {
  private readonly tell: (message: FromPainter) => void;
  private readonly renderer: WebGLRenderer;
  private readonly pacer: Pacer;
  private readonly wall: ViewSet;
  private readonly camera = new PerspectiveCamera(FOV / DEGREE, 1, 0.01, FAR_PLANE_M);
  private readonly world = new Scene();
  /** Marks that are drawn over the world. */
  private readonly overlay = new Scene();
  private readonly scenery = new Scenery();
  private readonly sky = new Sky();
  private readonly lights: Lights;
  private readonly frames = new RobotFrames();
  private readonly contacts = new Contacts();
  private readonly names = new ObjectNames();
  private readonly nearness = new ClearanceOverlay();
  private readonly handle = new TipHandleShape();
  private readonly ghosts = new Ghosts();
  private readonly arrow = new Arrow();
  private look: SceneLook = { bodies: [], geoms: [], robots: [] };
  private reach: Surroundings = { middle: [0, 0, 0.5], radius: 0.8 };
  private pose: CameraPose | null = null;
  private size: PictureSize;
  /** The poses of this scene are known; nothing is drawn before. */
  private placed = false;
  /** A picture of a cell has been drawn. */
  private seen = false;
  /** Shapes moved since the shadows were last cast. */
  private moved = true;
  /** Newest tick that was applied, that needs a picture, that is being drawn, and that is shown. */
  private readonly ticks = { taken: -1, due: -1, painting: -1, shown: -1 };
  /** Manners of drawing whose shaders are compiled. */
  private readonly prepared = new Set<string>();
  private readonly pulse: ReturnType<typeof setInterval>;

  /** Draw within a share of the time; raise an error where WebGL is missing. */
  constructor(canvas: OffscreenCanvas | HTMLCanvasElement, size: PictureSize, share: number, tell: (message: FromPainter) => void) {
    this.tell = tell;
    this.size = size;
    const plain = canvas as HTMLCanvasElement; // both kinds offer the same here
    const gl = plain.getContext("webgl2", { alpha: false, antialias: true, powerPreference: "high-performance" });
    if (gl === null) throw new Error("There is no WebGL.");
    this.renderer = new WebGLRenderer({ canvas: plain, context: gl });
    const software = drawsInSoftware(gl);
    this.lights = new Lights(software);
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    // Checking for errors would wait for every shader; tests would see a shader that draws nothing.
    this.renderer.debug.checkShaderErrors = false;
    this.wall = new ViewSet(software, this.renderer, (frame) => tell({ type: "frame", frame }));
    this.pacer = new Pacer(software, share, new Stopwatch(gl, CLOCK), this, CLOCK);
    this.world.add(this.lights.root, this.scenery.root, this.sky.mesh, this.ghosts.root);
    this.overlay.add(this.frames.root, this.contacts.points, this.nearness.root, this.names.root);
    this.overlay.add(this.handle.root, this.arrow.root);
    this.camera.matrixAutoUpdate = false;
    this.camera.layers.enable(VIRTUAL);
    this.watchLoss(canvas);
    this.pulse = setInterval(() => tell({ type: "drawn", ...this.pacer.report(), views: this.wall.rates() }), 1000);
    tell({ type: "ready", software });
  }

  receive(message: ToPainter): void {
    switch (message.type) {
      case "size":
        this.size = message.size;
        break;
      case "scene":
        this.setScene(message.scene);
        break;
      case "surroundings":
        this.reach = message.surroundings;
        this.lights.reach(this.reach);
        this.frames.set(this.look.robots, this.scenery, this.reach.radius);
        this.moved = true;
        break;
      case "mesh":
        this.scenery.addMesh(message.hash, message.mesh);
        break;
      case "poses":
        if (!this.place(message.poses)) return;
        break;
      case "ghosts":
        this.ghosts.set(message.ghosts, this.scenery);
        break;
      case "camera":
        this.pose = message.camera;
        break;
      case "cameras":
        this.wall.set(message.cameras, message.overview);
        break;
      case "options":
        this.setOptions(message.options);
        break;
      case "driven":
        this.pacer.hurry(message.driven);
        return;
      case "handle":
        this.handle.set(message.handle, this.scenery);
        break;
      case "arrow":
        this.arrow.set(message.arrow);
        break;
    }
    this.change();
  }

  private change(): void {
    if (!this.placed) return;
    this.wall.change();
    this.pacer.change();
  }

  lively(): boolean {
    return this.wall.pixels() !== null;
  }

  pixels(): number {
    return this.wall.pixels() ?? this.size.width * this.size.height * this.size.ratio ** 2;
  }

  /** Compile the shaders before they are needed: waiting for them in mid-picture would block drawing. */
  prepare({ fine, shadows }: Quality): Promise<void> | null {
    const manner = `${fine} ${shadows}`;
    if (this.prepared.has(manner)) return null;
    this.prepared.add(manner);
    this.dress(fine, shadows);
    return this.compile();
  }

  paint({ scale, fine, shadows }: Quality, all: boolean): boolean {
    this.ticks.painting = this.ticks.taken;
    this.dress(fine, shadows);
    if (shadows && this.moved) {
      this.renderer.shadowMap.needsUpdate = true;
      this.moved = false;
    }
    for (const view of this.wall.next(all)) {
      if (view === OVERVIEW) this.drawOverview(scale);
      else this.wall.shoot(view, this.world, this.scenery, this.sky, scale);
    }
    return this.wall.more;
  }

  /** Draw the overview. */
  private drawOverview(scale: number): void {
    this.fit(scale);
    this.aim();
    this.renderer.clear();
    this.renderer.render(this.world, this.camera);
    this.renderer.clearDepth();
    this.renderer.render(this.overlay, this.camera);
  }

  /** Report the first picture: without a graphics card it takes a while. */
  drawn(ms: number): void {
    this.wall.spent(ms);
    this.ticks.shown = this.ticks.painting;
    if (this.seen) return;
    this.seen = true;
    this.tell({ type: "seen" });
  }

  dispose(): void {
    clearInterval(this.pulse);
    this.pacer.dispose();
    const shapes = [this.wall, this.ghosts, this.scenery, this.sky, this.lights];
    const marks = [this.frames, this.contacts, this.nearness, this.names, this.handle, this.arrow];
    for (const part of [...shapes, ...marks]) part.dispose();
    this.renderer.dispose();
  }

  private setScene(look: SceneLook): void {
    this.look = look;
    this.scenery.setScene(look);
    this.ghosts.set([], this.scenery);
    this.names.set(look);
    this.frames.set(look.robots, this.scenery, this.reach.radius);
    this.contacts.set(new Float32Array());
    this.nearness.setRobots(look.robots);
    this.prepared.clear();
    this.placed = false;
    this.moved = true;
  }

  private setOptions(options: ViewOptions): void {
    this.frames.show(options.frames, options.chain);
    this.contacts.points.visible = options.contacts;
    this.nearness.root.visible = options.clearance;
    this.names.root.visible = options.names;
    this.names.follow(this.scenery);
    this.scenery.setTouched(options.touched);
    this.moved = true;
  }

  /** Apply poses, report that, and return whether a picture is due. */
  private place(poses: Poses): boolean {
    this.placed = true;
    if (poses.changed) {
      this.scenery.place(poses.values);
      this.frames.follow(this.scenery);
      this.handle.follow(this.scenery);
      this.nearness.follow(this.scenery);
      this.names.follow(this.scenery);
      this.moved = true;
    }
    const slept = this.scenery.setAsleep(poses.asleep);
    const touched = this.contacts.set(poses.contacts) && this.contacts.points.visible;
    const neared = this.nearness.set(poses.near);
    const due = poses.changed || slept || touched || neared;
    const { ticks } = this;
    ticks.taken = poses.tick;
    if (due) ticks.due = poses.tick;
    else if (this.seen && ticks.due <= ticks.shown) ticks.shown = poses.tick; // the picture shown is still right
    this.tell({ type: "applied", tick: poses.tick, shown: ticks.shown });
    return due;
  }

  private dress(fine: boolean, shadows: boolean): void {
    if (this.scenery.refresh()) {
      this.ghosts.dress(this.scenery);
      this.moved = true;
    }
    this.scenery.setManner(fine ? "fine" : "quick");
    this.lights.cast(shadows);
  }

  private async compile(): Promise<void> {
    const waits = this.renderer.extensions.has("KHR_parallel_shader_compile");
    for (const scene of [this.world, this.overlay]) {
      if (waits) await this.renderer.compileAsync(scene, this.camera);
      else this.renderer.compile(scene, this.camera);
    }
    for (const program of this.renderer.info.programs ?? []) {
      program.getUniforms();
      program.getAttributes();
    }
  }

  /** Fit the picture to the window, at a share of its resolution. */
  private fit(scale: number): void {
    const { width, height, ratio } = this.size;
    const [w, h] = [Math.max(1, Math.round(width * ratio * scale)), Math.max(1, Math.round(height * ratio * scale))];
    const now = this.renderer.domElement;
    if (now.width !== w || now.height !== h) this.renderer.setSize(w, h, false);
    const pixel = this.pixel();
    this.names.resize(pixel);
    this.handle.resize(pixel);
    this.contacts.resize(ratio * scale);
  }

  /** Return the size of a CSS pixel at a distance of one metre, m. */
  private pixel(): number {
    return (2 * Math.tan(FOV / 2)) / this.size.height;
  }

  private aim(): void {
    const { pose, camera } = this;
    if (pose === null) return;
    const [eye, right] = [new Vector3(...pose.eye), new Vector3(...pose.right)];
    const [up, forward] = [new Vector3(...pose.up), new Vector3(...pose.forward)];
    camera.matrix.copy(new Matrix4().makeBasis(right, up, forward.clone().negate()).setPosition(eye));
    camera.matrix.decompose(camera.position, camera.quaternion, camera.scale);
    camera.matrixWorldNeedsUpdate = true;
    const sight = { eye, right, up, forward, pixel: this.pixel() };
    this.frames.face(sight);
    const { width, height } = this.size;
    this.nearness.face(sight, { ratio: this.renderer.domElement.width / width, height });
    camera.aspect = this.size.width / this.size.height;
    camera.near = Math.min(Math.max(pose.distance * 0.02, 0.005), 0.2);
    camera.updateProjectionMatrix();
    const tall = Math.tan(FOV / 2);
    this.sky.aim(pose, tall * camera.aspect, tall);
  }

  private watchLoss(canvas: OffscreenCanvas | HTMLCanvasElement): void {
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.tell({ type: "problem", problem: "contextLost" });
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.moved = true;
      this.tell({ type: "problem", problem: "" });
      this.change();
    });
  }
}
