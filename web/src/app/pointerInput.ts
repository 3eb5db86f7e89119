/** Keeps the pointer from taking the keyboard's focus, and detects touch. */

import type { PageLook } from "../state/pageState.ts";

const FIELDS = "input, textarea, select";

/** Keep clicked buttons from taking the focus, so that Enter and the arrows still drive the robot. */
export function keepFocus(page: Document): void {
  page.addEventListener("mousedown", (event) => {
    if (!(event.target instanceof Element) || event.target.closest(FIELDS) !== null) return;
    if (event.target.closest("button") !== null) event.preventDefault();
    const focused = page.activeElement;
    if (focused instanceof HTMLElement && focused.matches(FIELDS)) focused.blur();
  });
}

/** Switch to the layout for touch on devices that are mainly touched, and at the first touch. */
export function detectTouch(look: PageLook): void {
  const coarse = window.matchMedia("(pointer: coarse)");
  look.touch.value = coarse.matches;
  coarse.addEventListener("change", () => {
    look.touch.value = coarse.matches;
  });
  window.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") look.touch.value = true;
  });
}
