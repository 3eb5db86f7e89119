/** Balances drawing on slow machines: the small views give way first, then the large camera's detail; and back. */

import { typical } from "./drawCosts.ts";
import { detailAfter } from "./viewSchedule.ts";
import type { ViewSchedule } from "./viewSchedule.ts";

/** Number of pictures that are judged together, so that one held-up picture does not count. */
const JUDGED_PICTURES = 3;

export class DetailBalance {
  /** Resolution of the large camera while anything moves, as a share along each side. */
  detail = 1;
  private times: readonly number[] = [];

  /** `slow`: longest time that a picture may take, ms. */
  constructor(
    private readonly schedule: ViewSchedule,
    private readonly slow: number,
  ) {}

  /** Take the time of a picture, ms, and the width of the large camera, pixels, if there is one. */
  spent(ms: number, width: number | null): void {
    this.times = [...this.times, ms];
    if (this.times.length < JUDGED_PICTURES) return;
    const usual = typical(this.times);
    this.times = [];
    const large = usual > this.slow ? !this.schedule.spare : this.detail < 1;
    if (width !== null && large) this.detail = detailAfter(this.detail, usual, this.slow, width);
    else this.schedule.spent(usual);
  }
}
