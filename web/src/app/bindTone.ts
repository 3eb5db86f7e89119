/** Binds the clearance tone to the robot while it is driven from this page. */

import { effect, signal } from "@preact/signals";
import { soundOf } from "../sound/clearanceSound.ts";
import type { Tone } from "../sound/tone.ts";
import type { PageState } from "../state/pageState.ts";
import type { Store } from "../state/store.ts";

/** Return whether the picked robot is driven by hand from this page now. */
export function drivenHere(store: Store): boolean {
  if (!store.commanding.value || store.stalled.value !== null) return false;
  return store.mode.value === "teleoperation" && !store.demonstrating.value && !store.generating.value;
}

export function bindTone(tone: Pick<Tone, "play">, store: Store, page: PageState, tab: Document): void {
  const hidden = signal(tab.hidden);
  tab.addEventListener("visibilitychange", () => {
    hidden.value = tab.hidden;
  });
  effect(() => {
    const heard = page.tone.value && !hidden.value && drivenHere(store);
    tone.play(heard ? soundOf(store.shown.value?.near ?? null) : null);
  });
}
