/** What the pointer must not do to the keyboard, and what it tells about the operator's hands. */

import type { PageLook } from "../state/pageState.ts";

const FIELDS = "input, textarea, select";

/** Keep the keyboard's focus away from buttons that are only clicked: Enter and the arrows stay with the robot. */
export function keepFocus(page: Document): void {
  page.addEventListener("mousedown", (event) => {
    if (!(event.target instanceof Element) || event.target.closest(FIELDS) !== null) return;
    if (event.target.closest("button") !== null) event.preventDefault();
    const focused = page.activeElement;
    if (focused instanceof HTMLElement && focused.matches(FIELDS)) focused.blur();
  });
}

/** Show what fingers need on devices that have mainly those, and from the first touch on. */
export function noticeTouch(look: PageLook): void {
  const coarse = window.matchMedia("(pointer: coarse)");
  look.touch.value = coarse.matches;
  coarse.addEventListener("change", () => {
    look.touch.value = coarse.matches;
  });
  window.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") look.touch.value = true;
  });
}
