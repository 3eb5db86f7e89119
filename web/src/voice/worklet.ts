/** Runs on the browser's audio thread: resamples speech into pieces for the page. */

import { RATE_HZ, Resampler } from "./resample.ts";

/** Samples per piece: 0.05 s. */
const PIECE_SAMPLES = 800;
/** Samples that are still taken after the key is released: they were spoken before that. */
const TAIL_SAMPLES = 0.1 * RATE_HZ;

class Listener extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate);
  private readonly piece = new Int16Array(PIECE_SAMPLES);
  private filled = 0;
  /** The mark that the page waits for, and the samples that come before it. */
  private mark = 0;
  private left = 0;

  constructor() {
    super();
    this.port.onmessage = (event: MessageEvent<number>) => {
      this.mark = event.data;
      this.left = TAIL_SAMPLES;
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
      if (this.filled === PIECE_SAMPLES || ending) this.post();
      if (ending) this.port.postMessage(this.mark);
    }
  }

  private post(): void {
    this.port.postMessage(this.piece.slice(0, this.filled));
    this.filled = 0;
  }
}

registerProcessor("farhand-listener", Listener);
