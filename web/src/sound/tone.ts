/** A quiet tone by WebAudio. Where there is no audio, or the browser does not allow it yet, there is none; nothing fails. */

import { signal, type ReadonlySignal } from "@preact/signals";
import type { Sound } from "./clearanceSound.ts";

/** Seconds in which a change is made: fast for the ear, slow enough not to click. */
const SOFTLY = 0.01;
/** Hz up to which the beat's edges go. */
const EDGES = 40;

export type Heard = "silent" | "beating" | "steady";

/** The browser's part of it. */
export interface Speakers {
  /** The operator has pressed something: browsers allow no sound before. */
  allowed(): boolean;
  /** Return a way to the speakers; raises an error where there is none. */
  open(): AudioContext;
}

interface Voice {
  readonly context: AudioContext;
  readonly pitch: AudioParam;
  readonly beat: AudioParam;
  /** Mean loudness, and how far the beat takes it up and down. */
  readonly level: AudioParam;
  readonly depth: AudioParam;
}

export class Tone {
  private readonly now = signal<Heard>("silent");
  private voice: Voice | null = null;
  private broken = false;

  constructor(private readonly speakers: Speakers) {}

  /** What can be heard. */
  get heard(): ReadonlySignal<Heard> {
    return this.now;
  }

  /** Sound like this from now on; null: be silent, at once. */
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
    lead(voice.pitch, pitch, at);
    if (!steady) lead(voice.beat, beat, at);
    lead(voice.level, steady ? loud : loud / 2, at);
    lead(voice.depth, steady ? 0 : loud / 2, at);
    this.now.value = steady ? "steady" : "beating";
  }

  private end({ context, level, depth }: Voice): void {
    if (this.now.peek() === "silent") return;
    this.now.value = "silent";
    for (const parameter of [level, depth]) lead(parameter, 0, context.currentTime);
    // It rests until it is needed again; on some machines open speakers hiss, and cost power.
    quietly(context.suspend());
  }

  private ready(): Voice | null {
    if (this.voice !== null || this.broken || !this.speakers.allowed()) return this.voice;
    try {
      this.voice = voiceOf(this.speakers.open());
    } catch {
      // No audio on this machine: the same is said in words and in the picture.
      this.broken = true;
    }
    return this.voice;
  }
}

/** Return a tone whose loudness is made to beat by a second, slow one with softened edges. */
function voiceOf(context: AudioContext): Voice {
  const [tone, level] = [context.createOscillator(), context.createGain()];
  const [beat, edges, depth] = [context.createOscillator(), context.createBiquadFilter(), context.createGain()];
  beat.type = "square";
  edges.type = "lowpass";
  edges.frequency.value = EDGES;
  level.gain.value = 0;
  depth.gain.value = 0;
  tone.connect(level).connect(context.destination);
  beat.connect(edges).connect(depth).connect(level.gain);
  tone.start();
  beat.start();
  return { context, pitch: tone.frequency, beat: beat.frequency, level: level.gain, depth: depth.gain };
}

function lead(parameter: AudioParam, value: number, at: number): void {
  parameter.cancelScheduledValues(at);
  parameter.setTargetAtTime(value, at, SOFTLY);
}

/** A browser that does not let us is no error. */
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
    // Older browsers do not say: then a press that was seen must do.
    allowed: () => (page.navigator as Partial<Navigator>).userActivation?.hasBeenActive ?? pressed,
    open: () => new AudioContext({ latencyHint: "interactive" }),
  };
}
