/** Push to talk: hears while the key is held, has it understood, and shows what came of it. */

import { signal } from "@preact/signals";
import type { FromPage, Heard } from "../wire.gen.ts";
import { microphoneWords, type Microphone } from "./microphone.ts";
import { RATE } from "./resample.ts";

/** Samples after which an utterance is ended for the speaker. */
const MOST = 3.9 * RATE;
/** Milliseconds: for the server's answer, and for which an outcome is shown. */
const PATIENCE = 12_000;
const SHOWN = 6000;
/** Milliseconds between two looks at a microphone that is waited for, or at a full line. */
const LOOK = 50;
/**
 * Looks at a microphone that says nothing, and at a line that stays full, until they are given up. Looks are counted, not
 * time: what came while the page was held up is taken between two of them.
 */
const SILENT_LOOKS = 20;
const FULL_LOOKS = 100;
const SLOW = "The connection is too slow for speech. Use keys and buttons.";

export type TalkPhase = "idle" | "opening" | "listening" | "thinking" | "done" | "refused";

export interface TalkState {
  readonly phase: TalkPhase;
  /** What was heard, and a sentence. */
  readonly phrase: string;
  readonly text: string;
}

/** A command that does nothing until it is confirmed. */
export interface PendingCommand {
  readonly id: number;
  readonly phrase: string;
  /** What will happen, and how to confirm it. */
  readonly text: string;
  /** Page's time, ms, at which it is cancelled. */
  readonly until: number;
  /** Confirm was pressed. */
  readonly confirmed: boolean;
}

/** What talking needs of the page. */
export interface Line {
  robot(): string;
  /** The page's time, ms. */
  now(): number;
  /** A phrase was recognised: this operator uses speech. */
  used(): void;
  /** Send a piece of speech, unless much waits to be sent already: readings come first. */
  sendSpare(message: FromPage): boolean;
}

const IDLE: TalkState = { phase: "idle", phrase: "", text: "" };

export class Talk {
  readonly state = signal<TalkState>(IDLE);
  readonly pending = signal<PendingCommand | null>(null);
  private id = 0;
  private robot = "";
  private samples = 0;
  /** Heard and not yet sent: at most what may be said at a time, since the server takes no more. */
  private waiting: Int16Array[] = [];
  /** The key was let go. */
  private released = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly microphone: Microphone,
    private readonly line: Line,
  ) {}

  /** How much of this utterance has been heard. */
  get seconds(): number {
    return this.samples / RATE;
  }

  /** Have the server start its recogniser, before the first word. */
  prepare(): void {
    this.announce(0);
  }

  /** Confirm the command that waits. */
  confirm(): void {
    const pending = this.pending.value;
    if (pending === null || pending.confirmed || this.line.now() >= pending.until) return;
    if (this.line.sendSpare({ type: "Confirm", id: pending.id })) this.pending.value = { ...pending, confirmed: true };
  }

  /** The key went down. */
  async press(): Promise<void> {
    if (this.speaking) return;
    const id = ++this.id;
    this.robot = this.line.robot();
    this.samples = 0;
    this.released = false;
    this.announce(id);
    this.show("opening", "Opening the microphone…");
    try {
      await this.microphone.open(
        (pcm) => this.take(id, pcm),
        () => this.finish(id),
      );
    } catch (error) {
      if (id === this.id) this.end("refused", microphoneWords(error));
      return;
    }
    // Let go, or left, while it was opened: for a question of the browser's, or because that took long.
    if (!this.holds(id)) this.microphone.close();
  }

  /** The key went up. */
  release(): void {
    const { phase } = this.state.value;
    if (phase === "opening") this.end("refused", "Hold it until it says that it listens, then speak.");
    if (phase !== "listening" || this.released) return;
    this.released = true;
    this.microphone.finish();
    this.listenOut(this.id, this.samples, SILENT_LOOKS);
  }

  /** The operator is no longer here: whatever was said is dropped. */
  cancel(): void {
    if (this.speaking) this.end("idle", "");
  }

  /** The server has understood, or not; or a command that waited is done or cancelled. */
  heard({ id, ok, phrase, text, confirm }: Heard): void {
    const awaited = id === this.id && this.state.value.phase === "thinking";
    if (awaited && phrase !== "") this.line.used();
    const waited = id === this.pending.value?.id;
    if (confirm > 0) this.ask({ id, phrase, text, until: this.line.now() + 1000 * confirm, confirmed: false }, awaited);
    else if (awaited || waited) {
      this.pending.value = null;
      if (awaited || !this.busy) this.end(ok ? "done" : "refused", text, phrase);
    }
  }

  /** The connection was lost. */
  lost(): void {
    this.pending.value = null;
    if (this.busy) this.end("refused", "The connection was lost. Nothing was understood.");
  }

  private get busy(): boolean {
    return this.speaking || this.state.value.phase === "thinking";
  }

  /** Begin an utterance without sound. */
  private announce(id: number): void {
    this.line.sendSpare({ type: "Speech", id, robot: this.line.robot(), pcm: new Uint8Array(0), last: false });
  }

  /** Show what waits, in the place of an utterance's outcome. */
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
    if (this.state.value.phase === "opening") this.show("listening", "Listening…");
    this.samples += pcm.length;
    this.waiting.push(pcm);
    if (this.samples >= MOST) this.finish(id);
    else this.sendWaiting(id, false);
  }

  /** Wait for the end of what the microphone heard; one that went silent has none. */
  private listenOut(id: number, samples: number, looks: number): void {
    this.after(LOOK, () => {
      if (this.samples > samples) this.listenOut(id, this.samples, SILENT_LOOKS);
      else if (looks > 0) this.listenOut(id, samples, looks - 1);
      else this.finish(id);
    });
  }

  /** All is heard. */
  private finish(id: number): void {
    if (!this.holds(id)) return;
    this.microphone.close();
    this.show("thinking", "Listening to what was said…");
    this.waiting.push(new Int16Array(0));
    this.sendOut(id, FULL_LOOKS);
  }

  /** Send the rest as fast as the line takes it. */
  private sendOut(id: number, looks: number): void {
    if (this.sendWaiting(id, true)) this.after(PATIENCE, () => this.end("refused", "The server did not answer in time."));
    else if (looks > 0) this.after(LOOK, () => this.sendOut(id, looks - 1));
    else this.end("refused", SLOW);
  }

  /** Send what waits, as far as the line takes it, and return whether that was all. */
  private sendWaiting(id: number, ending: boolean): boolean {
    for (let pcm = this.waiting[0]; pcm !== undefined; pcm = this.waiting[0]) {
      const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
      const last = ending && this.waiting.length === 1;
      if (!this.line.sendSpare({ type: "Speech", id, robot: this.robot, pcm: bytes, last })) return false;
      this.waiting.shift();
    }
    return true;
  }

  private end(phase: TalkPhase, text: string, phrase = ""): void {
    this.microphone.close();
    this.waiting = [];
    this.show(phase, text, phrase);
    this.after(SHOWN, () => this.show("idle", ""));
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
