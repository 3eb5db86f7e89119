/** One camera of the wall: its picture, name and key; the large one can be aimed if its head moves. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { paint } from "../../app/cameraCanvases.ts";
import { texts } from "../../language/language.ts";
import { videoPath, watchVideo } from "../../link/cameraVideo.ts";
import { fixed } from "../../state/format.ts";
import { ageText, aimable, type Pane } from "../../state/cameraWall.ts";
import { useConsole } from "../context.ts";
import { FirstPicture } from "./FirstPicture.tsx";

export function CameraPane({ pane }: { pane: Pane }) {
  const { seen } = useConsole();
  const problem = useSignal("");
  const tick = useSignal<number | null>(null);
  const { large, video } = pane;
  const shownProblem = video ? problem.value : "";
  const hasPicture = video ? shownProblem === "" : seen.value;
  return (
    <div class={large ? "shot camera large" : "shot camera small"} data-camera={pane.name}>
      {large && !video && <FirstPicture />}
      {video ? <Video pane={pane} problem={problem} tick={tick} /> : <Drawn pane={pane} />}
      {large && hasPicture && <span class="cross" aria-hidden="true" />}
      {large && aimable(pane.camera) && <Aim />}
      <Plate pane={pane} tick={video ? tick : null} />
      {shownProblem !== "" && <p class="trouble mute">{shownProblem}</p>}
    </div>
  );
}

/** A picture that this page draws. */
function Drawn({ pane }: { pane: Pane }) {
  const { canvases } = useConsole();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { name } = pane;
  useEffect(() => (canvas.current === null ? undefined : canvases.attach(name, canvas.current)), [canvases, name]);
  return <canvas key="drawn" ref={canvas} role="img" aria-label={pane.label} width={4} height={3} />;
}

/** A picture from the server: of a degraded camera, and of every camera in an exam. */
function Video({ pane, problem, tick }: { pane: Pane; problem: Signal<string>; tick: Signal<number | null> }) {
  const { store, token } = useConsole();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { name, large, camera } = pane;
  const cell = store.scene.value?.cell ?? "";
  const robot = store.robot.value;
  const width = large ? (camera?.width ?? 640) : 240;
  useEffect(() => {
    problem.value = texts().cameras.waiting;
    tick.value = null;
    const path = videoPath(cell, robot, name, large ? "mjpeg" : "jpg", width);
    return watchVideo(path, token, large, {
      show: (picture, shown) => {
        if (canvas.current !== null) void paint(canvas.current, picture);
        tick.value = shown;
      },
      tell: (text) => (problem.value = text),
    });
  }, [cell, robot, name, large, width, token]);
  return <canvas key="video" ref={canvas} role="img" aria-label={pane.label} width={4} height={3} />;
}

/** The age of a picture from the server, if it is delayed, frozen or held up. */
function Age({ tick }: { tick: Signal<number | null> }) {
  const { store } = useConsole();
  const now = useSignal<number | null>(null);
  // Updated ten times per second, not at every tick.
  useEffect(() => store.clock.subscribe(() => (now.value = store.model.peek().now?.tick ?? null)), [store]);
  const text = ageText(tick.value, now.value, store.scene.value?.timestep ?? 0);
  return text === "" ? null : <span class="warn">{text}</span>;
}

/** The name, key and state of a picture; `tick` is the tick that a picture from the server shows. */
export function Plate({ pane, tick = null }: { pane: Pane; tick?: Signal<number | null> | null }) {
  const { keys, page } = useConsole();
  const key = pane.key === null || page.touch.value ? null : keys.label(pane.key);
  const { camera } = pane;
  const words = (
    <>
      {key !== null && <kbd>{key}</kbd>} <span class="name">{pane.label}</span>
      {pane.degraded !== null && <span class="warn">{texts().cameras.degraded}</span>}
      {tick !== null && <Age tick={tick} />}
      {pane.large && pane.zoom > 1.005 && <span class="mute">×{fixed(pane.zoom, 1)}</span>}
      {pane.large && camera !== null && (
        <span class="mute">
          {camera.width} × {camera.height}
        </span>
      )}
    </>
  );
  if (pane.large) return <p class="plate">{words}</p>;
  return (
    <button class="plate" title={texts().cameras.enlarge(pane.label)} onClick={() => page.setLarge(pane.name)}>
      {words}
    </button>
  );
}

/** Dragging the picture pans and tilts the camera; the wheel zooms. */
function Aim() {
  const { aimer, store } = useConsole();
  const at = useRef<readonly [number, number] | null>(null);
  return (
    <div
      class="aim"
      title={store.commanding.value ? texts().cameras.aim : texts().cameras.aimLocked}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        at.current = [event.clientX, event.clientY];
      }}
      onPointerMove={(event) => {
        if (at.current === null) return;
        aimer.drag(event.clientX - at.current[0], event.clientY - at.current[1], event.currentTarget.clientHeight);
        at.current = [event.clientX, event.clientY];
      }}
      onPointerUp={() => (at.current = null)}
      onPointerCancel={() => (at.current = null)}
      onWheel={(event) => aimer.wheel(event.deltaY)}
    />
  );
}
