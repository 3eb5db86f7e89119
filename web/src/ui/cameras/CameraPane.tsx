/** One camera of the wall: its picture, what it is called, its key; the large one can be aimed if its head moves. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { paint } from "../../app/cameraCanvases.ts";
import { videoPath, watchVideo } from "../../link/cameraVideo.ts";
import { fixed } from "../../state/format.ts";
import { ageWords, aimable, type Pane } from "../../state/cameraWall.ts";
import { useConsole } from "../context.ts";
import { FirstPicture } from "./FirstPicture.tsx";

export function CameraPane({ pane }: { pane: Pane }) {
  const { seen } = useConsole();
  const problem = useSignal("");
  const tick = useSignal<number | null>(null);
  const { large, video } = pane;
  const trouble = video ? problem.value : "";
  const there = video ? trouble === "" : seen.value;
  return (
    <div class={large ? "shot camera large" : "shot camera small"} data-camera={pane.name}>
      {large && !video && <FirstPicture />}
      {video ? <Video pane={pane} problem={problem} tick={tick} /> : <Drawn pane={pane} />}
      {large && there && <span class="cross" aria-hidden="true" />}
      {large && aimable(pane.camera) && <Aim />}
      <Plate pane={pane} tick={video ? tick : null} />
      {trouble !== "" && <p class="trouble mute">{trouble}</p>}
    </div>
  );
}

/** A picture that this page draws itself. */
function Drawn({ pane }: { pane: Pane }) {
  const { screens } = useConsole();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { name } = pane;
  useEffect(() => (canvas.current === null ? undefined : screens.attach(name, canvas.current)), [screens, name]);
  return <canvas key="drawn" ref={canvas} role="img" aria-label={pane.label} width={4} height={3} />;
}

/** A picture as the server has it: what was degraded on purpose, and everything in an exam. */
function Video({ pane, problem, tick }: { pane: Pane; problem: Signal<string>; tick: Signal<number | null> }) {
  const { store, token } = useConsole();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { name, large, camera } = pane;
  const cell = store.scene.value?.cell ?? "";
  const robot = store.robot.value;
  const width = large ? (camera?.width ?? 640) : 240;
  useEffect(() => {
    problem.value = "Waiting for the server's picture…";
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

/** How old a picture of the server is, if it is not new: late on purpose, frozen, or held up on the way. */
function Age({ tick }: { tick: Signal<number | null> }) {
  const { store } = useConsole();
  const now = useSignal<number | null>(null);
  // Ten times a second, not with every tick.
  useEffect(() => store.clock.subscribe(() => (now.value = store.model.peek().now?.tick ?? null)), [store]);
  const words = ageWords(tick.value, now.value, store.scene.value?.timestep ?? 0);
  return words === "" ? null : <span class="warn">{words}</span>;
}

/** Name, key and what is special about the picture; `tick` is the one that a picture of the server shows. */
export function Plate({ pane, tick = null }: { pane: Pane; tick?: Signal<number | null> | null }) {
  const { keys, look } = useConsole();
  const key = pane.key === null || look.touch.value ? null : keys.label(pane.key);
  const { camera } = pane;
  const words = (
    <>
      {key !== null && <kbd>{key}</kbd>} <span class="name">{pane.label}</span>
      {pane.degraded !== null && <span class="warn">degraded</span>}
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
    <button class="plate" title={`${pane.label}: show it large`} onClick={() => look.setLarge(pane.name)}>
      {words}
    </button>
  );
}

/** Drag to pan and tilt, as if the picture were taken hold of; the wheel zooms. */
function Aim() {
  const { aimer, store } = useConsole();
  const at = useRef<readonly [number, number] | null>(null);
  return (
    <div
      class="aim"
      title={store.commanding.value ? "Drag to look around, wheel to zoom" : "Whoever holds control aims this camera"}
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
