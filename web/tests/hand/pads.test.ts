import assert from "node:assert/strict";
import test from "node:test";
import { deflection, level, readPad } from "../../src/hand/readPad.ts";
import { FLIPPER_AXES, JOINT_AXES } from "../../src/hand/axesAndActions.ts";
import { BOMB_DISPOSAL, presetOf, profileFor, SPACEMOUSE, STANDARD } from "../../src/hand/padLayouts.ts";
import { Pads } from "../../src/hand/pads.ts";
import { PadStore } from "../../src/hand/padStore.ts";
import { EMPTY_PROFILE, isProfile, stick, type PadState, type Profile } from "../../src/hand/padProfile.ts";
import { InputTeacher } from "../../src/hand/inputTeacher.ts";
import { memoryStore, Settings } from "../../src/state/settings.ts";
import { TIP } from "../fixtures.ts";

function pad(changes: Partial<PadState> = {}): PadState {
  return { id: "pad", layout: "standard", axes: [0, 0, 0, 0], buttons: Array<number>(17).fill(0), ...changes };
}

function buttons(...pressed: number[]): number[] {
  return pad().buttons.map((_, index) => (pressed.includes(index) ? 1 : 0));
}

test("a standard gamepad: left stick plane, right stick height and turn, right bumper enables, triggers grip", () => {
  const held = readPad(pad({ axes: [-1, -1, 1, 1], buttons: buttons(5, 7) }), STANDARD, TIP.axes);
  assert.equal(held.deadman, true);
  assert.deepEqual(held.axes, { x: 1, y: 1, z: -1, yaw: -1, roll: 0, pitch: 0, grip: -1 });
});

test("on tracks a standard gamepad has a button for each mode, and a stick's way for each flipper", () => {
  const { pads, state } = rig();
  for (const button of [10, 4, 11]) {
    state.devices = [pad({ buttons: buttons(button) })];
    pads.poll();
  }
  assert.deepEqual(state.pushed, ["drive", "flippers", "arm"]);
  const led = (axes: number[]): Record<string, number> => readPad(pad({ axes, buttons: buttons(5) }), STANDARD, FLIPPER_AXES).axes;
  const one = (axes: number[]): string[] => Object.entries(led(axes)).filter(([, value]) => value > 0).map(([axis]) => axis);
  assert.deepEqual([one([0, -1, 0, 0]), one([0, 0, 0, -1]), one([1, 0, 0, 0]), one([0, 0, 1, 0])], [
    ["raise:0"],
    ["raise:1"],
    ["raise:2"],
    ["raise:3"],
  ]);
  assert.deepEqual(one([0.3, -1, 0, 0]), ["raise:0"], "a stick that is pushed along a little askew leads one of them");
});

test("seven joints have an input each on every layout, and while a button turns one of them it does nothing else", () => {
  const seven = JOINT_AXES.slice(0, 7);
  for (const profile of [STANDARD, SPACEMOUSE, BOMB_DISPOSAL]) {
    const inputs = seven.map((axis) => JSON.stringify(profile.motions[axis] ?? assert.fail(axis)));
    assert.equal(new Set(inputs).size, seven.length);
  }
  const { pads, state } = rig();
  const press = (...down: number[]): void => {
    state.devices = [pad({ buttons: buttons(...down) })];
    pads.poll();
  };
  press(5);
  pads.read(seven);
  press(5, 0);
  assert.equal(pads.read(seven).axes["joint:6"], 1);
  press(0);
  assert.deepEqual(state.pushed, [], "nor when the bumper is let go first");
  press();
  press(0);
  press(15, 16);
  assert.deepEqual(state.pushed, ["faster", "park", "camera-next"]);
});

test("without the right bumper nothing is enabled", () => {
  assert.equal(readPad(pad({ axes: [1, 1, 1, 1] }), STANDARD, TIP.axes).deadman, false);
});

test("the dead zone takes noise away and leaves no jump and the full way", () => {
  const wiring = { ...stick(0, 1), deadZone: 0.2 };
  const at = (value: number): number => deflection(pad({ axes: [value] }), wiring);
  assert.equal(at(0.19), 0);
  assert.ok(at(0.21) > 0 && at(0.21) < 0.02);
  assert.equal(at(1), 1);
  assert.equal(at(-1), -1);
  assert.equal(deflection(pad({ axes: [1] }), { ...wiring, invert: true }), -1);
});

test("inputs that a device lacks, and values that are no numbers, rest", () => {
  assert.equal(level(pad({ axes: [] }), { on: "axis", index: 9, rest: 0, full: 1 }), 0);
  assert.equal(level(pad({ axes: [NaN] }), { on: "axis", index: 0, rest: 0, full: 1 }), 0);
});

interface Rig {
  pads: Pads;
  state: { devices: PadState[]; attentive: boolean; pushed: string[]; plugged: readonly string[] };
}

function rig(): Rig {
  const state: Rig["state"] = { devices: [pad()], attentive: true, pushed: [], plugged: [] };
  const pads = new Pads({
    devices: () => state.devices,
    attentive: () => state.attentive,
    saved: () => null,
    push: (push) => state.pushed.push(push),
    plugged: (ids) => (state.plugged = ids),
  });
  pads.poll();
  pads.read(TIP.axes);
  return { pads, state };
}

function deadman({ pads, state }: Rig, pressed: boolean): boolean {
  state.devices = [pad({ buttons: pressed ? buttons(5) : buttons() })];
  pads.poll();
  return pads.read(TIP.axes).deadman;
}

test("a released deadman must be let go before it counts again", () => {
  const one = rig();
  assert.ok(deadman(one, true));
  one.pads.release();
  assert.ok(!deadman(one, true));
  assert.ok(!deadman(one, false));
  assert.ok(deadman(one, true));
});

test("a device that appears with its deadman held enables nothing", () => {
  const one = rig();
  one.state.devices = [];
  one.pads.poll();
  assert.ok(!deadman(one, true));
  assert.deepEqual(one.state.plugged, ["pad"]);
});

test("a page that is not in front is not driven, nor by what was held meanwhile", () => {
  const one = rig();
  one.state.attentive = false;
  assert.ok(!deadman(one, true));
  one.state.attentive = true;
  assert.ok(!deadman(one, true));
});

test("buttons act once per press", () => {
  const { pads, state } = rig();
  state.devices = [pad({ buttons: buttons(1) })];
  pads.poll();
  pads.poll();
  assert.deepEqual(state.pushed, ["stop"]);
  state.devices = [pad()];
  pads.poll();
  state.devices = [pad({ buttons: buttons(1) })];
  pads.poll();
  assert.deepEqual(state.pushed, ["stop", "stop"]);
});

test("while it is set up a device moves nothing, but still stops", () => {
  const one = rig();
  one.pads.use = "set up";
  assert.ok(!deadman(one, true));
  one.state.devices = [pad({ buttons: buttons(1, 3) })];
  one.pads.poll();
  assert.deepEqual(one.state.pushed, ["stop"]);
});

test("an unknown console has no profile until it is taught", () => {
  assert.equal(profileFor("", null), EMPTY_PROFILE);
  assert.equal(profileFor("standard", null), STANDARD);
});

function lesson(subject: ConstructorParameters<typeof InputTeacher>[0], rest: PadState, states: PadState[]): Profile | null {
  const teacher = new InputTeacher(subject, rest);
  let learned: Profile | null = null;
  for (const state of states) learned = teacher.look(state, EMPTY_PROFILE) ?? learned;
  return learned;
}

test("a stick is taught by moving it once", () => {
  const rest = pad({ layout: "", axes: [0, 0, 0, 0, 0, 0, 0.05] });
  const moved = pad({ axes: [0, 0, 0, 0, 0, 0, -0.9] });
  const learned = lesson({ kind: "motion", id: "x" }, rest, [rest, moved, rest]);
  assert.deepEqual(learned?.motions.x, stick(6, -1));
});

test("a lever that rests at its end is taught in both directions", () => {
  const rest = pad({ axes: [-1, -1] });
  const states = [pad({ axes: [0.8, -1] }), rest, pad({ axes: [-1, 0.7] }), rest];
  const wiring = lesson({ kind: "motion", id: "grip" }, rest, states)?.motions.grip;
  assert.deepEqual(wiring?.plus, { on: "axis", index: 0, rest: -1, full: 1 });
  assert.deepEqual(wiring.minus, { on: "axis", index: 1, rest: -1, full: 1 });
  assert.equal(deflection(pad({ axes: [1, -1] }), wiring), 1);
  assert.equal(deflection(rest, wiring), 0);
});

test("two buttons make an axis, one makes a push", () => {
  const rest = pad();
  const pair = lesson({ kind: "motion", id: "z" }, rest, [pad({ buttons: buttons(4) }), rest, pad({ buttons: buttons(2) }), rest]);
  assert.equal(pair?.motions.z?.plus?.index, 4);
  assert.equal(pair.motions.z.minus?.index, 2);
  const push = lesson({ kind: "push", id: "deadman" }, rest, [pad({ buttons: buttons(11) }), rest]);
  assert.equal(push?.pushes.deadman?.index, 11);
});

test("profiles are kept per device and can be deleted; broken ones are forgotten", () => {
  const shelf = memoryStore();
  const settings = new Settings(shelf);
  const store = new PadStore(settings);
  store.save("pad", STANDARD);
  assert.deepEqual(new PadStore(settings).saved("pad"), STANDARD);
  store.remove("pad");
  assert.equal(new PadStore(settings).saved("pad"), null);
  shelf.setItem("farhand.pads", JSON.stringify({ pad: { motions: { x: 3 }, pushes: {} } }));
  assert.equal(new PadStore(settings).saved("pad"), null);
  assert.ok(isProfile(JSON.parse(JSON.stringify(STANDARD))));
});

test("a bomb-disposal hand controller: sticks that twist, a rocker, a hat, an enabling switch", () => {
  const console = (axes: Record<number, number>, ...down: number[]): PadState =>
    pad({ layout: "", axes: Array.from({ length: 9 }, (_, index) => axes[index] ?? 0), buttons: buttons(...down) });
  const held = readPad(console({ 0: -1, 1: -1, 2: -1, 3: 1, 4: -1, 5: 1, 6: -1 }, 0, 1), BOMB_DISPOSAL, TIP.axes);
  assert.equal(held.deadman, true);
  assert.deepEqual(held.axes, { x: 1, y: 1, z: 1, yaw: 1, roll: 1, pitch: 1, grip: -1 });
  const joints = ["joint:0", "joint:1", "joint:2", "joint:3", "joint:4", "joint:5"];
  const each = readPad(console({ 1: -1, 2: -1, 3: 1, 4: -1, 5: 1, 6: -1 }, 0), BOMB_DISPOSAL, joints);
  assert.deepEqual(Object.values(each.axes), [1, 1, 1, 1, 1, 1]);
  assert.equal(presetOf(JSON.parse(JSON.stringify(BOMB_DISPOSAL)) as Profile)?.id, "bomb-disposal");
  assert.equal(presetOf(STANDARD), null);
});
