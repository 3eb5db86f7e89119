/** Calls drawing functions at most 30 times per second, and not while the page is hidden. */

const EVERY_MS = 1000 / 30;
/** Interval without a graphics card: the pictures of the cell come first. */
const CALM_EVERY_MS = 1000 / 12;

export class RedrawLoop {
  private readonly drawers = new Set<() => void>();
  private last = 0;
  private asked = false;
  private every = EVERY_MS;

  /** Call less often, or at the normal rate. */
  calm(calm: boolean): void {
    this.every = calm ? CALM_EVERY_MS : EVERY_MS;
  }

  /** Call `draw` from now on; return the function that ends it. */
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
