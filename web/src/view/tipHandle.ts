/** The handle at a robot's tip: hovering lights it up, dragging it says where the tip is wanted. */

import type { Place } from "../wire.gen.ts";
import type { Drag } from "./api.ts";
import type { Orbit, Pane } from "./orbitCamera.ts";
import { applyInverse } from "./math.ts";
import type { Rigid, Vec3 } from "./math.ts";
import { onHandle } from "./picking.ts";
import type { HandleLook } from "./painterProtocol.ts";
import { grab, lead } from "./tipDragGeometry.ts";
import type { TipDrag, Way } from "./tipDragGeometry.ts";

/** A robot that can be dragged: where its tip and base are now. */
export interface Draggable {
  readonly robot: string;
  readonly place: Place;
  tip(): Rigid | null;
  base(): Rigid | null;
}

/** What the handle needs to know of the view, and whom it tells. */
export interface Surface {
  orbit(): Orbit;
  pane(): Pane;
  show(handle: HandleLook | null): void;
  emit(drag: Drag): void;
}

export class TipHandle {
  private readonly element: HTMLElement;
  private readonly surface: Surface;
  private readonly listening = new AbortController();
  private held: Draggable | null = null;
  private hot = false;
  private drag: { readonly pointer: number; state: TipDrag } | null = null;

  constructor(element: HTMLElement, surface: Surface) {
    this.element = element;
    this.surface = surface;
    const { signal } = this.listening;
    element.addEventListener("pointermove", (event) => this.move(event), { signal });
    element.addEventListener("pointerleave", () => this.warm(false), { signal });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      element.addEventListener(name, (event) => this.release(event.pointerId), { signal });
    }
    window.addEventListener("blur", () => this.release(), { signal });
    window.addEventListener("pagehide", () => this.release(), { signal });
    document.addEventListener("visibilitychange", () => this.release(), { signal });
  }

  /** Put the handle at another robot's tip, or nowhere; ends a drag. */
  hold(draggable: Draggable | null): void {
    this.release();
    this.held = draggable;
    this.hot = false;
    this.show();
  }

  /** A pointer goes down: take it if it is on the handle. */
  claim(event: PointerEvent): boolean {
    if (this.drag !== null) return true;
    const tip = this.held?.tip()?.position;
    if (tip === undefined || event.button !== 0) return false;
    const { x, y } = this.pointOf(event);
    if (!onHandle(this.surface.orbit(), this.surface.pane(), tip, x, y, event.pointerType)) return false;
    this.element.setPointerCapture(event.pointerId);
    const state = grab(this.surface.orbit(), this.surface.pane(), tip, x, y, wayOf(event));
    this.drag = { pointer: event.pointerId, state };
    this.emit("start", tip);
    this.show();
    return true;
  }

  /** End a drag, by this pointer or by whichever. */
  release(pointer?: number): void {
    if (this.drag === null || (pointer !== undefined && pointer !== this.drag.pointer)) return;
    const { target } = this.drag.state;
    this.drag = null;
    this.emit("end", target);
    this.show();
  }

  dispose(): void {
    this.release();
    this.listening.abort();
  }

  private move(event: PointerEvent): void {
    if (this.drag?.pointer === event.pointerId) {
      const { x, y } = this.pointOf(event);
      this.drag.state = lead(this.drag.state, this.surface.orbit(), this.surface.pane(), x, y, wayOf(event));
      this.emit("move", this.drag.state.target);
      this.show();
    } else if (event.buttons === 0) {
      const tip = this.held?.tip()?.position;
      const { x, y } = this.pointOf(event);
      this.warm(tip !== undefined && onHandle(this.surface.orbit(), this.surface.pane(), tip, x, y, event.pointerType));
    }
  }

  private warm(hot: boolean): void {
    if (hot === this.hot) return;
    this.hot = hot;
    this.show();
  }

  private emit(phase: Drag["phase"], target: Vec3): void {
    const base = this.held?.base();
    if (this.held === null || base === null || base === undefined) return;
    const [x, y, z] = applyInverse(base, target);
    this.surface.emit({ phase, robot: this.held.robot, position: [x, y, z] });
  }

  private show(): void {
    const dragged = this.drag?.state.target ?? null;
    this.element.style.cursor = dragged !== null ? "grabbing" : this.hot ? "grab" : "";
    this.surface.show(
      this.held && { tip: this.held.place, hot: this.hot || dragged !== null, target: dragged },
    );
  }

  private pointOf(event: PointerEvent): { x: number; y: number } {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

function wayOf(event: PointerEvent): Way {
  return event.shiftKey ? "vertical" : "facing";
}
