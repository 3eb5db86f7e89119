/** The clock that paces drawing, as an argument: tests set it by hand. */

export interface Clock {
  /** Milliseconds since some instant. */
  now(): number;
  /** Call back at the next frame of the display. */
  frame(callback: () => void): void;
  /** Call back after a time, ms; return the function that cancels it. */
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
