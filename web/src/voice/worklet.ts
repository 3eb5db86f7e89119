/** On the browser's audio thread: makes pieces of speech for the page, so that the page is not held up by sound. */

import { RATE, Resampler } from "./resample.ts";

/** Samples of a piece: a twentieth of a second. */
const PIECE = 800;
/** Samples that are still heard when the key is let go: they were spoken before that. */
const TAIL = 0.1 * RATE;

class Listener extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate);
  private readonly piece = new Int16Array(PIECE);
  private filled = 0;
  /** What the page waits for, and how many samples come before it. */
  private mark = 0;
  private left = 0;

  constructor() {
    super();
    this.port.onmessage = (event: MessageEvent<number>) => {
      this.mark = event.data;
      this.left = TAIL;
    };
  }

  override process(inputs: Float32Array[][]): boolean {
    const samples = inputs[0]?.[0];
    if (samples !== undefined) this.add(this.resampler.take(samples));
    return true;
  }

  private add(samples: Int16Array): void {
    for (const sample of samples) {
      this.piece[this.filled++] = sample;
      const ending = this.left > 0 && --this.left === 0;
      if (this.filled === PIECE || ending) this.hand();
      if (ending) this.port.postMessage(this.mark);
    }
  }

  private hand(): void {
    this.port.postMessage(this.piece.slice(0, this.filled));
    this.filled = 0;
  }
}

registerProcessor("farhand-listener", Listener);
