/** The microphone: opened to listen, and released a while after the last use. */

import { texts } from "../language/language.ts";

/** Takes a piece of speech: int16, `RATE_HZ` samples per second. */
export type Take = (pcm: Int16Array) => void;

/** Messages of the audio thread, in order: a piece of speech, or the mark that ends an utterance. */
type FromListener = Int16Array | number;

/** A source of speech. */
export interface Microphone {
  /** Listen from now on; raise a `DOMException`, or an `Error` with a sentence, where that is impossible. */
  open(take: Take, ended: () => void): Promise<void>;
  /** Listen to the end of the utterance, then call `ended`, after its last piece. */
  finish(): void;
  /** Stop listening. */
  close(): void;
}

/** How long it stays open after use, so that the next word is not lost while it opens, ms. */
const KEPT_OPEN_MS = 20_000;

interface Opened {
  readonly context: AudioContext;
  readonly stream: MediaStream;
  readonly node: AudioWorkletNode;
}

/** The browser's microphone. */
export class BrowserMicrophone implements Microphone {
  private opened: Opened | null = null;
  private opening: Promise<Opened> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private take: Take | null = null;
  private ended: (() => void) | null = null;
  /** Number of the mark that ends this utterance; marks of earlier ones are ignored. */
  private mark = 0;

  async open(take: Take, ended: () => void): Promise<void> {
    clearTimeout(this.timer);
    this.mark++;
    this.take = take;
    this.ended = ended;
    this.opening ??= listen((heard) => this.heard(heard));
    try {
      this.opened = await this.opening;
    } catch (error) {
      this.opening = null;
      throw error;
    }
    await this.opened.context.resume();
    // A microphone that was unplugged or taken away is opened again the next time.
    if (this.opened.stream.getAudioTracks().some((track) => track.readyState === "ended")) {
      this.giveBack();
      throw new DOMException("it has ended", "NotReadableError");
    }
  }

  finish(): void {
    this.opened?.node.port.postMessage(++this.mark);
  }

  close(): void {
    this.take = this.ended = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.giveBack(), KEPT_OPEN_MS);
  }

  private heard(heard: FromListener): void {
    if (typeof heard !== "number") this.take?.(heard);
    else if (heard === this.mark) this.ended?.();
  }

  private giveBack(): void {
    this.opened?.stream.getTracks().forEach((track) => track.stop());
    void this.opened?.context.close();
    this.opened = this.opening = null;
  }
}

async function listen(take: (heard: FromListener) => void): Promise<Opened> {
  const { mediaDevices } = navigator as Partial<Navigator>;
  if (mediaDevices === undefined) throw new Error(texts().voice.insecure);
  const stream = await mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  const context = new AudioContext();
  await context.audioWorklet.addModule(new URL(LISTENER_URL, document.baseURI).href);
  const node = new AudioWorkletNode(context, "farhand-listener", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
  node.port.onmessage = (event: MessageEvent<FromListener>) => take(event.data);
  context.createMediaStreamSource(stream).connect(node);
  return { context, stream, node };
}

/** Return why there is no microphone, as a sentence. */
export function microphoneProblem(error: unknown): string {
  const labels = texts().voice;
  if (!(error instanceof Error)) return labels.unusable;
  switch (error.name) {
    case "NotAllowedError":
      return labels.notAllowed;
    case "NotFoundError":
      return labels.notFound;
    case "NotReadableError":
      return labels.notReadable;
    default:
      return error.message.endsWith(".") ? error.message : labels.unusableBecause(error.message);
  }
}
