/** Samples of signals over time: a ring of rows with a column per signal, in typed arrays of fixed size. */

/** Samples of a span of time, oldest first. */
export interface Window {
  /** Seconds of the cell's time. */
  readonly times: Float64Array;
  /** A column for each requested signal; NaN where there is no sample. */
  readonly columns: readonly Float32Array[];
}

const EMPTY = new Float32Array(0);

export class SampleTable {
  private readonly ticks: Float64Array;
  private columns = new Map<string, Float32Array>();
  /** Rows ever written since the last clearing; the newest is at (written - 1) % capacity. */
  private written = 0;

  constructor(
    readonly capacity: number,
    /** Seconds per tick. */
    readonly timestep: number,
  ) {
    this.ticks = new Float64Array(capacity);
  }

  get length(): number {
    return Math.min(this.written, this.capacity);
  }

  /** Tick of the newest row, or null. */
  get newest(): number | null {
    return this.written === 0 ? null : (this.ticks[(this.written - 1) % this.capacity] ?? null);
  }

  /** Tick of the oldest row, or null. */
  get oldest(): number | null {
    return this.written === 0 ? null : (this.ticks[this.at(0)] ?? null);
  }

  /** Append rows of consecutive ticks: for each tick all signals in the order of `names`. */
  append(tick: number, names: readonly string[], values: Float32Array): void {
    if (names.length === 0) return;
    const newest = this.newest;
    // An earlier tick means that the cell was restarted.
    if (newest !== null && tick <= newest) this.clear();
    // A gap in the ticks becomes a gap in the plot.
    else if (newest !== null && tick > newest + 1) this.begin(newest + 1);
    const columns = names.map((name) => this.column(name));
    const rows = Math.floor(values.length / names.length);
    for (let row = 0; row < rows; row += 1) {
      const at = this.begin(tick + row);
      columns.forEach((column, index) => {
        column[at] = values[row * names.length + index] ?? NaN;
      });
    }
  }

  /**
   * Take rows of a record, in which a tick always has the same values: add those after the newest row, ignore known
   * ones, and begin again after a jump.
   */
  merge(tick: number, names: readonly string[], values: Float32Array): void {
    const rows = names.length === 0 ? 0 : Math.floor(values.length / names.length);
    const [oldest, newest] = [this.oldest, this.newest];
    const unknown = names.some((name) => !this.columns.has(name));
    if (oldest === null || newest === null || unknown || tick < oldest || tick > newest + 1) {
      this.clear();
      return this.append(tick, names, values);
    }
    const known = newest + 1 - tick;
    if (known < rows) this.append(newest + 1, names, values.subarray(known * names.length));
  }

  /** Drop the signals that are no longer plotted. */
  keep(names: readonly string[]): void {
    this.columns = new Map([...this.columns].filter(([name]) => names.includes(name)));
  }

  clear(): void {
    this.written = 0;
    for (const column of this.columns.values()) column.fill(NaN);
  }

  /** Return the samples of the last `seconds` up to and including `end` (a tick; the newest if null). */
  window(names: readonly string[], seconds: number, end: number | null = null): Window {
    const last = end ?? this.newest ?? 0;
    const first = last - seconds / this.timestep;
    const from = this.lowest(first);
    const to = this.lowest(last + 0.5);
    const count = to - from;
    const times = new Float64Array(count);
    for (let row = 0; row < count; row += 1) times[row] = (this.ticks[this.at(from + row)] ?? 0) * this.timestep;
    return { times, columns: names.map((name) => this.slice(name, from, count)) };
  }

  /** Start an empty row and return its index. */
  private begin(tick: number): number {
    const at = this.written % this.capacity;
    this.written += 1;
    this.ticks[at] = tick;
    for (const column of this.columns.values()) column[at] = NaN;
    return at;
  }

  private column(name: string): Float32Array {
    const known = this.columns.get(name);
    if (known !== undefined) return known;
    const made = new Float32Array(this.capacity).fill(NaN);
    this.columns.set(name, made);
    return made;
  }

  private slice(name: string, from: number, count: number): Float32Array {
    const column = this.columns.get(name) ?? EMPTY;
    const values = new Float32Array(count);
    for (let row = 0; row < count; row += 1) values[row] = column[this.at(from + row)] ?? NaN;
    return values;
  }

  /** Return the index of a row, counted from the oldest kept. */
  private at(row: number): number {
    return (this.written - this.length + row) % this.capacity;
  }

  /** Return the first row whose tick is not below this one, by bisection. */
  private lowest(tick: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ticks[this.at(middle)] ?? 0) < tick) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
