import assert from "node:assert/strict";
import test from "node:test";
import { Hand } from "../../src/hand/hand.ts";
import { MasterLead } from "../../src/hand/masterLeader.ts";
import { ReadingSender } from "../../src/hand/readingSender.ts";
import { Sticks } from "../../src/hand/touchSticks.ts";
import { GripTrigger } from "../../src/hand/gripTrigger.ts";
import { carried } from "../../src/hand/xrFrame.ts";
import { engagementText, feedbackText, leastTravel, masterTitle, travelText } from "../../src/state/masterStatus.ts";
import type { MasterNow, Model } from "../../src/state/model.ts";
import { handAxes, masterNow } from "../../src/state/selectors.ts";
import { feltArrow, masterScene, masterUpdate, meantPose } from "../../src/view/masterScene.ts";
import { PoseStore } from "../../src/view/poseStore.ts";
import type { FromPage, MasterInfo, MasterUpdate, Reading } from "../../src/wire.gen.ts";
import { bytes, driving, JOINTS, ROBOT, scene } from "../fixtures.ts";

const MASTER: MasterInfo = {
  name: "touch",
  label: "Geomagic Touch",
  hand: "normal",
  joints: [],
  bodies: [
    { name: "rod", robot: "" },
    { name: "handle", robot: "" },
  ],
  geoms: [],
  lower: [-0.2, -0.1, 0],
  upper: [-0.1, 0.1, 0.1],
  force: 3.3,
  robots: ["arm"],
  by_hand: true,
};

const NOW: MasterNow = {
  bodies: new Uint8Array(40),
  joints: [0.1, 0.2],
  tip: [-0.15, 0.02, 0.05, 1, 0, 0, 0],
  intended: [-0.14, 0.02, 0.05, 1, 0, 0, 0],
  felt: [-1.5, 0.2, 0],
  demonstrating: false,
};

/** The same robot, in a way to drive that has no axes. */
function posed(model: Model): Model {
  const mappings = [JOINTS, { ...JOINTS, name: "hybrid", kind: "hybrid", axes: [] }];
  return { ...model, scene: model.scene && { ...model.scene, robots: [{ ...ROBOT, mappings }] } };
}

function led(changes: Partial<MasterInfo> = {}, update: Partial<MasterUpdate> = {}): Model {
  const model = driving({ mapping: 1 });
  const now = { bodies: new Uint8Array(), joints: bytes(), tip: bytes(), intended: bytes(), felt: bytes(), held: false, alone: false, ...update };
  const tip = now.tip.byteLength === 28 ? NOW.tip : [];
  return {
    ...model,
    scene: scene({ masters: [{ ...MASTER, ...changes }] }),
    now: model.now && { ...model.now, masters: [{ ...NOW, tip }] },
  };
}

test("keys deflect the master that this page leads, in ways to drive that go by its pose", () => {
  assert.deepEqual(handAxes(posed(led()), "arm"), ["x", "y", "z", "roll", "pitch", "yaw", "grip"]);
  assert.deepEqual(handAxes(led({ by_hand: false }), "arm"), JOINTS.axes);
  assert.deepEqual(handAxes(led({ hand: "" }), "arm"), JOINTS.axes); // one that is held elsewhere
  assert.deepEqual(handAxes(led({ robots: ["other"] }), "arm"), JOINTS.axes);
});

test("a master that has not spoken is not shown", () => {
  assert.equal(masterNow(led(), "arm"), null);
  assert.deepEqual(masterNow(led({}, { tip: bytes(...NOW.tip) }), "arm")?.tip, NOW.tip);
});

function sent(hand: Hand, model: Model, clock: () => number = () => 0): Reading {
  const messages: FromPage[] = [];
  const sender = new ReadingSender(hand, (message) => messages.push(message) > 0, () => null, clock);
  sender.tick(model, "arm");
  sender.tick(heard(model), "arm"); // before that a press waits
  const last = messages.at(-1);
  assert.equal(last?.type, "Hand");
  return last.reading;
}

/** Return the model once the cell has heard the first reading. */
function heard(model: Model): Model {
  return { ...model, heardAt: 0, now: model.now && { ...model.now, robots: model.now.robots.map((robot) => ({ ...robot, heard: 1 })) } };
}

test("a dragged tip and held sliders enable, letting go does not", () => {
  const lead = new MasterLead(() => undefined);
  const hand = new Hand([lead]);
  lead.tip({ position: [0.1, 0, 0], rotation: [1, 0, 0, 0] });
  const dragged = sent(hand, led());
  assert.deepEqual([dragged.deadman, dragged.pose?.position], [true, [0.1, 0, 0]]);
  lead.joints([0.1, 0.2]);
  const slid = sent(hand, led());
  assert.deepEqual([slid.deadman, slid.joints, slid.pose], [true, [0.1, 0.2], undefined]);
  lead.end();
  assert.deepEqual([sent(hand, led()).deadman, sent(hand, led()).joints], [false, undefined]);
});

test("alone, the master is led and the robot is not enabled; that counts as no press", () => {
  const lead = new MasterLead(() => undefined);
  const hand = new Hand([lead], () => lead.alone.value);
  lead.tipAlone({ position: [0, 0, 0], rotation: [1, 0, 0, 0] });
  assert.deepEqual([sent(hand, led()).deadman, sent(hand, led()).pose?.position], [false, [0, 0, 0]]);
  lead.alone.value = true;
  lead.joints([1]);
  assert.deepEqual([sent(hand, led()).deadman, sent(hand, led()).joints], [false, [1]]);
  assert.deepEqual(hand.resting(), { deadman: 0 });
});

test("gripper buttons pull a trigger from where the fingers are, a little ahead of them; let go, it says nothing", () => {
  const trigger = new GripTrigger();
  assert.equal(trigger.step(0, 0.5, 0), null);
  assert.equal(trigger.step(-1, 0.5, 0), 0.5);
  assert.ok(Math.abs((trigger.step(-1, 0.5, 0.02) ?? 0) - 0.52) < 1e-9);
  assert.ok(Math.abs((trigger.step(-1, 0.5, 9) ?? 0) - 0.525) < 1e-9); // fingers that do not follow are not left behind
  assert.equal(trigger.step(0, 0.5, 9), null);
  assert.equal(trigger.step(1, 0.01, 9), 0.01);
  assert.equal(trigger.step(1, 0.01, 9.05), 0);
});

test("a led master gets six axes and a trigger, never a seventh axis", () => {
  const sticks = new Sticks(() => undefined);
  sticks.squeeze(-1);
  const reading = sent(new Hand([sticks]), posed(led()));
  assert.equal(reading.axes?.length, 6);
  assert.equal(reading.grip, 0.5); // the fingers are half open
});

test("in a way to drive by keys they lead the robot, and its master stays where it is meant to be", () => {
  const sticks = new Sticks(() => undefined);
  sticks.squeeze(-1);
  const model = led({}, { tip: bytes(...NOW.tip) });
  assert.deepEqual(handAxes(model, "arm"), JOINTS.axes);
  const reading = sent(new Hand([sticks]), model);
  assert.deepEqual(reading.axes, [0, 0, -1]);
  assert.deepEqual(reading.pose, meantPose(NOW));
  assert.equal(reading.grip, undefined);
  assert.equal(engagementText("teleoperation", "keys").text, "Idle: keys drive the robot");
});

test("a hand in the room carries the master from where both were", () => {
  const half = Math.SQRT1_2;
  const pose = carried(
    { position: [1, 0, 0], rotation: [1, 0, 0, 0] },
    { position: [5, 5, 5], rotation: [half, 0, 0, half] },
    { position: [5, 5.1, 5], rotation: [1, 0, 0, 0] },
  );
  assert.deepEqual(pose.position?.map((x) => Math.round(x * 1e6) / 1e6), [1, 0.1, 0]);
  assert.ok(Math.abs((pose.rotation?.[3] ?? 0) + half) < 1e-12);
});

test("it says whether the robot follows, what is felt, and how far the hand can still go", () => {
  assert.equal(engagementText("teleoperation", "both").text, "Engaged");
  assert.equal(engagementText("idle", "alone").text, "Released: bring your hand back");
  assert.equal(engagementText("idle", "both").text, "Released: hold to engage");
  assert.equal(engagementText("off", "both").text, "Released: the robot is off");
  assert.equal(engagementText("powering", "both").text, "The robot is powering up.");
  assert.equal(engagementText("off", "alone").text, "Released: bring your hand back");
  assert.equal(engagementText("stopped", "both").tone, "stop");
  assert.equal(engagementText("teleoperation", "demonstration").text, "Demonstration: hold to take over");
  assert.equal(engagementText("stopped", "demonstration").text, "Stopped");
  assert.equal(feedbackText(NOW.felt), "Feedback 1.5 N, towards you");
  assert.equal(feedbackText([0, 0, 0]), "No force feedback");
  assert.equal(masterTitle(MASTER), "Geomagic Touch, normal hand");
  assert.equal(masterTitle({ ...MASTER, hand: "own" }), "Geomagic Touch");
});

test("the least travel is told with its way; beyond the stop there is none", () => {
  const at = (x: number, y: number, z: number) => {
    const travel = leastTravel(MASTER, { tip: [x, y, z, 1, 0, 0, 0] });
    return travel && [travelText(travel), travel.little];
  };
  assert.deepEqual(at(-0.15, 0.06, 0.05), ["40 mm left, to the left", false]);
  assert.deepEqual(at(-0.195, 0, 0.05), ["5 mm left, towards you", true]);
  assert.deepEqual(at(-0.15, 0, 0.11), ["End of travel, up", true]);
  assert.equal(leastTravel(MASTER, { tip: [] }), null);
});

test("a master is a world of its own: device, twelve edges of its travel, and where the hand means to be", () => {
  const { geoms, bodies, robots } = masterScene(MASTER, 7);
  assert.equal(geoms.filter((geom) => geom.shape === "box" && geom.body === -1).length, 12);
  assert.equal(geoms.find((geom) => geom.shape === "sphere")?.body, 2);
  assert.deepEqual([bodies.length, robots[0]?.tip.body], [3, 1]);
  const edges = geoms.filter((geom) => geom.shape === "box").map((geom) => geom.pose.position ?? [0, 0, 0]);
  const upper = Math.max(...edges.map(([x = 0]) => x));
  assert.ok(Math.abs(upper - MASTER.upper[0]) < 1e-9);
});

test("its poses reach the view, the intended one behind those of its bodies", () => {
  const poses = new PoseStore(3);
  const row = new DataView(new ArrayBuffer(20));
  row.setFloat32(0, 0.5, true);
  row.setInt16(12, 32767, true);
  const body = new Uint8Array(row.buffer);
  poses.take(masterUpdate({ ...NOW, bodies: Uint8Array.from([...body, ...body]) }, 7, 1).moved);
  assert.ok(poses.complete);
  assert.deepEqual(poses.pose(1)?.position, [0.5, 0, 0]);
  assert.ok(Math.abs((poses.pose(2)?.position[0] ?? 0) + 0.14) < 1e-6);
  assert.deepEqual(meantPose({ ...NOW, intended: [] }).position, [-0.15, 0.02, 0.05]);
});

test("the arrow points where the hand is pushed, as long as the device is strong; a faint one is not drawn", () => {
  const arrow = feltArrow(MASTER, { ...NOW, felt: [-3.3, 0, 0] });
  assert.deepEqual(arrow?.from, [-0.15, 0.02, 0.05]);
  assert.ok(Math.abs((arrow.to[0] - arrow.from[0]) / -0.12 - 1) < 1e-9);
  assert.equal(feltArrow(MASTER, { ...NOW, felt: [0.01, 0, 0] }), null);
  assert.equal(feltArrow({ ...MASTER, force: 0 }, NOW), null);
});
