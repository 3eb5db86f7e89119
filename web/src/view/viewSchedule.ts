/** Which of several views are drawn next: the large one in every picture, small ones in turn, as many as there is time for. */

/** Small views in each picture, at least: every second picture has one. */
const FEWEST = 0.5;
const FEWER = 0.5;
const MORE = 0.5;

/** The large camera is drawn with this share of its pixels along each side, at least, and with so many in a row. */
const COARSEST = 0.5;
const LEAST_WIDTH = 320;
const COARSER = 0.8;
const FINER = 1.1;
/** It is drawn finer again when pictures take less than this share of what they may. */
const EASY = 0.6;

/** Return with what share of its pixels a camera is drawn after pictures that took so long and may take `slow` (ms). */
export function detailAfter(detail: number, ms: number, slow: number, width: number): number {
  if (ms > slow) return Math.max(COARSEST, Math.min(1, LEAST_WIDTH / width), detail * COARSER);
  return ms < slow * EASY ? Math.min(1, detail * FINER) : detail;
}

export class Rota {
  private large: string | null = null;
  private small: readonly string[] = [];
  private readonly stale = new Set<string>();
  /** How many small views each picture has, on average. */
  private share = 1;
  private owed = 0;

  /** `slow`: a picture shall take no longer than this (ms). */
  constructor(private readonly slow: number) {}

  /** Draw these from now on. */
  set(large: string | null, small: readonly string[]): void {
    this.large = large;
    this.small = small;
    this.share = Math.min(this.share, Math.max(1, small.length));
    this.change();
  }

  /** Something moved: every view is out of date. */
  change(): void {
    if (this.large !== null) this.stale.add(this.large);
    for (const view of this.small) this.stale.add(view);
    for (const view of this.stale) if (view !== this.large && !this.small.includes(view)) this.stale.delete(view);
  }

  /** Return what to draw in this picture; with `all`, whatever there is. */
  next(all: boolean): string[] {
    if (all) this.change();
    const waiting = this.small.filter((view) => this.stale.has(view));
    const large = this.large !== null && this.stale.has(this.large) ? [this.large] : [];
    this.owed = all ? waiting.length : Math.min(this.owed + this.share, this.small.length);
    // Without a large one to draw, a picture has one small one at least: it would be empty.
    const count = Math.max(Math.floor(this.owed), large.length === 0 ? 1 : 0);
    const turn = [...large, ...waiting.slice(0, count)];
    this.owed = Math.max(0, this.owed - count);
    this.small = [...this.small.filter((view) => !turn.includes(view)), ...this.small.filter((view) => turn.includes(view))];
    for (const view of turn) this.stale.delete(view);
    return turn;
  }

  /** Whether something is left that is out of date. */
  get more(): boolean {
    return this.stale.size > 0;
  }

  /** Whether small views could be drawn less often than they are. */
  get spare(): boolean {
    return this.small.length > 0 && this.share > FEWEST;
  }

  /** Pictures usually took so long (ms). */
  spent(ms: number): void {
    if (ms > this.slow) this.share = Math.max(FEWEST, this.share * FEWER);
    else if (ms < this.slow / 2) this.share = Math.min(Math.max(1, this.small.length), this.share + MORE);
  }
}
