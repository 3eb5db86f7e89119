/** Push to talk: listens while the key is held, has the speech recognised, and shows the result. */

import { signal } from "@preact/signals";
import { texts } from "../language/language.ts";
import type { FromPage, SpeechResult } from "../wire.gen.ts";
import { microphoneProblem, type Microphone } from "./microphone.ts";
import { RATE_HZ } from "./resample.ts";

/** Length at which an utterance is ended, samples. */
const MAX_SAMPLES = 3.9 * RATE_HZ;
/** How long to wait for the server's answer, and how long a result is shown, ms. */
const ANSWER_TIMEOUT_MS = 12_000;
const SHOWN_MS = 6000;
/** Time between two polls of a silent microphone or a full connection, ms. */
const POLL_MS = 50;
/**
 * Polls of a silent microphone, and of a full connection, before giving up. Polls are counted, not time: input that came
 * while the page was busy is taken between two of them.
 */
const SILENT_POLLS = 20;
const FULL_POLLS = 100;

export type TalkPhase = "idle" | "opening" | "listening" | "recognising" | "done" | "refused";

export interface TalkState {
  readonly phase: TalkPhase;
  /** The recognised phrase, and a sentence. */
  readonly phrase: string;
  readonly text: string;
}

/** A command that takes effect only when it is confirmed. */
export interface PendingCommand {
  readonly id: number;
  readonly phrase: string;
  /** The effect of the command, and how to confirm it. */
  readonly text: string;
  /** Page time at which it is cancelled, ms. */
  readonly until: number;
  /** Confirm was pressed. */
  readonly confirmed: boolean;
}

/** The part of the page that push to talk needs. */
export interface TalkHost {
  robot(): string;
  /** Return the page time, ms. */
  now(): number;
  /** A phrase was recognised: this operator uses speech. */
  used(): void;
  /** Send a piece of speech, unless the connection is full: readings come first. */
  sendSpare(message: FromPage): boolean;
}

const IDLE: TalkState = { phase: "idle", phrase: "", text: "" };

export class PushToTalk {
  readonly state = signal<TalkState>(IDLE);
  readonly pending = signal<PendingCommand | null>(null);
  private id = 0;
  private robot = "";
  private samples = 0;
  /** Pieces not yet sent: at most one utterance. */
  private waiting: Int16Array[] = [];
  /** The key was released. */
  private released = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly microphone: Microphone,
    private readonly host: TalkHost,
  ) {}

  /** Length of this utterance so far, s. */
  get seconds(): number {
    return this.samples / RATE_HZ;
  }

  /** Have the server start its recogniser, before the first word. */
  prepare(): void {
    this.announce(0);
  }

  /** Confirm the command that waits. */
  confirm(): void {
    const pending = this.pending.value;
    if (pending === null || pending.confirmed || this.host.now() >= pending.until) return;
    if (this.host.sendSpare({ type: "Confirm", id: pending.id })) this.pending.value = { ...pending, confirmed: true };
  }

  /** The key went down. */
  async press(): Promise<void> {
    if (this.speaking) return;
    const id = ++this.id;
    this.robot = this.host.robot();
    this.samples = 0;
    this.released = false;
    this.announce(id);
    this.show("opening", texts().voice.opening);
    try {
      await this.microphone.open(
        (pcm) => this.take(id, pcm),
        () => this.finish(id),
      );
    } catch (error) {
      if (id === this.id) this.end("refused", microphoneProblem(error));
      return;
    }
    // The key was released, or the page left, while the microphone opened.
    if (!this.holds(id)) this.microphone.close();
  }

  /** The key went up. */
  release(): void {
    const { phase } = this.state.value;
    if (phase === "opening") this.end("refused", texts().voice.tooShort);
    if (phase !== "listening" || this.released) return;
    this.released = true;
    this.microphone.finish();
    this.awaitEnd(this.id, this.samples, SILENT_POLLS);
  }

  /** The operator has left: drop the utterance. */
  cancel(): void {
    if (this.speaking) this.end("idle", "");
  }

  /** The server has recognised the speech or failed to, or a pending command is done or cancelled. */
  heard({ id, ok, phrase, text, confirm }: SpeechResult): void {
    const awaited = id === this.id && this.state.value.phase === "recognising";
    if (awaited && phrase !== "") this.host.used();
    const waited = id === this.pending.value?.id;
    if (confirm > 0) this.ask({ id, phrase, text, until: this.host.now() + 1000 * confirm, confirmed: false }, awaited);
    else if (awaited || waited) {
      this.pending.value = null;
      if (awaited || !this.busy) this.end(ok ? "done" : "refused", text, phrase);
    }
  }

  /** The connection was lost. */
  lost(): void {
    this.pending.value = null;
    if (this.busy) this.end("refused", texts().voice.connectionLost);
  }

  private get busy(): boolean {
    return this.speaking || this.state.value.phase === "recognising";
  }

  /** Announce an utterance, without sound. */
  private announce(id: number): void {
    this.host.sendSpare({ type: "Speech", id, robot: this.host.robot(), pcm: new Uint8Array(0), last: false });
  }

  /** Show a pending command, in place of an utterance's result. */
  private ask(pending: PendingCommand, awaited: boolean): void {
    this.pending.value = pending;
    if (awaited) this.show("idle", "");
  }

  private get speaking(): boolean {
    return this.state.value.phase === "opening" || this.state.value.phase === "listening";
  }

  private holds(id: number): boolean {
    return id === this.id && this.speaking;
  }

  private take(id: number, pcm: Int16Array): void {
    if (!this.holds(id)) return;
    if (this.state.value.phase === "opening") this.show("listening", texts().voice.listening);
    this.samples += pcm.length;
    this.waiting.push(pcm);
    if (this.samples >= MAX_SAMPLES) this.finish(id);
    else this.sendWaiting(id, false);
  }

  /** Wait for the end of the utterance; finish without it if the microphone has gone silent. */
  private awaitEnd(id: number, samples: number, polls: number): void {
    this.after(POLL_MS, () => {
      if (this.samples > samples) this.awaitEnd(id, this.samples, SILENT_POLLS);
      else if (polls > 0) this.awaitEnd(id, samples, polls - 1);
      else this.finish(id);
    });
  }

  /** The utterance is complete. */
  private finish(id: number): void {
    if (!this.holds(id)) return;
    this.microphone.close();
    this.show("recognising", texts().voice.recognising);
    this.waiting.push(new Int16Array(0));
    this.sendRest(id, FULL_POLLS);
  }

  /** Send the rest as fast as the connection takes it. */
  private sendRest(id: number, polls: number): void {
    if (this.sendWaiting(id, true)) this.after(ANSWER_TIMEOUT_MS, () => this.end("refused", texts().voice.noAnswer));
    else if (polls > 0) this.after(POLL_MS, () => this.sendRest(id, polls - 1));
    else this.end("refused", texts().voice.tooSlow);
  }

  /** Send as many waiting pieces as the connection takes; return whether all were sent. */
  private sendWaiting(id: number, ending: boolean): boolean {
    for (let pcm = this.waiting[0]; pcm !== undefined; pcm = this.waiting[0]) {
      const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
      const last = ending && this.waiting.length === 1;
      if (!this.host.sendSpare({ type: "Speech", id, robot: this.robot, pcm: bytes, last })) return false;
      this.waiting.shift();
    }
    return true;
  }

  private end(phase: TalkPhase, text: string, phrase = ""): void {
    this.microphone.close();
    this.waiting = [];
    this.show(phase, text, phrase);
    this.after(SHOWN_MS, () => this.show("idle", ""));
  }

  private show(phase: TalkPhase, text: string, phrase = ""): void {
    clearTimeout(this.timer);
    this.state.value = { phase, phrase, text };
  }

  private after(milliseconds: number, then: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, milliseconds);
  }
}
