/** The microphone: opened when somebody speaks, given back when nobody has for a while. */

/** Takes a piece of speech: int16, `RATE` samples a second. */
export type Take = (pcm: Int16Array) => void;

/** What the audio thread says, in order: a piece, or that all is heard that belongs before a mark. */
type FromListener = Int16Array | number;

/** Something that hears. */
export interface Microphone {
  /** Hear from now on; raises a `DOMException`, or an `Error` with a sentence, where that cannot be. */
  open(take: Take, ended: () => void): Promise<void>;
  /** Hear what was just being said to its end, then call `ended`: after all that was heard, however late that comes. */
  finish(): void;
  /** Hear no more. */
  close(): void;
}

/** Milliseconds for which it stays open, so that the next word is not lost while it opens. */
const KEPT = 20_000;
const INSECURE = "The microphone can be used only over https, or on the machine that runs Farhand.";

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
  /** Number of the end that is waited for: one of an utterance before this one is none. */
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
    // One that was unplugged, or taken away, is opened anew the next time.
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
    this.timer = setTimeout(() => this.giveBack(), KEPT);
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
  if (mediaDevices === undefined) throw new Error(INSECURE);
  const stream = await mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  const context = new AudioContext();
  await context.audioWorklet.addModule(new URL(LISTENER_URL, document.baseURI).href);
  const node = new AudioWorkletNode(context, "farhand-listener", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
  node.port.onmessage = (event: MessageEvent<FromListener>) => take(event.data);
  context.createMediaStreamSource(stream).connect(node);
  return { context, stream, node };
}

/** Return why there is no microphone, as a sentence. */
export function microphoneWords(error: unknown): string {
  if (!(error instanceof Error)) return "The microphone cannot be used.";
  switch (error.name) {
    case "NotAllowedError":
      return "The browser does not let this page use the microphone. Allow it beside the page's address.";
    case "NotFoundError":
      return "There is no microphone.";
    case "NotReadableError":
      return "The microphone does not answer. Another program may be using it.";
    default:
      return error.message.endsWith(".") ? error.message : `The microphone cannot be used: ${error.message}.`;
  }
}
