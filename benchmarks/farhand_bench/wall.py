"""The camera wall in a real Chromium: rate of new pictures of each camera on the page while a robot drives.

A picture counts when the page's next frame shows it: one that is replaced before that is never seen. The control is the
least cost of a picture of that size: one triangle, drawn, read back and shown in the same way.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct

from farhand.client.servers import running_server
from farhand.errors import CommandError

__all__ = ["READY", "Wall", "bare_picture", "rates", "watch_wall"]

CELL = "telemax"
FRONT = "front"  # the camera that key 1 makes large
TURNS, SECONDS = 4, 4.0
TRIES = 5
BARE = 100  # pictures
READY = "() => { const s = window.farhand?.state(); return s?.mine && s.mode === 'idle' && s.appliedTick > 0 }"
# Resolves with whether the robot follows; it does not if the page stalled just when the key was pressed.
FOLLOWS = """() => new Promise((done) => {
  const end = performance.now() + 3000;
  const look = () => {
    const driven = farhand.state().mode === "teleoperation";
    if (driven || performance.now() > end) done(driven); else setTimeout(look, 10);
  };
  look();
})"""
# Resolves when the robot stands and can be driven again; a page that stalls for long makes it stop.
STANDS = """() => new Promise((done) => {
  const look = () => {
    document.querySelector(".stopbar button")?.click();
    if (farhand.state().mode === "idle") done(); else setTimeout(look, 100);
  };
  look();
})"""
# Resolves once every camera has had a picture: the first ones wait for shaders.
ALL_SEEN = """(names) => new Promise((done) => {
  const seen = new Set();
  farhand.view.onFrame(({ id }) => { if (seen.add(id).size === names.length) done(); });
})"""
# Resolves with the time of each frame of the page (ms), the cameras with a new picture in it, and whether the robot
# was driven: it is not while the page stalls for too long.
WATCH = """(seconds) => new Promise((done) => {
  const fresh = new Set(), frames = [], end = performance.now() + seconds * 1000;
  farhand.view.onFrame(({ id }) => fresh.add(id));
  const frame = () => {
    const now = performance.now();
    frames.push([now, [...fresh], farhand.state().mode === "teleoperation"]); fresh.clear();
    if (now < end) requestAnimationFrame(frame); else done(frames);
  };
  requestAnimationFrame(frame);
})"""
# Draws one triangle again and again, each read back by a worker and shown on a canvas: milliseconds per picture.
BARE_PICTURES = """async ([width, height, count]) => {
  const work = async ({ data: [width, height, count] }) => {
    const gl = new OffscreenCanvas(1, 1).getContext("webgl2"), program = gl.createProgram();
    const shader = (kind, text) => {
      const made = gl.createShader(kind);
      gl.shaderSource(made, text); gl.compileShader(made); gl.attachShader(program, made);
    };
    shader(gl.VERTEX_SHADER, `#version 300 es
      void main() { gl_Position = vec4(vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0, 0, 1); }`);
    shader(gl.FRAGMENT_SHADER, `#version 300 es
      precision highp float; out vec4 c; void main() { c = vec4(1, 0, 0, 1); }`);
    gl.linkProgram(program); gl.useProgram(program);
    const texture = gl.createTexture(), later = () => new Promise((next) => setTimeout(next, 1));
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, gl.createBuffer());
    gl.bufferData(gl.PIXEL_PACK_BUFFER, width * height * 4, gl.STREAM_READ);
    gl.viewport(0, 0, width, height);
    for (let i = 0; i < count; i++) {
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
      const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
      while (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) await later();
      const pixels = new Uint8ClampedArray(width * height * 4);
      gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, pixels);
      postMessage(pixels, { transfer: [pixels.buffer] });
    }
  };
  const worker = new Worker(URL.createObjectURL(new Blob([`onmessage = ${work}`])));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  document.body.append(canvas);
  const pen = canvas.getContext("2d", { willReadFrequently: true }), times = [];
  let last = performance.now();
  await new Promise((done) => {
    worker.onmessage = ({ data }) => {
      pen.putImageData(new ImageData(data, width, height), 0, 0);
      times.push(performance.now() - last);
      last = performance.now();
      if (times.length === count) done();
    };
    worker.postMessage([width, height, count]);
  });
  return times.slice(1);
}"""
# Size at which a camera's picture is shown: as large as fits its canvas.
SHOWN = """(name) => { const canvas = document.querySelector(`[data-camera="${name}"] canvas`);
  const times = Math.min(canvas.clientWidth / canvas.width, canvas.clientHeight / canvas.height);
  return [Math.round(canvas.width * times), Math.round(canvas.height * times)]; }"""

Frame = tuple[float, list[str], bool]


class Wall(Struct, frozen=True):
    """Frames and pictures of the page while the robot drove.

    Args:
        large: New pictures of the large camera per second.
        gaps: Milliseconds from one of them to the next.
        small: New pictures of each small camera per second.
        page: Frames of the page per second.
        lost: Percentage of these frames in which the robot was not driven.
        size: Width and height of the large camera's picture on the page, pixels.
    """

    large: list[float]
    gaps: list[float]
    small: list[float]
    page: list[float]
    lost: float
    size: tuple[int, int]


def watch_wall(browser: Any) -> Wall:
    """Return the frames and pictures of a page that shows a robot driving to and fro."""
    turns: list[list[Frame]] = []
    with running_server(CELL) as server:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(server.address)
        page.wait_for_function(READY)
        page.keyboard.press("1")
        names: list[str] = [n for n in page.evaluate("() => farhand.state().wall.small") if n != "overview"]
        page.evaluate(ALL_SEEN, [FRONT, *names])
        for i in range(TURNS):
            key = "w" if i % 2 else "s"
            _engage(page, key)
            turns.append([(at, fresh, driven) for at, fresh, driven in page.evaluate(WATCH, SECONDS)])
            _let_go(page, key)
        width, height = page.evaluate(SHOWN, FRONT)
        page.close()
    return Wall(
        [rate for turn in turns for rate in rates(turn, FRONT)],
        [b - a for turn in turns for a, b in pairwise(at for at, fresh, _ in turn if FRONT in fresh)],
        [rate for turn in turns for name in names for rate in rates(turn, name)],
        [rate for turn in turns for rate in rates(turn, None)],
        100.0 * float(np.mean([not driven for turn in turns for *_, driven in turn])),
        (width, height),
    )


def bare_picture(browser: Any, size: tuple[int, int]) -> list[float]:
    """Return the milliseconds of each picture of one triangle, from drawing to canvas."""
    page = browser.new_page()
    times: list[float] = page.evaluate(BARE_PICTURES, [*size, BARE])
    page.close()
    return times


def _engage(page: Any, key: str) -> None:
    """Press a key until the robot follows."""
    for _ in range(TRIES):
        page.keyboard.down(key)
        if page.evaluate(FOLLOWS):
            return
        _let_go(page, key)
    raise CommandError("the robot does not follow the keys of the page")


def _let_go(page: Any, key: str) -> None:
    page.keyboard.up(key)
    page.evaluate(STANDS)


def rates(turn: list[Frame], name: str | None) -> list[float]:
    """Return the number of frames with a new picture of a camera in each whole second, or of all frames."""
    start = turn[0][0]
    counts = [0.0] * int((turn[-1][0] - start) / 1000.0)
    for at, fresh, _ in turn[1:]:
        second = int((at - start) / 1000.0)
        if second < len(counts) and (name is None or name in fresh):
            counts[second] += 1.0
    return counts
