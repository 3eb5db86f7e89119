/** Measures how long a picture takes until it is really done, without waiting for it: drawing goes on elsewhere. */

const POLL_MS = 1;
/** A driver that never says it is done is not asked for ever. */
const GIVE_UP_MS = 2000;

export class Stopwatch {
  private readonly gl: WebGL2RenderingContext;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
  }

  /** Call `done` with the milliseconds since `start` once everything that was asked for so far is drawn. */
  measure(start: number, done: (ms: number) => void): void {
    const { gl } = this;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const poll = (): void => {
      const ms = performance.now() - start;
      const over = fence === null || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
      if (!over && ms < GIVE_UP_MS && !gl.isContextLost()) {
        this.timer = setTimeout(poll, POLL_MS);
        return;
      }
      gl.deleteSync(fence);
      done(ms);
    };
    this.timer = setTimeout(poll, 0);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
