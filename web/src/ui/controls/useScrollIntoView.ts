/** Scrolls a section into view when it opens or its content changes. */

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * Return a reference to a section that is scrolled into view when it opens, and again when its content changes: as a
 * whole, or from its top if it is higher than the column.
 */
export function useScrollIntoView(open: boolean, content = ""): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open || place.current === null) return;
    const column = place.current.closest(".side");
    const whole = column === null || place.current.offsetHeight <= column.clientHeight;
    place.current.scrollIntoView({ block: whole ? "nearest" : "start" });
  }, [open, content]);
  return place;
}
