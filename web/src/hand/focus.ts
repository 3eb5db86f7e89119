/** Tells where a key was pressed. */

import type { Focus } from "./keyboard.ts";

const FIELDS = "input, textarea, select, [contenteditable='true']";
const BUTTONS = "button, a[href], summary, [role='switch'], [role='tab']";

export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return "page";
  if (target.closest(FIELDS) !== null) return "field";
  if (target.closest("[role='dialog']") !== null) return "dialog";
  return target.closest(BUTTONS) === null ? "page" : "button";
}
