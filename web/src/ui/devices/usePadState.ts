/** The state of a device, refreshed as often as the page is drawn. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PadState } from "../../hand/padProfile.ts";
import { redraw } from "../../plots/redrawLoop.ts";
import { useConsole } from "../context.ts";

export function usePadState(id: string): PadState | null {
  const { pads } = useConsole().devices;
  const state = useSignal<PadState | null>(pads.state(id));
  useEffect(
    () =>
      redraw.add(() => {
        state.value = pads.state(id);
      }),
    [id, pads],
  );
  return state.value;
}
