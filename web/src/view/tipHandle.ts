/** The handle at a robot's tip: it lights up under the pointer, and dragging it sets the tip's target. */

import type { Place } from "../wire.gen.ts";
import type { Drag } from "./api.ts";
import type { Orbit, Viewport } from "./orbitCamera.ts";
import { applyInverse } from "./math.ts";
import type { Rigid, Vec3 } from "./math.ts";
import { onHandle } from "./picking.ts";
import type { HandleLook } from "./painterProtocol.ts";
import { grab, lead } from "./tipDragGeometry.ts";
import type { DragState, DragPlane } from "./tipDragGeometry.ts";

/** A robot whose tip can be dragged, with the poses of its tip and base. */
export interface Draggable {
  readonly robot: string;
  readonly place: Place;
  tip(): Rigid | null;
  base(): Rigid | null;
}

/** The part of the view that the handle needs. */
export interface HandleHost {
  orbit(): Orbit;
  viewport(): Viewport;
  show(handle: HandleLook | null): void;
  emit(drag: Drag): void;
}

export class TipHandle {
  private readonly element: HTMLElement;
  private readonly host: HandleHost;
  private readonly listening = new AbortController();
  private held: Draggable | null = null;
  private hot = false;
  private drag: { readonly pointer: number; state: DragState } | null = null;

  constructor(element: HTMLElement, host: HandleHost) {
    this.element = element;
    this.host = host;
    const { signal } = this.listening;
    element.addEventListener("pointermove", (event) => this.move(event), { signal });
    element.addEventListener("pointerleave", () => this.setHot(false), { signal });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      element.addEventListener(name, (event) => this.release(event.pointerId), { signal });
    }
    window.addEventListener("blur", () => this.release(), { signal });
    window.addEventListener("pagehide", () => this.release(), { signal });
    document.addEventListener("visibilitychange", () => this.release(), { signal });
  }

  /** Put the handle at another robot's tip, or remove it; ends a drag. */
  hold(draggable: Draggable | null): void {
    this.release();
    this.held = draggable;
    this.hot = false;
    this.show();
  }

  /** Take a press if it is on the handle; return whether it was taken. */
  claim(event: PointerEvent): boolean {
    if (this.drag !== null) return true;
    const tip = this.held?.tip()?.position;
    if (tip === undefined || event.button !== 0) return false;
    const { x, y } = this.pointOf(event);
    if (!onHandle(this.host.orbit(), this.host.viewport(), tip, x, y, event.pointerType)) return false;
    this.element.setPointerCapture(event.pointerId);
    const state = grab(this.host.orbit(), this.host.viewport(), tip, x, y, planeOf(event));
    this.drag = { pointer: event.pointerId, state };
    this.emit("start", tip);
    this.show();
    return true;
  }

  /** End a drag, by this pointer or by any. */
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
      this.drag.state = lead(this.drag.state, this.host.orbit(), this.host.viewport(), x, y, planeOf(event));
      this.emit("move", this.drag.state.target);
      this.show();
    } else if (event.buttons === 0) {
      const tip = this.held?.tip()?.position;
      const { x, y } = this.pointOf(event);
      this.setHot(tip !== undefined && onHandle(this.host.orbit(), this.host.viewport(), tip, x, y, event.pointerType));
    }
  }

  private setHot(hot: boolean): void {
    if (hot === this.hot) return;
    this.hot = hot;
    this.show();
  }

  private emit(phase: Drag["phase"], target: Vec3): void {
    const base = this.held?.base();
    if (this.held === null || base === null || base === undefined) return;
    const [x, y, z] = applyInverse(base, target);
    this.host.emit({ phase, robot: this.held.robot, position: [x, y, z] });
  }

  private show(): void {
    const dragged = this.drag?.state.target ?? null;
    this.element.style.cursor = dragged !== null ? "grabbing" : this.hot ? "grab" : "";
    this.host.show(
      this.held && { tip: this.held.place, hot: this.hot || dragged !== null, target: dragged },
    );
  }

  private pointOf(event: PointerEvent): { x: number; y: number } {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

function planeOf(event: PointerEvent): DragPlane {
  return event.shiftKey ? "vertical" : "facing";
}
