/** Binds the clearance tone to the robot while it is driven from this page. */

import { effect, signal } from "@preact/signals";
import { soundOf } from "../sound/clearanceSound.ts";
import type { Tone } from "../sound/tone.ts";
import type { PageLook } from "../state/pageState.ts";
import type { Store } from "../state/store.ts";

/** Return whether the picked robot is driven by hand from this page now. */
export function drivenHere(store: Store): boolean {
  if (!store.commanding.value || store.stalled.value !== null) return false;
  return store.mode.value === "teleoperation" && !store.demonstrating.value && !store.generating.value;
}

export function bindTone(tone: Pick<Tone, "play">, store: Store, look: PageLook, page: Document): void {
  const hidden = signal(page.hidden);
  page.addEventListener("visibilitychange", () => {
    hidden.value = page.hidden;
  });
  effect(() => {
    const heard = look.tone.value && !hidden.value && drivenHere(store);
    tone.play(heard ? soundOf(store.shown.value?.near ?? null) : null);
  });
}
