/** Any sampling rate to the one that speech is recognised at. */

/** Samples a second that the server understands. */
export const RATE = 16_000;
/** Zero crossings of the filter on either side, and how finely it is tabulated between two samples. */
const CROSSINGS = 12;
const PHASES = 64;
/** Share of the half of `RATE` up to which sound passes. */
const PASS = 0.92;

/**
 * Resamples piece by piece, by a low-pass filter that is laid over the samples at each new instant.
 *
 *   y(t) = Σ x(k) · h(t − k),   h(s) = c · sinc(c · s) · w(s)
 *
 * with c the cut-off in shares of the old rate and w a Hann window.
 */
export class Resampler {
  private readonly step: number;
  private readonly half: number;
  private readonly table: readonly Float32Array[];
  /** The newest samples that are still needed, and where among them the next new sample lies. */
  private kept: Float32Array;
  private at: number;

  constructor(rate: number) {
    this.step = rate / RATE;
    const cut = PASS * Math.min(1, 1 / this.step);
    this.half = Math.ceil(CROSSINGS / cut);
    this.table = Array.from({ length: PHASES + 1 }, (_, phase) => kernel(phase / PHASES, this.half, cut));
    this.kept = new Float32Array(this.half);
    this.at = this.half;
  }

  /** Take old samples and return the new ones that they make possible, as int16. */
  take(samples: Float32Array): Int16Array<ArrayBuffer> {
    const all = joined(this.kept, samples);
    const made: number[] = [];
    for (; this.at + this.half < all.length; this.at += this.step) made.push(this.sample(all));
    const drop = Math.max(0, Math.floor(this.at) - this.half);
    this.kept = all.slice(drop);
    this.at -= drop;
    return Int16Array.from(made, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32767))));
  }

  private sample(all: Float32Array): number {
    const whole = Math.floor(this.at);
    const weights = this.table[Math.round((this.at - whole) * PHASES)];
    const first = whole - this.half + 1;
    let sum = 0;
    if (weights !== undefined) for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (all[first + i] ?? 0);
    return sum;
  }
}

/** Return the filter's weights for an instant that lies a share of a sample after the middle. */
function kernel(share: number, half: number, cut: number): Float32Array {
  const weights = Float32Array.from({ length: 2 * half }, (_, i) => {
    const s = i - half + 1 - share;
    return sinc(cut * s) * (0.5 + 0.5 * Math.cos((Math.PI * s) / (half + 1)));
  });
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function joined(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
