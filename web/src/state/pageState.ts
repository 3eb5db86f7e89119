/** The operator's settings of the page: view options, open panels, sizes. Most are remembered. */

import { signal, type Signal } from "@preact/signals";
import { OVERVIEW, type ViewOptions } from "../view/api.ts";
import { isBoolean, isRecordOf, isString, type Settings } from "./settings.ts";

export type Dialog = "" | "keys" | "pad" | "signals";
/** The panel over the lower part of the view. */
export type Drawer = "" | "log";
/** The size of the plots, or of the master's view. */
export type PanelSize = "hidden" | "small" | "large";

const OPTIONS: ViewOptions = {
  frames: true,
  chain: false,
  clearance: true,
  contacts: false,
  touched: false,
  names: false,
};

export class PageState {
  readonly options: Signal<ViewOptions>;
  readonly dialog = signal<Dialog>("");
  /** Index of the plot whose signals are being chosen. */
  readonly plot = signal(0);
  readonly drawer = signal<Drawer>("");
  readonly plots: Signal<PanelSize>;
  /** The view of the master, where there is one. */
  readonly master: Signal<PanelSize>;
  /** The clearance tone is on. */
  readonly tone: Signal<boolean>;
  /** Name of the camera that is shown large, or the overview's. */
  readonly large: Signal<string>;
  /** The 3D overview is hidden. */
  readonly camerasOnly: Signal<boolean>;
  readonly masterBox = signal(false);
  readonly faultFinding = signal(false);
  readonly movesBox = signal(false);
  readonly setupBox = signal(false);
  readonly hints: Signal<boolean>;
  /** Touch is used: sticks are shown and buttons are large. */
  readonly touch = signal(false);

  constructor(private readonly settings: Settings) {
    const saved = settings.load("view", isRecordOf(isBoolean)) ?? {};
    this.options = signal({ ...OPTIONS, ...saved });
    this.plots = signal(settings.load("plots.size", isPanelSize) ?? "small");
    this.master = signal(settings.load("master.size", isPanelSize) ?? "small");
    this.tone = signal(settings.load("tone", isBoolean) ?? true);
    this.large = signal(settings.load("wall.large", isString) ?? OVERVIEW);
    this.camerasOnly = signal(settings.load("wall.cameras-only", isBoolean) ?? false);
    this.hints = signal(settings.load("hints.seen", isBoolean) !== true);
  }

  setOption(name: keyof ViewOptions, on: boolean): void {
    this.options.value = { ...this.options.value, [name]: on };
    this.settings.save("view", this.options.value);
  }

  toggleLog(): void {
    this.drawer.value = this.drawer.value === "log" ? "" : "log";
  }

  setPlots(size: PanelSize): void {
    this.plots.value = size;
    this.settings.save("plots.size", size);
  }

  setMaster(size: PanelSize): void {
    this.master.value = size;
    this.settings.save("master.size", size);
  }

  setLarge(name: string): void {
    this.large.value = name;
    this.settings.save("wall.large", name);
  }

  setCamerasOnly(on: boolean): void {
    this.camerasOnly.value = on;
    this.settings.save("wall.cameras-only", on);
  }

  setTone(on: boolean): void {
    this.tone.value = on;
    this.settings.save("tone", on);
  }

  hideHints(): void {
    this.hints.value = false;
    this.settings.save("hints.seen", true);
  }
}

function isPanelSize(value: unknown): value is PanelSize {
  return value === "hidden" || value === "small" || value === "large";
}
