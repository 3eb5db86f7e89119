/** The order in which views are drawn: the large one in every picture, small ones in turn, as time allows. */

/** Fewest small views per picture, and the factor and step by which their number changes. */
const MIN_SMALL_VIEWS = 0.5;
const FEWER_FACTOR = 0.5;
const MORE_STEP = 0.5;

/** Lowest detail of the large camera, as a share along each side, and its least width, pixels. */
const MIN_DETAIL = 0.5;
const MIN_WIDTH = 320;
const COARSER_FACTOR = 0.8;
const FINER_FACTOR = 1.1;
/** Share of the allowed time below which the detail is raised again. */
const EASY_SHARE = 0.6;

/** Return the detail of the large camera after pictures that took `ms` of at most `slow` (ms). */
export function detailAfter(detail: number, ms: number, slow: number, width: number): number {
  if (ms > slow) return Math.max(MIN_DETAIL, Math.min(1, MIN_WIDTH / width), detail * COARSER_FACTOR);
  return ms < slow * EASY_SHARE ? Math.min(1, detail * FINER_FACTOR) : detail;
}

export class ViewSchedule {
  private large: string | null = null;
  private small: readonly string[] = [];
  private readonly stale = new Set<string>();
  /** Average number of small views per picture. */
  private share = 1;
  private owed = 0;

  /** `slow`: longest time that a picture may take, ms. */
  constructor(private readonly slow: number) {}

  /** Set the views to draw. */
  set(large: string | null, small: readonly string[]): void {
    this.large = large;
    this.small = small;
    this.share = Math.min(this.share, Math.max(1, small.length));
    this.change();
  }

  /** Mark every view as out of date. */
  change(): void {
    if (this.large !== null) this.stale.add(this.large);
    for (const view of this.small) this.stale.add(view);
    for (const view of this.stale) if (view !== this.large && !this.small.includes(view)) this.stale.delete(view);
  }

  /** Return the views to draw in this picture; with `all`, every view. */
  next(all: boolean): string[] {
    if (all) this.change();
    const waiting = this.small.filter((view) => this.stale.has(view));
    const large = this.large !== null && this.stale.has(this.large) ? [this.large] : [];
    this.owed = all ? waiting.length : Math.min(this.owed + this.share, this.small.length);
    // Without a large view the picture draws at least one small view, so that it is not empty.
    const count = Math.max(Math.floor(this.owed), large.length === 0 ? 1 : 0);
    const turn = [...large, ...waiting.slice(0, count)];
    this.owed = Math.max(0, this.owed - count);
    this.small = [...this.small.filter((view) => !turn.includes(view)), ...this.small.filter((view) => turn.includes(view))];
    for (const view of turn) this.stale.delete(view);
    return turn;
  }

  /** True while a view is out of date. */
  get more(): boolean {
    return this.stale.size > 0;
  }

  /** True while small views could be drawn less often. */
  get spare(): boolean {
    return this.small.length > 0 && this.share > MIN_SMALL_VIEWS;
  }

  /** Take the usual time of pictures, ms. */
  spent(ms: number): void {
    if (ms > this.slow) this.share = Math.max(MIN_SMALL_VIEWS, this.share * FEWER_FACTOR);
    else if (ms < this.slow / 2) this.share = Math.min(Math.max(1, this.small.length), this.share + MORE_STEP);
  }
}
