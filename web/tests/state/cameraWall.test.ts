import assert from "node:assert/strict";
import test from "node:test";
import { CameraAimer } from "../../src/app/cameraAimer.ts";
import { boundaryOf, headerOf, Multipart } from "../../src/link/multipart.ts";
import { videoPath } from "../../src/link/cameraVideo.ts";
import { ageText, aimable, bounded, dragged, cameraStates, looksOf, nextOf, panesOf, presenceOf, resolution, type Heading } from "../../src/state/cameraWall.ts";
import { upright } from "../../src/view/draw/robotCamera.ts";
import { DetailBalance } from "../../src/view/detailBalance.ts";
import { detailAfter, ViewSchedule } from "../../src/view/viewSchedule.ts";
import type { CameraInfo, CameraUpdate } from "../../src/wire.gen.ts";
import { ROBOT } from "../fixtures.ts";

const PLACE = { body: 0, pose: {}, name: "" };
const FRONT: CameraInfo = { name: "front", label: "Front", place: PLACE, fov: 1, width: 640, height: 480, pan: null, tilt: null, zoom: 1 };
const TURRET: CameraInfo = { ...FRONT, name: "turret", label: "Turret", pan: [-2, 2], tilt: [-1, 1], zoom: 10 };
const INFO = { ...ROBOT, cameras: [FRONT, TURRET] };
const STILL: CameraUpdate = { pan: 0, tilt: 0, zoom: 1, degraded: null };
const NOISY: CameraUpdate["degraded"] = { type: "DegradeCamera", robot: "arm", camera: "front", noise: 0.5 };
const WISH = { large: "overview", camerasOnly: false, exam: false };

test("the overview hangs among the cameras, and one of them is large", () => {
  const panes = panesOf(INFO, [STILL, STILL], WISH);
  assert.deepEqual(panes.map((pane) => [pane.name, pane.key, pane.large]), [
    ["overview", "overview", true],
    ["front", "camera:0", false],
    ["turret", "camera:1", false],
  ]);
  assert.equal(presenceOf(panes), "large");
  const other = panesOf(INFO, [STILL, STILL], { ...WISH, large: "turret" });
  assert.deepEqual(other.filter((pane) => pane.large).map((pane) => pane.name), ["turret"]);
  assert.equal(presenceOf(other), "small");
});

test("one button goes through all pictures", () => {
  const after = (large: string): string => nextOf(panesOf(INFO, [STILL, STILL], { ...WISH, large }));
  assert.deepEqual([after("overview"), after("front"), after("turret")], ["front", "turret", "overview"]);
  assert.equal(nextOf(panesOf(ROBOT, [], WISH)), "overview");
});

test("with cameras only the overview is gone, and so it is in an exam, where all pictures are the server's", () => {
  const only = panesOf(INFO, [STILL, STILL], { ...WISH, camerasOnly: true });
  assert.deepEqual(only.map((pane) => [pane.name, pane.large, pane.video]), [["front", true, false], ["turret", false, false]]);
  assert.equal(presenceOf(only), "hidden");
  const exam = panesOf(INFO, [STILL, STILL], { ...WISH, exam: true });
  assert.deepEqual(exam.map((pane) => [pane.name, pane.video]), [["front", true], ["turret", true]]);
  assert.deepEqual(looksOf(exam, new Map([["front", [640, 480]]]), 1), []);
});

test("a robot without cameras keeps its overview, whatever was wished for another one", () => {
  const panes = panesOf(ROBOT, [], { large: "front", camerasOnly: true, exam: false });
  assert.deepEqual(panes.map((pane) => [pane.name, pane.large]), [["overview", true]]);
});

test("a degraded camera is shown as the server has it, the others are drawn", () => {
  const panes = panesOf(INFO, [{ ...STILL, degraded: NOISY }, { ...STILL, zoom: 3 }], WISH);
  assert.deepEqual(panes.map((pane) => [pane.video, pane.degraded]), [[false, null], [true, NOISY], [false, null]]);
  const looks = looksOf(panes, new Map([["front", [160, 120]], ["turret", [160, 120]]]), 1);
  assert.deepEqual(looks.map(({ id, zoom, width, height, large }) => [id, zoom, width, height, large]), [["turret", 3, 160, 120, false]]);
});

test("a head that only turns leaves the wall as it is: its picture moves by itself", () => {
  const turned: CameraUpdate = { ...STILL, pan: 0.5 };
  assert.equal(cameraStates([turned]), cameraStates([STILL]));
  assert.notEqual(cameraStates([{ ...STILL, zoom: 1.1 }]), cameraStates([STILL]));
});

test("no more pixels are drawn than a camera has, or than can be seen", () => {
  assert.deepEqual(resolution(FRONT, [1600, 900], 2), [640, 480]);
  assert.deepEqual(resolution(FRONT, [160, 200], 1), [160, 120]);
  assert.deepEqual(resolution(FRONT, [160, 200], 2), [320, 240]);
});

test("a head is led within what it can do; a picture is dragged as if it were taken hold of", () => {
  assert.deepEqual([aimable(FRONT), aimable(TURRET), aimable(null)], [false, true, false]);
  assert.deepEqual(bounded(TURRET, { pan: 3, tilt: -3, zoom: 0 }), { pan: 2, tilt: -1, zoom: 1 });
  assert.deepEqual(bounded(FRONT, { pan: 1, tilt: 1, zoom: 4 }), { pan: 0, tilt: 0, zoom: 1 });
  const whole = dragged(TURRET, STILL, 0, 480, 480);
  assert.ok(Math.abs(whole.tilt - 1) < 1e-9, "its whole height is its angle of view");
  const near = dragged(TURRET, { ...STILL, zoom: 10 }, 480, 0, 480);
  assert.ok(near.pan > 0.1 && near.pan < 0.12, "nearer, the same way turns it less");
});

test("quick steps of a key add up, though the head is still on its way", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const sent: Heading[] = [];
  let time = 0;
  const aimer = new CameraAimer(
    () => ({ robot: "r", camera: TURRET, now: STILL }),
    (_robot, _camera, heading) => sent.push(heading),
    () => time,
  );
  for (let i = 0; i < 5; i++) aimer.step("pan-left");
  t.mock.timers.tick(0);
  assert.deepEqual(sent.map(({ pan }) => pan.toFixed(2)), ["0.30"], "one command for all of them");
  time = 10;
  aimer.step("pan-right");
  t.mock.timers.tick(10);
  assert.equal(sent.length, 1, "not more often than the cell needs it");
  t.mock.timers.tick(60);
  assert.equal(sent[1]?.pan.toFixed(2), "0.24");
  time = 5000;
  aimer.wheel(-300);
  t.mock.timers.tick(0);
  assert.equal(sent[2]?.pan, 0, "later it begins where the head is");
  assert.ok(sent[2].zoom > 1.5, "up is nearer");
});

test("without a head that may be aimed nothing is sent", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let sent = 0;
  const aimer = new CameraAimer(() => null, () => (sent += 1));
  aimer.step("zoom-in");
  t.mock.timers.tick(1000);
  assert.equal(sent, 0);
});

// ── In turn ──────────────────────────────────────────────────────────────────────────────────────────────────────

const SMALL = ["a", "b", "c", "d", "e"];

/** Draw so many pictures of a world that moves, each taking `ms` for every view in it. */
function drawn(rota: ViewSchedule, pictures: number, ms: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < pictures; i++) {
    rota.change();
    const turn = rota.next(false);
    for (const view of turn) counts[view] = (counts[view] ?? 0) + 1;
    rota.spent(ms * turn.length);
  }
  return counts;
}

test("where drawing is slow the large view is in every picture, small ones in every second, in turn", () => {
  const rota = new ViewSchedule(30);
  rota.set("large", SMALL);
  const counts = drawn(rota, 100, 40);
  assert.equal(counts.large, 100);
  for (const view of SMALL) assert.ok(Math.abs((counts[view] ?? 0) - 10) <= 3, `${view}: ${counts[view] ?? 0}`);
});

test("where drawing is fast every picture has all of them", () => {
  const rota = new ViewSchedule(30);
  rota.set("large", SMALL);
  drawn(rota, 30, 1);
  assert.deepEqual(drawn(rota, 10, 1), { large: 10, a: 10, b: 10, c: 10, d: 10, e: 10 });
});

test("when nothing moves any more, what is out of date is still drawn, once", () => {
  const rota = new ViewSchedule(30);
  rota.set("large", SMALL);
  const seen: string[] = [];
  let pictures = 0;
  while (rota.more && pictures++ < 20) {
    seen.push(...rota.next(false));
    rota.spent(100);
  }
  assert.deepEqual([...seen].sort(), [...SMALL, "large"]);
  assert.deepEqual(rota.next(true).sort(), [...SMALL, "large"], "a picture of all there is, on demand");
});

test("a large camera that is slow to draw is drawn coarser, by half at most, and finer again", () => {
  let detail = 1;
  for (let i = 0; i < 50; i++) detail = detailAfter(detail, 40, 24, 640);
  assert.equal(detail, 0.5);
  assert.equal(detailAfter(detail, 20, 24, 640), 0.5, "what is just in time stays");
  for (let i = 0; i < 50; i++) detail = detailAfter(detail, 5, 24, 640);
  assert.equal(detail, 1);
});

/** Draw pictures that each take so long for the large view and for a small one; return how many small ones there were. */
function balanced(rota: ViewSchedule, balance: DetailBalance, pictures: number, large: number, small: number): number {
  let count = 0;
  for (let i = 0; i < pictures; i++) {
    rota.change();
    const others = rota.next(false).length - 1;
    count += others;
    balance.spent(large * balance.detail ** 2 + small * others, 640);
  }
  return count;
}

test("where drawing is slow small cameras wait first, then the large one is drawn coarser, and it comes back first", () => {
  const rota = new ViewSchedule(24);
  const balance = new DetailBalance(rota, 24);
  rota.set("large", SMALL);
  balanced(rota, balance, 60, 5, 1);
  assert.equal(balanced(rota, balance, 12, 5, 1), 60, "all of them, while there is time");
  balanced(rota, balance, 30, 16, 6);
  const before = balance.detail;
  assert.ok(balanced(rota, balance, 12, 16, 6) <= 15, "about one in each picture, which is all there is time for");
  balanced(rota, balance, 60, 60, 6);
  const slowly = balance.detail;
  balanced(rota, balance, 30, 6, 1);
  assert.deepEqual([before, slowly < 0.7, balance.detail], [1, true, 1]);
});

test("one picture that was held up changes nothing", () => {
  const rota = new ViewSchedule(24);
  const balance = new DetailBalance(rota, 24);
  rota.set("large", []);
  for (const ms of [10, 900, 10, 10, 10, 900, 400, 10, 10]) balance.spent(ms, 640);
  assert.equal(balance.detail, 1);
});

test("a large camera keeps 320 pixels in a row, as far as it has them", () => {
  const slowly = (width: number): number => {
    let detail = 1;
    for (let i = 0; i < 50; i++) detail = detailAfter(detail, 40, 24, width);
    return detail * width;
  };
  assert.equal(slowly(500), 320);
  assert.equal(slowly(240), 240);
  assert.equal(slowly(800), 400);
});

test("a view that is gone is not waited for", () => {
  const rota = new ViewSchedule(30);
  rota.set("large", SMALL);
  rota.set("a", ["b"]);
  assert.deepEqual(rota.next(true), ["a", "b"]);
  assert.equal(rota.more, false);
});

test("pictures are turned upright: the driver has the lowest row first", () => {
  assert.deepEqual([...upright(Uint8Array.of(1, 2, 3, 4, 5, 6), 2)], [5, 6, 3, 4, 1, 2]);
});

// ── The server's pictures ────────────────────────────────────────────────────────────────────────────────────────

function stream(...parts: readonly (readonly [headers: string, body: string])[]): Uint8Array {
  return new TextEncoder().encode(parts.map(([headers, body]) => `--cut\r\n${headers}\r\n\r\n${body}\r\n`).join("") + "--cut");
}

test("a stream is taken apart, in whatever pieces it comes, with lengths and without", () => {
  const whole = stream(["Content-Type: image/jpeg\r\nContent-Length: 5", "on\r\n-"], ["Content-Type: image/jpeg", "two"]);
  for (const size of [1, 7, 1000]) {
    const parts = new Multipart("cut");
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size) {
      found.push(...parts.take(whole.subarray(at, at + size)).map((part) => new TextDecoder().decode(part.body)));
    }
    assert.deepEqual(found, ["on\r\n-", "two"], `pieces of ${size}`);
  }
});

test("a part of a stream says which tick it shows", () => {
  const [part] = new Multipart("cut").take(stream(["Content-Type: image/jpeg\r\nFarhand-Tick: 1200", "one"]));
  assert.ok(part);
  assert.equal(headerOf(part, "farhand-tick"), "1200");
  assert.equal(headerOf(part, "Farhand"), null);
});

test("the age of a picture is said when it is not new", () => {
  assert.equal(ageText(1000, 1300, 0.002), "");
  assert.equal(ageText(1000, 2000, 0.002), "2.0 s old");
  assert.equal(ageText(1000, 5990, 0.002), "10 s old");
  assert.equal(ageText(null, 2000, 0.002), "", "nothing is known");
  assert.equal(ageText(2000, 1000, 0.002), "", "the cell began anew");
});

test("a stream says what separates its parts", () => {
  assert.equal(boundaryOf("multipart/x-mixed-replace; boundary=frame"), "frame");
  assert.equal(boundaryOf('multipart/x-mixed-replace;boundary="--cut"'), "cut");
  assert.equal(boundaryOf("image/jpeg"), null);
  assert.equal(boundaryOf(null), null);
});

test("names are written as addresses have them", () => {
  assert.equal(videoPath("a cell", "r/1", "front", "mjpeg", 640), "./camera/a%20cell/r%2F1/front.mjpeg?width=640");
});
