/** The bundle that draws: as a worker it waits for its canvas; loaded into the page it offers `drawHere`. */

import { Painter } from "./draw/painter.ts";
import type { DrawingModule, FromPainter, Start, ToPainter } from "./protocol.ts";

/** What is used of a worker's global scope. */
interface WorkerScope {
  postMessage(message: FromPainter): void;
  onmessage: ((event: MessageEvent<Start | ToPainter>) => void) | null;
}

/** Draw within the page. Raises an error where WebGL is missing. */
export const drawHere: DrawingModule["drawHere"] = (canvas, size, tell) => new Painter(canvas, size, "page", tell);

function serve(scope: WorkerScope): void {
  const tell = (message: FromPainter): void => scope.postMessage(message);
  let painter: Painter | null = null;
  scope.onmessage = ({ data }) => {
    if (data.type !== "start") {
      painter?.receive(data);
      return;
    }
    try {
      painter = new Painter(data.canvas, data.size, "worker", tell);
    } catch (error) {
      tell({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
    }
  };
}

if (typeof document === "undefined") serve(globalThis);
