/** Calls whoever draws at most 30 times a second, and not at all while the page is hidden. */

const EVERY = 1000 / 30;
/** Where the processor draws all there is to see, the pictures of the cell come first. */
const CALM_EVERY = 1000 / 12;

export class RedrawLoop {
  private readonly drawers = new Set<() => void>();
  private last = 0;
  private asked = false;
  private every = EVERY;

  /** Call less often, or as often as before. */
  calm(calm: boolean): void {
    this.every = calm ? CALM_EVERY : EVERY;
  }

  /** Call `draw` from now on; returns what ends that. */
  add(draw: () => void): () => void {
    this.drawers.add(draw);
    this.ask();
    return () => void this.drawers.delete(draw);
  }

  private ask(): void {
    if (this.asked || this.drawers.size === 0) return;
    this.asked = true;
    // The browser does not call while the page is hidden.
    requestAnimationFrame((now) => {
      this.asked = false;
      if (now - this.last >= this.every - 4) {
        this.last = now;
        for (const draw of this.drawers) draw();
      }
      this.ask();
    });
  }
}

export const redraw = new RedrawLoop();
