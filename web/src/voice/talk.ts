/** Push to talk: hears while the key is held, has it understood, and shows what came of it. */

import { signal } from "@preact/signals";
import type { FromPage, Heard } from "../wire.gen.ts";
import { microphoneWords, type Microphone } from "./microphone.ts";
import { RATE } from "./resample.ts";

/** Samples after which an utterance is ended for the speaker. */
const MOST = 3.9 * RATE;
/** Samples that are waited for when the key is let go: they were spoken before that. */
const TAIL = 0.1 * RATE;
/** Milliseconds: for the server's answer, for the tail, and for which an outcome is shown. */
const PATIENCE = 8000;
const TAIL_PATIENCE = 300;
const SHOWN = 6000;

export type TalkPhase = "idle" | "opening" | "listening" | "thinking" | "done" | "refused";

export interface TalkState {
  readonly phase: TalkPhase;
  /** What was heard, and a sentence. */
  readonly phrase: string;
  readonly text: string;
}

/** What talking needs of the page. */
export interface Line {
  robot(): string;
  /** Send a piece of speech, unless much waits to be sent already: readings come first. */
  sendSpare(message: FromPage): boolean;
}

const IDLE: TalkState = { phase: "idle", phrase: "", text: "" };

export class Talk {
  readonly state = signal<TalkState>(IDLE);
  private id = 0;
  private samples = 0;
  /** How many samples are left to be heard; null while the key is held. */
  private left: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly microphone: Microphone,
    private readonly line: Line,
  ) {}

  /** How much of this utterance has been heard. */
  get seconds(): number {
    return this.samples / RATE;
  }

  /** The key went down. */
  async press(): Promise<void> {
    if (this.speaking) return;
    const id = ++this.id;
    this.samples = 0;
    this.left = null;
    this.show("opening", "Opening the microphone…");
    try {
      await this.microphone.open((pcm) => this.take(id, pcm));
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
    if (phase !== "listening" || this.left !== null) return;
    this.left = TAIL;
    this.after(TAIL_PATIENCE, () => this.finish(this.id, new Int16Array(0)));
  }

  /** The operator is no longer here: whatever was said is dropped. */
  cancel(): void {
    if (this.speaking) this.end("idle", "");
  }

  /** The server has understood, or not. */
  heard({ id, ok, phrase, text }: Heard): void {
    if (id === this.id && this.state.value.phase === "thinking") this.end(ok ? "done" : "refused", text, phrase);
  }

  /** The connection was lost. */
  lost(): void {
    if (this.speaking || this.state.value.phase === "thinking") this.end("refused", "The connection was lost. Nothing was understood.");
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
    if (this.left !== null) this.left -= pcm.length;
    if (this.samples >= MOST || (this.left ?? 1) <= 0) this.finish(id, pcm);
    else if (!this.send(id, pcm, false)) this.end("refused", "The connection is too slow for speech. Use keys and buttons.");
  }

  private finish(id: number, pcm: Int16Array): void {
    if (!this.send(id, pcm, true)) return this.end("refused", "The connection is too slow for speech. Use keys and buttons.");
    this.microphone.close();
    this.show("thinking", "Listening to what was said…");
    this.after(PATIENCE, () => this.end("refused", "The server did not answer in time."));
  }

  private send(id: number, pcm: Int16Array, last: boolean): boolean {
    const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    return this.line.sendSpare({ type: "Speech", id, robot: this.line.robot(), pcm: bytes, last });
  }

  private end(phase: TalkPhase, text: string, phrase = ""): void {
    this.microphone.close();
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
