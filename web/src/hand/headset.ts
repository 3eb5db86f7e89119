/** A headset's controller, or a telephone, as a master that has a pose, by WebXR. */

import { signal } from "@preact/signals";
import type { Pose } from "../wire.gen.ts";
import { NOTHING, type Held, type Source } from "./inputState.ts";
import { carried, handOf, isTelephone, type XrHand } from "./xrFrame.ts";

export type Mode = "immersive-ar" | "immersive-vr";
/** Where the operator sees his own screen beside it, that is better. */
const MODES: readonly Mode[] = ["immersive-ar", "immersive-vr"];
/** Milliseconds after which a pose counts no more, as long as a cell's watchdog may wait: the headset is off. */
const OLD = 200;
/** What is seen in a headset where the room is not: the page's ground. */
const GROUND = [0.07, 0.09, 0.106] as const;

export type Status =
  /** No session. */
  | "off"
  /** It is not tracked. */
  | "lost"
  /** Tracked, and not enabled. */
  | "free"
  /** Enabled, but not freshly: it must be let go first. */
  | "again"
  /** It leads. */
  | "leading";

export interface HeadsetDesk {
  /** Whether the robot is driven in a way that is led by a pose. */
  led(): boolean;
  /** Where the master is meant to be that this hand moves on; null if the hand is the master itself. */
  master(): Pose | null;
  clock(): number;
  /** Say something to the operator. */
  tell(text: string): void;
  /** Something was felt. */
  changed(): void;
}

export class Headset implements Source {
  /** What this browser can start; null while that is not known, and where it can nothing. */
  readonly mode = signal<Mode | null>(null);
  readonly status = signal<Status>("off");
  /** It is a telephone, whose screen is touched. */
  readonly telephone = signal(false);
  private session: XRSession | null = null;
  private hand: XrHand | null = null;
  private seenAt = -Infinity;
  /** What enables must be let go before it counts. */
  private stale = true;
  /** Where hand and master were when the hand took hold. */
  private taken: { readonly hand: Pose; readonly master: Pose } | null = null;

  constructor(
    private readonly xr: XRSystem | null,
    private readonly desk: HeadsetDesk,
  ) {}

  /** Find out what the browser offers. */
  async look(): Promise<void> {
    for (const mode of MODES) {
      const can = await this.xr?.isSessionSupported(mode).catch(() => false);
      if (can === true) {
        this.mode.value = mode;
        return;
      }
    }
  }

  /** Begin; must be called from a press of a button. On a telephone only `overlay` is seen. */
  async start(overlay: Element | null): Promise<void> {
    const mode = this.mode.value;
    if (this.xr === null || mode === null || this.session !== null) return;
    try {
      const shown = overlay === null ? {} : { domOverlay: { root: overlay } };
      const session = await this.xr.requestSession(mode, { optionalFeatures: ["local-floor", "dom-overlay"], ...shown });
      await this.begin(session);
    } catch (error) {
      this.desk.tell(`The headset or telephone cannot be used. ${error instanceof Error ? error.message : ""}`);
    }
  }

  async end(): Promise<void> {
    await this.session?.end();
  }

  read(): Held {
    const { hand } = this;
    const old = this.desk.clock() - this.seenAt > OLD;
    if (hand === null || old || !this.desk.led()) this.stale = true;
    else if (!hand.enabled) this.stale = false;
    const leading = hand?.enabled === true && !this.stale;
    if (hand === null || old) this.show("lost");
    else this.show(leading ? "leading" : hand.enabled ? "again" : "free");
    if (!leading) {
      this.taken = null;
      return NOTHING;
    }
    return { deadman: true, axes: {}, pose: this.poseFrom(hand.pose), grip: hand.grip };
  }

  /** Return the hand's pose, or where it moves the master from where that was when it took hold. */
  private poseFrom(hand: Pose): Pose {
    const master = this.taken?.master ?? this.desk.master();
    if (master === null) return hand;
    this.taken ??= { hand, master };
    return carried(this.taken.master, this.taken.hand, hand);
  }

  release(): void {
    this.stale = true;
  }

  private async begin(session: XRSession): Promise<void> {
    this.session = session;
    session.addEventListener("end", () => this.ended(session));
    session.addEventListener("visibilitychange", () => {
      if (session.visibilityState !== "visible") this.letGo();
    });
    try {
      const clear = this.layer(session);
      const space = await session
        .requestReferenceSpace("local-floor")
        .catch(() => session.requestReferenceSpace("local"));
      // Somebody chose another origin: the same place has another pose now.
      space.addEventListener("reset", () => this.letGo());
      this.telephone.value = isTelephone(session);
      this.stale = true;
      this.frames(session, space, clear);
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  /** Give the session something to show; returns what shows it. */
  private layer(session: XRSession): () => void {
    const gl = document.createElement("canvas").getContext("webgl", { xrCompatible: true });
    if (gl === null) throw new Error("This browser draws nothing in 3D.");
    const layer = new XRWebGLLayer(session, gl);
    void session.updateRenderState({ baseLayer: layer });
    const opacity = this.mode.value === "immersive-ar" ? 0 : 1;
    return () => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, layer.framebuffer);
      gl.clearColor(...GROUND, opacity);
      gl.clear(gl.COLOR_BUFFER_BIT);
    };
  }

  private frames(session: XRSession, space: XRReferenceSpace, clear: () => void): void {
    const draw: XRFrameRequestCallback = (_, frame) => {
      if (this.session !== session) return;
      session.requestAnimationFrame(draw);
      clear();
      const kept = this.hand?.enabled === true ? this.hand.source : null;
      this.hand = handOf(frame, space, kept);
      this.seenAt = this.desk.clock();
      this.desk.changed();
    };
    session.requestAnimationFrame(draw);
  }

  private ended(session: XRSession): void {
    if (this.session !== session) return;
    this.session = null;
    this.letGo();
    this.show("off");
  }

  private letGo(): void {
    this.hand = null;
    this.stale = true;
    this.desk.changed();
  }

  private show(status: Status): void {
    this.status.value = this.session === null ? "off" : status;
  }
}
