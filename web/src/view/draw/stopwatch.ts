/** Measures the time until a picture is complete, without blocking: the graphics driver draws in the background. */

import type { Clock } from "./drawClock.ts";

const POLL_MS = 1;
/** Time after which a driver that reports no end is no longer polled, ms. */
const GIVE_UP_MS = 10_000;

export class Stopwatch {
  private readonly gl: WebGL2RenderingContext;
  private readonly clock: Clock;
  private forget: () => void = () => undefined;

  constructor(gl: WebGL2RenderingContext, clock: Clock) {
    this.gl = gl;
    this.clock = clock;
  }

  /** Call `done` with the milliseconds since `start` once all drawing requested so far is complete. */
  measure(start: number, done: (ms: number) => void): void {
    const { gl } = this;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const poll = (): void => {
      const ms = this.clock.now() - start;
      const over = fence === null || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
      if (!over && ms < GIVE_UP_MS && !gl.isContextLost()) {
        this.forget = this.clock.after(POLL_MS, poll);
        return;
      }
      gl.deleteSync(fence);
      done(ms);
    };
    this.forget = this.clock.after(0, poll);
  }

  dispose(): void {
    this.forget();
  }
}
