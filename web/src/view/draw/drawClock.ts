/** Time, as an argument: drawing is paced by it, tests turn it by hand. */

export interface Clock {
  /** Milliseconds since some instant. */
  now(): number;
  /** Call back when the display wants its next picture. */
  frame(callback: () => void): void;
  /** Call back after so many milliseconds; returns how to call that off. */
  after(ms: number, callback: () => void): () => void;
}

/** The real one. */
export const CLOCK: Clock = {
  now: () => performance.now(),
  frame(callback) {
    if (typeof requestAnimationFrame === "function") requestAnimationFrame(() => callback());
    else setTimeout(callback, 16);
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
