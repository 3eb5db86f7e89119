/** Brings what has just been unfolded, or has grown since, into sight. */

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * Return a place that is scrolled to when it is opened, or shows something else: as a whole, or from its top if it is
 * higher than the column.
 */
export function useShown(open: boolean, what = ""): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open || place.current === null) return;
    const column = place.current.closest(".side");
    const whole = column === null || place.current.offsetHeight <= column.clientHeight;
    place.current.scrollIntoView({ block: whole ? "nearest" : "start" });
  }, [open, what]);
  return place;
}
