/** On the browser's audio thread: makes pieces of speech for the page, so that the page is not held up by sound. */

import { Resampler } from "./resample.ts";

/** Samples of a piece: a twentieth of a second. */
const PIECE = 800;

class Listener extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate);
  private readonly piece = new Int16Array(PIECE);
  private filled = 0;

  override process(inputs: Float32Array[][]): boolean {
    const samples = inputs[0]?.[0];
    if (samples !== undefined) this.add(this.resampler.take(samples));
    return true;
  }

  private add(samples: Int16Array): void {
    for (const sample of samples) {
      this.piece[this.filled++] = sample;
      if (this.filled < PIECE) continue;
      this.port.postMessage(this.piece.slice());
      this.filled = 0;
    }
  }
}

registerProcessor("farhand-listener", Listener);
