/** Detects that the operator has left: another window, a hidden tab, a closed page. */

/** Call `release` at once whenever the page loses the operator. */
export function whenLeft(page: EventTarget, tab: EventTarget & { readonly hidden: boolean }, release: () => void): void {
  page.addEventListener("blur", release);
  page.addEventListener("pagehide", release);
  tab.addEventListener("visibilitychange", () => {
    if (tab.hidden) release();
  });
}
