/** Resamples sound from any rate to the one that the recogniser needs. */

/** Sampling rate of the recogniser, Hz. */
export const RATE_HZ = 16_000;
/** Zero crossings of the filter on either side, and its table entries between two samples. */
const CROSSINGS = 12;
const PHASES = 64;
/** Cut-off as a share of half of `RATE_HZ`. */
const PASS = 0.92;

/**
 * Resamples piece by piece with a low-pass filter, centred on each new instant.
 *
 *   y(t) = Σ x(k) · h(t − k),   h(s) = c · sinc(c · s) · w(s)
 *
 * with c the cut-off as a share of the old rate and w a Hann window.
 */
export class Resampler {
  private readonly step: number;
  private readonly half: number;
  private readonly table: readonly Float32Array[];
  /** The old samples that are still needed, and the position of the next new sample among them. */
  private kept: Float32Array;
  private at: number;

  constructor(rate: number) {
    this.step = rate / RATE_HZ;
    const cut = PASS * Math.min(1, 1 / this.step);
    this.half = Math.ceil(CROSSINGS / cut);
    this.table = Array.from({ length: PHASES + 1 }, (_, phase) => kernel(phase / PHASES, this.half, cut));
    this.kept = new Float32Array(this.half);
    this.at = this.half;
  }

  /** Take old samples; return the new ones that are complete with them, as int16. */
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

/** Return the filter's weights for an instant a share of a sample after the middle. */
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
