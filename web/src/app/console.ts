/** The console: all parts of the page, made once and tied together here. */

import { computed, effect, signal } from "@preact/signals";
import type { ToPage } from "../wire.gen.ts";
import { createView, OVERVIEW, type View, type ViewStats } from "../view/index.ts";
import { CAMERA_KEYS, type Action } from "../hand/axesAndActions.ts";
import { whenLeft } from "../hand/operatorLeft.ts";
import { KeyStore } from "../hand/keyStore.ts";
import { PadStore } from "../hand/padStore.ts";
import { Commands } from "../link/commands.ts";
import { browserSurroundings, Link } from "../link/connection.ts";
import { meshes } from "../link/fetchMesh.ts";
import { Plots } from "../plots/plots.ts";
import { browserSpeakers, Tone } from "../sound/tone.ts";
import { PageLook, type Dialog } from "../state/pageState.ts";
import { cellOf, robotNow } from "../state/selectors.ts";
import { isBoolean, type Settings } from "../state/settings.ts";
import { Store } from "../state/store.ts";
import { aimable, headsOf, nextOf, panesOf, type Head, type Pane } from "../state/cameraWall.ts";
import { asking } from "../state/status.ts";
import { BrowserMicrophone } from "../voice/microphone.ts";
import { Talk } from "../voice/pushToTalk.ts";
import { Actions } from "./actions.ts";
import { Aimer, type Aimed } from "./cameraAimer.ts";
import { Asker } from "./controlRequests.ts";
import { Devices } from "./devices.ts";
import { startPulse } from "./linkMonitor.ts";
import { Screens } from "./cameraCanvases.ts";
import { Toasts } from "./toasts.ts";
import { tieTone } from "./bindTone.ts";
import { tieView } from "./bindView.ts";
import { tieWall } from "./bindCameras.ts";

const CLOCK_EVERY = 100;

export interface Identity {
  readonly token: string;
  readonly client: string;
  /** The language that notes are read in. */
  readonly language: string;
  /** The server has let us in. */
  accepted(): void;
}

export class Console {
  readonly store = new Store(performance.now());
  readonly toasts = new Toasts();
  readonly view: View = createView();
  readonly tone = new Tone(browserSpeakers(window));
  readonly look: PageLook;
  readonly keys: KeyStore;
  readonly padStore: PadStore;
  readonly plots: Plots;
  readonly actions: Actions;
  readonly devices: Devices;
  readonly screens = new Screens();
  readonly aimer: Aimer;
  readonly talk: Talk;
  /** What counts of the cameras' state, as text: the same text counts as unchanged. */
  private readonly heads = computed(() => headsOf(this.store.shown.value?.cameras ?? []));
  /** The pictures in front of the operator. */
  readonly panes = computed(() => this.hang());
  /** How drawing goes; null before the first picture. */
  readonly stats = signal<ViewStats | null>(null);
  /** A picture of the cell is there. By itself, because how drawing goes changes with every picture. */
  readonly seen = computed(() => this.stats.value?.seen === true);
  /** This page waits for control. */
  private asked = false;
  private readonly link: Link;
  private readonly commands: Commands;
  private readonly asker: Asker;

  constructor(
    private readonly identity: Identity,
    private readonly settings: Settings,
  ) {
    const send = (message: Parameters<Link["send"]>[0]): boolean => this.link.send(message);
    this.look = new PageLook(settings);
    this.keys = new KeyStore(settings);
    this.padStore = new PadStore(settings);
    this.link = this.makeLink();
    this.commands = new Commands(send);
    this.asker = new Asker(send);
    this.actions = new Actions(this.store, this.commands, send, this.toasts, () => this.devices.letGo());
    this.aimer = new Aimer(
      () => this.aimed(),
      (robot, camera, heading) => this.actions.aim(robot, camera, heading),
    );
    this.talk = new Talk(new BrowserMicrophone(), {
      robot: () => this.store.robot.value,
      now: () => performance.now(),
      used: () => settings.save("voice", true),
      sendSpare: (message) => this.link.sendSpare(message),
    });
    this.plots = new Plots(this.store, settings, send);
    this.devices = this.makeDevices();
  }

  /** Connect, and listen to the operator from now on. */
  start(): void {
    this.devices.start();
    whenLeft(window, document, () => this.talk.cancel());
    tieView(this.view, this.store, this.look, this.devices, this.stats);
    tieWall(this.view, this.store, this.panes, this.screens);
    tieTone(this.tone, this.store, this.look, document);
    effect(() => this.asker.look(this.store.model.value, this.store.robot.value));
    effect(() => this.tellRefusal());
    setInterval(() => {
      this.store.clock.value = performance.now();
    }, CLOCK_EVERY);
    startPulse(this.store, this.link, this.commands, () => performance.now());
    this.link.start();
  }

  /** What pictures are fetched with. */
  get token(): string {
    return this.identity.token;
  }

  /** Measure the way to the cell and back, ms; null without an answer. */
  ping(): Promise<number | null> {
    return this.commands.ping(() => performance.now());
  }

  /** Show another cell. */
  watch(cell: string): void {
    this.devices.leadAlone(false);
    this.asker.renewed();
    this.store.notice({ type: "watching", cell });
    this.link.send({ type: "Watch", cell });
  }

  /** Put another robot in front of the operator. */
  pick(robot: string): void {
    this.devices.leadAlone(false);
    this.store.picked.value = robot;
  }

  ask(): void {
    this.asker.wants(this.store.robot.value);
    this.actions.ask();
  }

  giveBack(): void {
    this.asked = false;
    this.asker.declines(this.store.robot.value);
    this.actions.giveBack();
  }

  /** Open or close a dialog; nothing is held across that. */
  open(dialog: Dialog): void {
    this.devices.letGo();
    this.look.dialog.value = dialog;
  }

  act(action: Action): void {
    switch (action) {
      case "talk": // is held, not pressed
        return;
      case "reset":
        if (this.store.latched.value) this.actions.reset();
        return;
      case "home":
        return this.actions.home();
      case "free":
        return this.actions.free();
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
        return this.look.setLarge(OVERVIEW);
      case "cameras-only":
        return this.look.setCamerasOnly(!this.look.camerasOnly.value);
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
        return this.look.setLarge(nextOf(this.panes.value));
      case "plots":
        return this.look.setPlots(this.look.plots.value === "large" ? "small" : "large");
      case "log":
        return this.look.toggleLog();
    }
  }

  /** Show a camera of the robot large, by its number. */
  private enlarge(index: number): void {
    const camera = this.store.info.value?.cameras[index];
    if (camera !== undefined) this.look.setLarge(camera.name);
  }

  private hang(): readonly Pane[] {
    const { store, look } = this;
    const wish = { large: look.large.value, camerasOnly: look.camerasOnly.value, exam: store.exam.value };
    return panesOf(store.info.value, JSON.parse(this.heads.value) as Head[], wish);
  }

  /** Return the camera that is shown large, if its head can be aimed from here. */
  private aimed(): Aimed | null {
    const { model, robot, commanding, info } = this.store;
    const camera = this.panes.value.find((pane) => pane.large)?.camera ?? null;
    const index = info.value?.cameras.findIndex((each) => each.name === camera?.name) ?? -1;
    const now = robotNow(model.value, robot.value)?.cameras[index];
    if (camera === null || now === undefined || !aimable(camera) || !commanding.value) return null;
    return { robot: robot.value, camera, now };
  }

  private escape(): void {
    if (this.look.dialog.value !== "") this.look.dialog.value = "";
    else this.look.drawer.value = "";
  }

  private heard(message: ToPage): void {
    this.store.heard(message, performance.now());
    switch (message.type) {
      case "Welcome":
        this.identity.accepted();
        return this.welcomed();
      case "Scene":
        if (this.store.scene.value !== message) return;
        return this.view.setScene(message, meshes(message.cell, this.identity.token));
      case "Update":
        return this.view.update(message);
      case "Signals":
        return this.plots.heard(message);
      case "Answer":
        // Without a number it answers no command: it is a complaint, for the operator to read.
        if (message.id === 0) this.toasts.show(message.text);
        return this.commands.answered(message);
      case "Heard":
        return this.talk.heard(message);
      default:
        return;
    }
  }

  /** Go on with the cell that was watched, else with the first. */
  private welcomed(): void {
    this.asker.renewed();
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

  /** Tell that the holder keeps control, once, to an operator who asked for it and still wants it. */
  private tellRefusal(): void {
    const { store } = this;
    const asked = asking(store.model.value, store.robot.value);
    if (this.asked && !asked && !store.mine.value && store.lease.value !== null) {
      this.toasts.show(`${store.lease.value.name} keeps control.`);
    }
    this.asked = asked;
  }

  private makeLink(): Link {
    const listener = {
      opening: () => this.store.notice({ type: "opening" }),
      message: (message: ToPage) => this.heard(message),
      lost: () => this.lost(),
    };
    return new Link(this.identity, listener, browserSurroundings(location));
  }

  private makeDevices(): Devices {
    const { store, keys, padStore, commands } = this;
    return new Devices({
      store,
      keys,
      padStore,
      commands,
      sendFresh: (message) => this.link.sendFresh(message),
      dialogOpen: () => this.look.dialog.value !== "",
      eyeIn: (robot) => this.view.eyeIn(robot),
      // A page that has drawn nothing yet, or cannot draw, names no picture: it may drive by what it reads.
      shown: () => (store.exam.value ? -1 : (this.stats.value?.shown ?? -1)),
      tell: (text) => this.toasts.show(text),
      stop: () => void this.actions.stop(),
      act: (action) => this.act(action),
      talk: (held) => (held ? void this.talk.press() : this.talk.release()),
      help: () => this.open("keys"),
      escape: () => this.escape(),
    });
  }
}
