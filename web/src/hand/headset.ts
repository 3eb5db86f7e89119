/** A headset's controller or a phone as a master with a pose, by WebXR. */

import { signal } from "@preact/signals";
import { texts } from "../language/language.ts";
import type { Pose } from "../wire.gen.ts";
import { NOTHING, type Held, type InputSource } from "./inputState.ts";
import { carried, handOf, isPhone, type XrHand } from "./xrFrame.ts";

export type SessionMode = "immersive-ar" | "immersive-vr";
/** The better mode first: in "immersive-ar" operators see their own screen beside the robot. */
const MODES: readonly SessionMode[] = ["immersive-ar", "immersive-vr"];
/** Age after which a pose no longer counts, ms: as long as a cell's watchdog may wait. */
const POSE_AGE_MS = 200;
/** Background of a headset that does not show the room: the page's. */
const BACKGROUND = [0.07, 0.09, 0.106] as const;

export type HeadsetStatus =
  /** No session. */
  | "off"
  /** It is not tracked. */
  | "lost"
  /** Tracked, and not enabled. */
  | "free"
  /** Enabled without a fresh press: it must be let go first. */
  | "again"
  /** It drives the robot. */
  | "driving";

/** The part of the page that the headset needs. */
export interface HeadsetHost {
  /** Return whether the robot's control mode follows a pose. */
  led(): boolean;
  /** Return the intended pose of the master that this hand moves; null if the hand is the master itself. */
  master(): Pose | null;
  clock(): number;
  /** Show a short message. */
  tell(text: string): void;
  /** The hand has changed. */
  changed(): void;
}

export class Headset implements InputSource {
  /** The session that this browser can start; null while unknown and where there is none. */
  readonly mode = signal<SessionMode | null>(null);
  readonly status = signal<HeadsetStatus>("off");
  /** It is a phone, whose screen is touched. */
  readonly phone = signal(false);
  private session: XRSession | null = null;
  private hand: XrHand | null = null;
  private seenAt = -Infinity;
  /** The enabling button must be let go before it counts. */
  private stale = true;
  /** The poses of hand and master when the press began. */
  private taken: { readonly hand: Pose; readonly master: Pose } | null = null;

  constructor(
    private readonly xr: XRSystem | null,
    private readonly host: HeadsetHost,
  ) {}

  /** Find out which session the browser supports. */
  async detect(): Promise<void> {
    for (const mode of MODES) {
      const can = await this.xr?.isSessionSupported(mode).catch(() => false);
      if (can === true) {
        this.mode.value = mode;
        return;
      }
    }
  }

  /** Begin a session; call it from a press of a button. A phone shows only `overlay`. */
  async start(overlay: Element | null): Promise<void> {
    const mode = this.mode.value;
    if (this.xr === null || mode === null || this.session !== null) return;
    try {
      const shown = overlay === null ? {} : { domOverlay: { root: overlay } };
      const session = await this.xr.requestSession(mode, { optionalFeatures: ["local-floor", "dom-overlay"], ...shown });
      await this.begin(session);
    } catch (error) {
      this.host.tell(texts().headset.unusable(error instanceof Error ? error.message : ""));
    }
  }

  async end(): Promise<void> {
    await this.session?.end();
  }

  read(): Held {
    const { hand } = this;
    const old = this.host.clock() - this.seenAt > POSE_AGE_MS;
    if (hand === null || old || !this.host.led()) this.stale = true;
    else if (!hand.enabled) this.stale = false;
    const driving = hand?.enabled === true && !this.stale;
    if (hand === null || old) this.show("lost");
    else this.show(driving ? "driving" : hand.enabled ? "again" : "free");
    if (!driving) {
      this.taken = null;
      return NOTHING;
    }
    return { deadman: true, axes: {}, pose: this.poseFrom(hand.pose), grip: hand.grip };
  }

  /** Return the hand's pose, or the master's pose moved as the hand has moved since the press. */
  private poseFrom(hand: Pose): Pose {
    const master = this.taken?.master ?? this.host.master();
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
      // The origin was reset: the same place has another pose now.
      space.addEventListener("reset", () => this.letGo());
      this.phone.value = isPhone(session);
      this.stale = true;
      this.frames(session, space, clear);
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  /** Give the session a layer to draw on; return the function that clears it. */
  private layer(session: XRSession): () => void {
    const gl = document.createElement("canvas").getContext("webgl", { xrCompatible: true });
    if (gl === null) throw new Error(texts().headset.noWebGl);
    const layer = new XRWebGLLayer(session, gl);
    void session.updateRenderState({ baseLayer: layer });
    const opacity = this.mode.value === "immersive-ar" ? 0 : 1;
    return () => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, layer.framebuffer);
      gl.clearColor(...BACKGROUND, opacity);
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
      this.seenAt = this.host.clock();
      this.host.changed();
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
    this.host.changed();
  }

  private show(status: HeadsetStatus): void {
    this.status.value = this.session === null ? "off" : status;
  }
}
