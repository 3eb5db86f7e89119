/** Keeps the pointer from taking the keyboard's focus, and detects touch. */

import type { PageState } from "../state/pageState.ts";

const FIELDS = "input, textarea, select";

/** Keep clicked buttons from taking the focus, so that Enter and the arrows still drive the robot. */
export function keepFocus(tab: Document): void {
  tab.addEventListener("mousedown", (event) => {
    if (!(event.target instanceof Element) || event.target.closest(FIELDS) !== null) return;
    if (event.target.closest("button") !== null) event.preventDefault();
    const focused = tab.activeElement;
    if (focused instanceof HTMLElement && focused.matches(FIELDS)) focused.blur();
  });
}

/** Switch to the layout for touch on devices that are mainly touched, and at the first touch. */
export function detectTouch(page: PageState): void {
  const coarse = window.matchMedia("(pointer: coarse)");
  page.touch.value = coarse.matches;
  coarse.addEventListener("change", () => {
    page.touch.value = coarse.matches;
  });
  window.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") page.touch.value = true;
  });
}
