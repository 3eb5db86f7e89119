/** The console: all parts of the page, built once and bound together here. */

import { computed, effect, signal } from "@preact/signals";
import { texts } from "../language/language.ts";
import type { ToPage } from "../wire.gen.ts";
import { createView, OVERVIEW, type View, type ViewStats } from "../view/index.ts";
import { CAMERA_KEYS, type Action } from "../hand/axesAndActions.ts";
import { whenLeft } from "../hand/operatorLeft.ts";
import { KeyStore } from "../hand/keyStore.ts";
import { PadStore } from "../hand/padStore.ts";
import { Commands } from "../link/commands.ts";
import { browserTransport, Link } from "../link/connection.ts";
import { meshes } from "../link/fetchMesh.ts";
import { Plots } from "../plots/plots.ts";
import { browserSpeakers, Tone } from "../sound/tone.ts";
import { PageState, type Dialog } from "../state/pageState.ts";
import { cellOf, robotNow } from "../state/selectors.ts";
import { isBoolean, type Settings } from "../state/settings.ts";
import { Store } from "../state/store.ts";
import { aimable, cameraStates, nextOf, panesOf, type CameraState, type Pane } from "../state/cameraWall.ts";
import { asking } from "../state/status.ts";
import { BrowserMicrophone } from "../voice/microphone.ts";
import { PushToTalk } from "../voice/pushToTalk.ts";
import { Actions } from "./actions.ts";
import { CameraAimer, type AimedCamera } from "./cameraAimer.ts";
import { ControlRequests } from "./controlRequests.ts";
import { Devices } from "./devices.ts";
import { startLinkMonitor } from "./linkMonitor.ts";
import { CameraCanvases } from "./cameraCanvases.ts";
import { Playback } from "./playback.ts";
import { Toasts } from "./toasts.ts";
import { bindTone } from "./bindTone.ts";
import { bindView } from "./bindView.ts";
import { bindCameras } from "./bindCameras.ts";

const CLOCK_EVERY_MS = 100;
/** Actions that a replay does not offer. */
const DRIVING: ReadonlySet<Action> = new Set<Action>([
  "talk",
  "reset",
  "home",
  "free",
  "mapping",
  "drive",
  "flippers",
  "arm",
  "park",
  "scale",
  "slower",
  "faster",
]);

export interface Identity {
  readonly token: string;
  readonly client: string;
  /** The operator's language, as the server takes it. */
  readonly language: string;
  /** Fragment of the page's address, which may name a moment of a replay. */
  readonly hash: string;
  /** The server has accepted this page. */
  accepted(): void;
}

export class Console {
  readonly store = new Store(performance.now());
  readonly toasts = new Toasts();
  readonly view: View = createView("main", texts().view.cell);
  readonly tone = new Tone(browserSpeakers(window));
  readonly page: PageState;
  readonly keys: KeyStore;
  readonly padStore: PadStore;
  readonly plots: Plots;
  readonly actions: Actions;
  readonly playback: Playback;
  readonly devices: Devices;
  readonly canvases = new CameraCanvases();
  readonly aimer: CameraAimer;
  readonly talk: PushToTalk;
  /** The cameras' state as text: equal text counts as unchanged. */
  private readonly cameraStates = computed(() => cameraStates(this.store.shown.value?.cameras ?? []));
  /** The pictures of the camera wall. */
  readonly panes = computed(() => this.cameraPanes());
  /** Figures about drawing; null before the first picture. */
  readonly stats = signal<ViewStats | null>(null);
  /** True once there is a picture of the cell; separate from `stats`, which change with every picture. */
  readonly seen = computed(() => this.stats.value?.seen === true);
  /** This page has asked for control and waits. */
  private asked = false;
  private readonly link: Link;
  private readonly commands: Commands;
  private readonly controlRequests: ControlRequests;

  constructor(
    private readonly identity: Identity,
    private readonly settings: Settings,
  ) {
    const send = (message: Parameters<Link["send"]>[0]): boolean => this.link.send(message);
    this.page = new PageState(settings);
    this.keys = new KeyStore(settings);
    this.padStore = new PadStore(settings);
    this.link = this.makeLink();
    this.commands = new Commands(send);
    this.controlRequests = new ControlRequests(send);
    this.playback = new Playback(this.store, send, identity.hash);
    this.actions = new Actions(this.store, this.commands, send, this.toasts, () => this.devices.letGo());
    this.aimer = new CameraAimer(
      () => this.aimed(),
      (robot, camera, heading) => this.actions.aim(robot, camera, heading),
    );
    this.talk = new PushToTalk(new BrowserMicrophone(), {
      robot: () => this.store.robot.value,
      now: () => performance.now(),
      used: () => settings.save("voice", true),
      sendSpare: (message) => this.link.sendSpare(message),
    });
    this.plots = new Plots(this.store, settings, send);
    this.devices = this.makeDevices();
  }

  /** Connect, and react to the operator from now on. */
  start(): void {
    this.hearReplayKeys();
    this.devices.start();
    whenLeft(window, document, () => this.talk.cancel());
    bindView(this.view, this.store, this.page, this.devices, this.stats);
    bindCameras(this.view, this.store, this.panes, this.canvases);
    bindTone(this.tone, this.store, this.page, document);
    effect(() => this.controlRequests.update(this.store.model.value, this.store.robot.value));
    effect(() => this.tellRefusal());
    setInterval(() => {
      this.store.clock.value = performance.now();
    }, CLOCK_EVERY_MS);
    startLinkMonitor(this.store, this.link, this.commands, () => performance.now());
    this.link.start();
  }

  /** The token that pictures are fetched with. */
  get token(): string {
    return this.identity.token;
  }

  /** Return the round trip to the cell, ms; null without an answer. */
  ping(): Promise<number | null> {
    return this.commands.ping(() => performance.now());
  }

  /** Show another cell. */
  watch(cell: string): void {
    this.devices.leadAlone(false);
    this.controlRequests.renewed();
    this.store.notice({ type: "watching", cell });
    this.link.send({ type: "Watch", cell });
  }

  /** Show and drive another robot. */
  pick(robot: string): void {
    this.devices.leadAlone(false);
    this.store.picked.value = robot;
  }

  ask(): void {
    this.controlRequests.wants(this.store.robot.value);
    this.actions.ask();
  }

  releaseControl(): void {
    this.asked = false;
    this.controlRequests.declines(this.store.robot.value);
    this.actions.releaseControl();
  }

  /** Open or close a dialog; everything held is released. */
  open(dialog: Dialog): void {
    this.devices.letGo();
    this.page.dialog.value = dialog;
  }

  act(action: Action): void {
    if (this.store.replay.value !== null && DRIVING.has(action)) return;
    switch (action) {
      case "talk": // held, not pressed
        return;
      case "reset":
        if (this.store.latched.value) this.actions.reset();
        return;
      case "home":
        return this.actions.home();
      case "free":
        return this.actions.backOut();
      case "mapping":
        return this.actions.nextMapping();
      case "drive":
      case "flippers":
      case "arm":
        return this.actions.mode(action);
      case "park":
        return this.actions.park();
      case "scale":
        return this.actions.nextScale();
      case "slower":
        return this.actions.speed(-1);
      case "faster":
        return this.actions.speed(1);
      case "overview":
        return this.page.setLarge(OVERVIEW);
      case "cameras-only":
        return this.page.setCamerasOnly(!this.page.camerasOnly.value);
      case "pan-left":
      case "pan-right":
      case "tilt-up":
      case "tilt-down":
      case "zoom-in":
      case "zoom-out":
        return this.aimer.step(action);
      case "camera:0":
      case "camera:1":
      case "camera:2":
      case "camera:3":
      case "camera:4":
      case "camera:5":
        return this.enlarge(CAMERA_KEYS.indexOf(action));
      case "camera-next":
        return this.page.setLarge(nextOf(this.panes.value));
      case "plots":
        return this.page.setPlots(this.page.plots.value === "large" ? "small" : "large");
      case "log":
        return this.page.toggleLog();
    }
  }

  /** Show a camera of the robot large, by its number. */
  private enlarge(index: number): void {
    const camera = this.store.info.value?.cameras[index];
    if (camera !== undefined) this.page.setLarge(camera.name);
  }

  private cameraPanes(): readonly Pane[] {
    const { store, page } = this;
    const choice = { large: page.large.value, camerasOnly: page.camerasOnly.value, exam: store.exam.value };
    return panesOf(store.info.value, JSON.parse(this.cameraStates.value) as CameraState[], choice);
  }

  /** Return the camera that is shown large, if this page may aim its head. */
  private aimed(): AimedCamera | null {
    const { model, robot, commanding, info } = this.store;
    const camera = this.panes.value.find((pane) => pane.large)?.camera ?? null;
    const index = info.value?.cameras.findIndex((each) => each.name === camera?.name) ?? -1;
    const now = robotNow(model.value, robot.value)?.cameras[index];
    if (camera === null || now === undefined || !aimable(camera) || !commanding.value) return null;
    return { robot: robot.value, camera, now };
  }

  private escape(): void {
    if (this.page.dialog.value !== "") this.page.dialog.value = "";
    else this.page.drawer.value = "";
  }

  private heard(message: ToPage): void {
    this.store.heard(message, performance.now());
    switch (message.type) {
      case "Welcome":
        this.identity.accepted();
        return this.welcomed();
      case "Scene":
        if (this.store.scene.value !== message) return;
        this.playback.began();
        return this.view.setScene(message, meshes(message.cell, this.identity.token));
      case "Update":
        if (message.playback !== null) this.playback.heard(message.playback.moment);
        return this.view.update(message);
      case "Signals":
        return this.plots.heard(message);
      case "Answer":
        // Without a number it answers no command: it is a message to the operator.
        if (message.id === 0) this.toasts.show(message.text);
        return this.commands.answered(message);
      case "SpeechResult":
        return this.talk.heard(message);
      default:
        return;
    }
  }

  /** Return to the watched cell, or show the first one. */
  private welcomed(): void {
    this.controlRequests.renewed();
    const model = this.store.model.value;
    const cell = cellOf(model)?.name ?? model.cells[0]?.name;
    if (cell === undefined) return;
    this.store.notice({ type: "watching", cell });
    this.link.send({ type: "Watch", cell });
    if (this.settings.load("voice", isBoolean) === true) this.talk.prepare();
  }

  private lost(): void {
    this.store.notice({ type: "lost" });
    this.commands.lost();
    this.talk.lost();
    this.devices.letGo();
  }

  /** Tell an operator who asked for control, once, that the holder keeps it. */
  private tellRefusal(): void {
    const { store } = this;
    const asked = asking(store.model.value, store.robot.value);
    if (this.asked && !asked && !store.mine.value && store.lease.value !== null) {
      this.toasts.show(texts().control.kept(store.lease.value.name));
    }
    this.asked = asked;
  }

  /** Hear the keys of a replay before those that drive, except in fields that take text. */
  private hearReplayKeys(): void {
    const hear = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (this.store.replay.value === null || this.page.dialog.value !== "" || typing || !this.playback.key(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("keydown", hear, { capture: true });
    // A button under the focus would be pressed when Space is let go of.
    const leave = (event: KeyboardEvent): void => {
      if (this.store.replay.value !== null && event.code === "Space" && event.target instanceof HTMLButtonElement) event.preventDefault();
    };
    addEventListener("keyup", leave, { capture: true });
    addEventListener("hashchange", () => this.playback.follow(location.hash));
  }

  private makeLink(): Link {
    const listener = {
      opening: () => this.store.notice({ type: "opening" }),
      message: (message: ToPage) => this.heard(message),
      lost: () => this.lost(),
    };
    return new Link(this.identity, listener, browserTransport(location));
  }

  private makeDevices(): Devices {
    const { store, keys, padStore, commands } = this;
    return new Devices({
      store,
      keys,
      padStore,
      commands,
      sendFresh: (message) => this.link.sendFresh(message),
      dialogOpen: () => this.page.dialog.value !== "",
      eyeIn: (robot) => this.view.eyeIn(robot),
      // A page without a picture names none: it may drive by the figures.
      shown: () => (store.exam.value ? -1 : (this.stats.value?.shown ?? -1)),
      tell: (text) => this.toasts.show(text),
      stop: () => (this.store.replay.value === null ? void this.actions.stop() : undefined),
      act: (action) => this.act(action),
      talk: (held) => (held && this.store.replay.value === null ? void this.talk.press() : this.talk.release()),
      help: () => (this.store.replay.value === null ? this.open("keys") : undefined),
      escape: () => this.escape(),
    });
  }
}
