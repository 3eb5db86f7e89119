/** Plays a quiet tone by WebAudio; silent where there is no audio or the browser does not allow it yet. */

import { signal, type ReadonlySignal } from "@preact/signals";
import type { Sound } from "./clearanceSound.ts";

/** Time constant of changes, s: fast for the ear, slow enough not to click. */
const CHANGE_S = 0.01;
/** Cut-off that softens the edges of the beat, Hz. */
const EDGE_HZ = 40;

export type Heard = "silent" | "beating" | "steady";

/** The browser's audio output. */
export interface Speakers {
  /** Return whether sound is allowed: browsers require a press first. */
  allowed(): boolean;
  /** Return an audio context; raise an error where there is none. */
  open(): AudioContext;
}

interface Voice {
  readonly context: AudioContext;
  readonly pitch: AudioParam;
  readonly beat: AudioParam;
  /** Mean loudness, and the depth of the beat. */
  readonly level: AudioParam;
  readonly depth: AudioParam;
}

export class Tone {
  private readonly now = signal<Heard>("silent");
  private voice: Voice | null = null;
  private broken = false;

  constructor(private readonly speakers: Speakers) {}

  /** The tone that is playing. */
  get heard(): ReadonlySignal<Heard> {
    return this.now;
  }

  /** Play this tone from now on; null stops it at once. */
  play(sound: Sound | null): void {
    const voice = sound === null ? this.voice : this.ready();
    if (voice === null) return;
    if (sound === null) this.end(voice);
    else this.change(voice, sound);
  }

  private change(voice: Voice, { pitch, beat, loud }: Sound): void {
    if (voice.context.state === "suspended") quietly(voice.context.resume());
    const steady = beat === 0;
    const at = voice.context.currentTime;
    glideTo(voice.pitch, pitch, at);
    if (!steady) glideTo(voice.beat, beat, at);
    glideTo(voice.level, steady ? loud : loud / 2, at);
    glideTo(voice.depth, steady ? 0 : loud / 2, at);
    this.now.value = steady ? "steady" : "beating";
  }

  private end({ context, level, depth }: Voice): void {
    if (this.now.peek() === "silent") return;
    this.now.value = "silent";
    for (const parameter of [level, depth]) glideTo(parameter, 0, context.currentTime);
    // Suspended until it is needed: on some computers an open output hisses and costs power.
    quietly(context.suspend());
  }

  private ready(): Voice | null {
    if (this.voice !== null || this.broken || !this.speakers.allowed()) return this.voice;
    try {
      this.voice = voiceOf(this.speakers.open());
    } catch {
      // No audio on this computer: text and picture show the clearance too.
      this.broken = true;
    }
    return this.voice;
  }
}

/** Return an oscillator whose loudness is modulated by a second, slow one with softened edges. */
function voiceOf(context: AudioContext): Voice {
  const [tone, level] = [context.createOscillator(), context.createGain()];
  const [beat, edges, depth] = [context.createOscillator(), context.createBiquadFilter(), context.createGain()];
  beat.type = "square";
  edges.type = "lowpass";
  edges.frequency.value = EDGE_HZ;
  level.gain.value = 0;
  depth.gain.value = 0;
  tone.connect(level).connect(context.destination);
  beat.connect(edges).connect(depth).connect(level.gain);
  tone.start();
  beat.start();
  return { context, pitch: tone.frequency, beat: beat.frequency, level: level.gain, depth: depth.gain };
}

function glideTo(parameter: AudioParam, value: number, at: number): void {
  parameter.cancelScheduledValues(at);
  parameter.setTargetAtTime(value, at, CHANGE_S);
}

/** Ignore a refusal by the browser. */
function quietly(promise: Promise<void>): void {
  promise.catch(() => undefined);
}

/** Return the speakers of the page. */
export function browserSpeakers(page: Window): Speakers {
  let pressed = false;
  for (const kind of ["keydown", "pointerup"] as const) {
    page.addEventListener(kind, () => (pressed = true), { capture: true, once: true });
  }
  return {
    // Older browsers have no `userActivation`: a press that was seen counts.
    allowed: () => (page.navigator as Partial<Navigator>).userActivation?.hasBeenActive ?? pressed,
    open: () => new AudioContext({ latencyHint: "interactive" }),
  };
}
