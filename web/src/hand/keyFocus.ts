/** Finds the element that had the focus when a key was pressed. */

import type { Focus } from "./keyboard.ts";

const FIELDS = "input, textarea, select, [contenteditable='true']";
const BUTTONS = "button, a[href], summary, [role='switch'], [role='tab']";

export function focusOf(target: EventTarget | null, dialogOpen: boolean): Focus {
  const inside = (places: string): boolean => target instanceof Element && target.closest(places) !== null;
  if (inside(FIELDS)) return "field";
  if (dialogOpen) return "dialog";
  return inside(BUTTONS) ? "button" : "page";
}
