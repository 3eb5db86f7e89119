/** The drawing bundle: a worker that waits for its canvas, or a module with `drawHere` for the page. */

import { Painter } from "./draw/painter.ts";
import type { DrawingModule, FromPainter, Role, Start, ToPainter, Where } from "./painterProtocol.ts";

/** Share of the time that drawing may take, in a worker or within the page. */
const SHARE: Record<Role, Record<Where, number>> = { main: { worker: 0.5, page: 0.25 }, side: { worker: 0.2, page: 0.1 } };

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  postMessage(message: FromPainter, options: { transfer: Transferable[] }): void;
  onmessage: ((event: MessageEvent<Start | ToPainter>) => void) | null;
}

/** Draw within the page; raise an error where WebGL is missing. */
export const drawHere: DrawingModule["drawHere"] = (canvas, size, tell, role) =>
  new Painter(canvas, size, SHARE[role].page, tell);

function serve(scope: WorkerScope): void {
  const tell = (message: FromPainter): void => scope.postMessage(message, { transfer: transferables(message) });
  let painter: Painter | null = null;
  scope.onmessage = ({ data }) => {
    if (data.type !== "start") {
      painter?.receive(data);
      return;
    }
    try {
      painter = new Painter(data.canvas, data.size, SHARE[data.role].worker, tell);
    } catch (error) {
      tell({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
    }
  };
}

/** Return the buffers to transfer with a message instead of copying them. */
function transferables(message: FromPainter): Transferable[] {
  return message.type === "frame" ? [message.frame.pixels.buffer] : [];
}

if (typeof document === "undefined") serve(globalThis);
