/** What gives way where drawing is slow: the small views first, then the large camera's detail. It comes back in the other order. */

import { typical } from "./drawCosts.ts";
import { detailAfter } from "./viewSchedule.ts";
import type { Rota } from "./viewSchedule.ts";

/** So many pictures are judged together: one that was held up says nothing. */
const JUDGED = 3;

export class Balance {
  /** Share of its pixels, along each side, with which the large camera is drawn while something moves. */
  detail = 1;
  private times: readonly number[] = [];

  /** `slow`: a picture shall take no longer than this (ms). */
  constructor(
    private readonly rota: Rota,
    private readonly slow: number,
  ) {}

  /** A picture took so long (ms); `width` is that of the large camera in pixels, if a camera is large. */
  spent(ms: number, width: number | null): void {
    this.times = [...this.times, ms];
    if (this.times.length < JUDGED) return;
    const usual = typical(this.times);
    this.times = [];
    const large = usual > this.slow ? !this.rota.spare : this.detail < 1;
    if (width !== null && large) this.detail = detailAfter(this.detail, usual, this.slow, width);
    else this.rota.spent(usual);
  }
}
