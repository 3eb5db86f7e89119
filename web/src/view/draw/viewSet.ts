/** The overview and the robots' cameras: which view is drawn next, and where its picture goes. */

import type { Scene as World, WebGLRenderer } from "three";
import { DetailBalance } from "../detailBalance.ts";
import { OVERVIEW } from "../painterProtocol.ts";
import type { CameraFrame, CameraLook, Presence, ViewRates } from "../painterProtocol.ts";
import { ViewSchedule } from "../viewSchedule.ts";
import { RobotCamera } from "./robotCamera.ts";
import type { Scenery } from "./scenery.ts";
import type { Sky } from "./sky.ts";

/** Longest time that a picture may take, small views included, ms. */
const SLOW_MS = { card: 10, software: 24 };

export class ViewSet {
  private readonly schedule: ViewSchedule;
  private readonly balance: DetailBalance;
  /** This picture draws all views in full quality. */
  private all = false;
  private readonly lenses = new Map<string, RobotCamera>();
  private cameras: readonly CameraLook[] = [];
  private overview: Presence = "large";
  private counts = new Map<string, number>();

  constructor(
    private readonly software: boolean,
    private readonly renderer: WebGLRenderer,
    private readonly show: (frame: CameraFrame) => void,
  ) {
    const slow = software ? SLOW_MS.software : SLOW_MS.card;
    this.schedule = new ViewSchedule(slow);
    this.balance = new DetailBalance(this.schedule, slow);
    this.schedule.set(OVERVIEW, []);
  }

  /** Show these cameras, beside the overview or in place of it. */
  set(cameras: readonly CameraLook[], overview: Presence): void {
    this.cameras = cameras;
    this.overview = overview;
    for (const [id, lens] of this.lenses) {
      if (cameras.some((camera) => camera.id === id)) continue;
      lens.dispose();
      this.lenses.delete(id);
    }
    for (const camera of cameras) {
      const lens = this.lenses.get(camera.id);
      if (lens === undefined) this.lenses.set(camera.id, new RobotCamera(camera, !this.software));
      else lens.set(camera);
    }
    const small = cameras.filter((camera) => !camera.large).map((camera) => camera.id);
    const large = cameras.find((camera) => camera.large)?.id ?? null;
    this.schedule.set(overview === "large" ? OVERVIEW : large, overview === "small" ? [OVERVIEW, ...small] : small);
  }

  change(): void {
    this.schedule.change();
  }

  next(all: boolean): string[] {
    this.all = all;
    const turn = this.schedule.next(all);
    for (const view of turn) this.counts.set(view, (this.counts.get(view) ?? 0) + 1);
    return turn;
  }

  get more(): boolean {
    return this.schedule.more;
  }

  /** Take the time of a picture, ms. */
  spent(ms: number): void {
    if (!this.all) this.balance.spent(ms, this.large()?.width ?? null);
  }

  /** Return the pixels of the large picture if it is a camera's, otherwise null. */
  pixels(): number | null {
    const large = this.large();
    return large === null ? null : large.width * large.height;
  }

  /** Return the pictures of each view since the last call. */
  rates(): ViewRates {
    const rates = Object.fromEntries(this.counts);
    this.counts = new Map();
    return rates;
  }

  shoot(id: string, world: World, scenery: Scenery, sky: Sky, scale: number): void {
    const lens = this.lenses.get(id);
    const camera = this.cameras.find((each) => each.id === id);
    if (lens === undefined || camera === undefined || !scenery.placed(camera.place.body)) return;
    const detail = this.all ? 1 : this.balance.detail;
    lens.shoot(this.renderer, world, scenery, sky, camera.large ? scale * detail : 1);
    // The picture of a camera that was removed meanwhile is dropped.
    void lens.develop(this.renderer).then((frame) => {
      if (this.lenses.get(id) === lens) this.show(frame);
    });
  }

  /** Return the camera that is shown large, if there is one. */
  private large(): CameraLook | null {
    if (this.overview === "large") return null;
    return this.cameras.find((camera) => camera.large) ?? null;
  }

  dispose(): void {
    for (const lens of this.lenses.values()) lens.dispose();
    this.lenses.clear();
  }
}
