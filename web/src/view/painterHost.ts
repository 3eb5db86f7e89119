/** Starts the painter in a worker, or within the page where that fails, or reports why nothing is drawn. */

import { texts } from "../language/language.ts";
import type { DrawingModule, FromPainter, Role, PictureSize, Start, ToPainter } from "./painterProtocol.ts";

export interface PainterHost {
  send(message: ToPainter): void;
  dispose(): void;
}

interface Painter {
  receive(message: ToPainter): void;
  dispose(): void;
}

/** Start drawing into an element, on canvases of its own; `tell` receives the painter's messages. */
export function openPainter(element: HTMLElement, role: Role, size: () => PictureSize, tell: (message: FromPainter) => void): PainterHost {
  // Messages wait here until the painter has started.
  const told: ToPainter[] = [];
  let painter: Painter | null = null;
  let closed = false;

  function serve(next: Painter): void {
    if (closed) {
      next.dispose();
      return;
    }
    painter = next;
    for (const message of told) next.receive(message);
    told.length = 0;
  }

  function hear(message: FromPainter): void {
    if (!closed) tell(message);
  }

  open(element, role, size, hear).then(serve, (reason: unknown) => {
    told.length = 0;
    painter = { receive: () => undefined, dispose: () => undefined };
    hear({ type: "failed", reason: reason instanceof NoWebGl ? texts().view.noWebGl : texts().view.notLoaded });
  });

  return {
    send(message) {
      if (painter !== null) painter.receive(message);
      else remember(told, message);
    },
    dispose() {
      closed = true;
      painter?.dispose();
      painter = null;
    },
  };
}

/** Keep a message for later; of most types only the newest counts. */
function remember(told: ToPainter[], message: ToPainter): void {
  if (message.type !== "mesh") {
    const old = told.findIndex((other) => other.type === message.type);
    if (old >= 0) told.splice(old, 1);
  }
  told.push(message);
}

class NoWebGl extends Error {}

type Tell = (message: FromPainter) => void;

async function open(element: HTMLElement, role: Role, size: () => PictureSize, tell: Tell): Promise<Painter> {
  if (canUseWorker()) {
    try {
      return await inWorker(element, role, size(), tell);
    } catch {
      // The page may be able to draw where a worker cannot.
    }
  }
  return inPage(element, role, size(), tell);
}

function canUseWorker(): boolean {
  return (
    typeof Worker === "function" &&
    typeof OffscreenCanvas === "function" &&
    "transferControlToOffscreen" in HTMLCanvasElement.prototype
  );
}

/** Return the full address of the drawing bundle: workers and imports resolve relative ones differently. */
function address(): string {
  return new URL(VIEW_WORKER_URL, document.baseURI).href;
}

/** Put a new canvas into the element. */
function addCanvas(element: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  Object.assign(canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%", display: "block" });
  element.prepend(canvas);
  return canvas;
}

function inWorker(element: HTMLElement, role: Role, size: PictureSize, tell: Tell): Promise<Painter> {
  const canvas = addCanvas(element);
  const worker = new Worker(address(), { type: "module", name: "farhand-view" });
  const painter: Painter = {
    receive: (message) => worker.postMessage(message),
    dispose() {
      worker.terminate();
      canvas.remove();
    },
  };
  return new Promise((resolve, reject) => {
    function fail(): void {
      painter.dispose();
      reject(new NoWebGl());
    }
    worker.onerror = fail;
    worker.onmessage = (event: MessageEvent<FromPainter>) => {
      if (event.data.type === "failed") {
        fail();
        return;
      }
      if (event.data.type === "ready") {
        worker.onerror = () => tell({ type: "problem", problem: "crashed" });
        resolve(painter);
      }
      tell(event.data);
    };
    const offscreen = canvas.transferControlToOffscreen();
    worker.postMessage({ type: "start", canvas: offscreen, size, role } satisfies Start, [offscreen]);
  });
}

async function inPage(element: HTMLElement, role: Role, size: PictureSize, tell: Tell): Promise<Painter> {
  const module = (await import(address())) as DrawingModule;
  const canvas = addCanvas(element);
  // An empty canvas is black and would hide the message behind it.
  canvas.style.visibility = "hidden";
  const hear: Tell = (message) => {
    if (message.type === "seen") canvas.style.visibility = "";
    tell(message);
  };
  try {
    const painter = module.drawHere(canvas, size, hear, role);
    return {
      receive: (message) => painter.receive(message),
      dispose() {
        painter.dispose();
        canvas.remove();
      },
    };
  } catch {
    canvas.remove();
    throw new NoWebGl();
  }
}
