import assert from "node:assert/strict";
import test from "node:test";
import { Keyboard, type KeyboardHost, type Focus, type KeyLike } from "../../src/hand/keyboard.ts";
import { KeyLabels } from "../../src/hand/keyLabels.ts";
import { FLIPPER_AXES, TRACK_AXES } from "../../src/hand/axesAndActions.ts";
import { actionOf, assign, changesIn, DEFAULT_KEYS, deflectionOf, FUNCTIONS, withChanges } from "../../src/hand/keyMap.ts";
import { KeyStore } from "../../src/hand/keyStore.ts";
import { memoryStore, Settings } from "../../src/state/settings.ts";
import { JOINTS, TIP } from "../fixtures.ts";

interface Seen {
  stops: number;
  actions: string[];
  talks: boolean[];
  presses: number;
  changes: number;
  helps: number;
  escapes: number;
}

function desk(changes: Partial<KeyboardHost> = {}): { keyboard: Keyboard; seen: Seen } {
  const seen: Seen = { stops: 0, actions: [], talks: [], presses: 0, changes: 0, helps: 0, escapes: 0 };
  const keyboard = new Keyboard({
    keys: () => DEFAULT_KEYS,
    axes: () => TIP.axes,
    moving: () => false,
    latched: () => false,
    stop: () => (seen.stops += 1),
    act: (action) => seen.actions.push(action),
    talk: (held) => seen.talks.push(held),
    help: () => (seen.helps += 1),
    escape: () => (seen.escapes += 1),
    pressed: () => (seen.presses += 1),
    changed: () => (seen.changes += 1),
    ...changes,
  });
  return { keyboard, seen };
}

function key(code: string, changes: Partial<KeyLike> = {}): KeyLike & { prevented: boolean } {
  const event = {
    code,
    key: code.replace(/^Key/, "").toLowerCase(),
    repeat: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    prevented: false,
    preventDefault() {
      event.prevented = true;
    },
    ...changes,
  };
  return event;
}

function press(keyboard: Keyboard, code: string, focus: Focus = "page", changes: Partial<KeyLike> = {}): void {
  keyboard.down(key(code, changes), focus);
}

test("a held key deflects its axis and is the deadman; letting go ends both", () => {
  const { keyboard, seen } = desk();
  press(keyboard, "KeyW");
  press(keyboard, "KeyF");
  assert.deepEqual(keyboard.read(TIP.axes), { deadman: true, axes: { x: 1, z: -1 }, pose: null });
  keyboard.up(key("KeyW"));
  assert.deepEqual(keyboard.read(TIP.axes).axes, { z: -1 });
  keyboard.up(key("KeyF"));
  assert.equal(keyboard.read(TIP.axes).deadman, false);
  assert.equal(seen.changes, 4);
});

test("the talk key is told when it goes down and up, once, and moves nothing", () => {
  const { keyboard, seen } = desk();
  press(keyboard, "KeyV");
  press(keyboard, "KeyV", "page", { repeat: true });
  assert.deepEqual(seen.talks, [true]);
  assert.deepEqual(keyboard.read(TIP.axes), { deadman: false, axes: {}, pose: null });
  press(keyboard, "KeyW");
  assert.deepEqual(keyboard.read(TIP.axes).axes, { x: 1 });
  keyboard.up(key("KeyV"));
  assert.deepEqual(seen.talks, [true, false]);
  assert.equal(keyboard.read(TIP.axes).deadman, true);
  assert.deepEqual(seen.actions, []);
});

test("letting go of everything ends talking too, and the key works again afterwards", () => {
  const { keyboard, seen } = desk();
  press(keyboard, "KeyV");
  keyboard.release();
  press(keyboard, "KeyV");
  assert.deepEqual(seen.talks, [true, false, true]);
});

test("in a field the talk key is a letter", () => {
  const { keyboard, seen } = desk();
  press(keyboard, "KeyV", "field");
  assert.deepEqual(seen.talks, []);
});

test("the same key serves the tip and the joints", () => {
  const { keyboard } = desk();
  press(keyboard, "KeyW");
  assert.deepEqual(keyboard.read(JOINTS.axes).axes, { "joint:1": 1 });
});

test("opposite keys cancel out, and still hold the deadman", () => {
  const { keyboard } = desk();
  press(keyboard, "KeyW");
  press(keyboard, "KeyS");
  assert.deepEqual(keyboard.read(TIP.axes), { deadman: true, axes: { x: 0 }, pose: null });
});

test("keys typed into a field or a dialog move nothing", () => {
  const { keyboard, seen } = desk();
  for (const focus of ["field", "dialog"] as const) {
    press(keyboard, "KeyW", focus);
    press(keyboard, "Home", focus);
  }
  assert.equal(keyboard.read(TIP.axes).deadman, false);
  assert.deepEqual(seen.actions, []);
});

test("Space stops from the page, from a button and from a dialog, once per press", () => {
  const { keyboard, seen } = desk();
  for (const focus of ["page", "button", "dialog"] as const) press(keyboard, "Space", focus);
  press(keyboard, "Space", "page", { repeat: true });
  assert.equal(seen.stops, 3);
  const event = key("Space");
  keyboard.down(event, "button");
  assert.ok(event.prevented, "a focused button must not be pressed by it");
});

test("Space in a field types a space, but stops a robot that moves", () => {
  const still = desk();
  press(still.keyboard, "Space", "field");
  assert.equal(still.seen.stops, 0);
  const moving = desk({ moving: () => true });
  press(moving.keyboard, "Space", "field");
  assert.equal(moving.seen.stops, 1);
});

test("after a release the same key must be pressed anew: its repetition does not count", () => {
  const { keyboard } = desk();
  press(keyboard, "KeyW");
  keyboard.release();
  press(keyboard, "KeyW", "page", { repeat: true });
  assert.equal(keyboard.read(TIP.axes).deadman, false);
  press(keyboard, "KeyW");
  assert.equal(keyboard.read(TIP.axes).deadman, true);
});

test("a Meta key lets go of everything, as browsers then hide that keys are let go", () => {
  const { keyboard } = desk();
  press(keyboard, "KeyW");
  press(keyboard, "MetaLeft", "page", { key: "Meta", metaKey: true });
  assert.equal(keyboard.read(TIP.axes).deadman, false);
});

test("the browser's own shortcuts move nothing", () => {
  const { keyboard } = desk();
  press(keyboard, "KeyW", "page", { ctrlKey: true });
  press(keyboard, "KeyW", "page", { altKey: true });
  assert.equal(keyboard.read(TIP.axes).deadman, false);
});

test("Enter presses a focused button, unless a stop is latched", () => {
  const calm = desk();
  press(calm.keyboard, "Enter", "button", { key: "Enter" });
  assert.deepEqual(calm.seen.actions, []);
  const stopped = desk({ latched: () => true });
  press(stopped.keyboard, "Enter", "button", { key: "Enter" });
  assert.deepEqual(stopped.seen.actions, ["reset"]);
});

test("Enter that is held on presses a button once", () => {
  const { keyboard } = desk();
  const [first, again] = [key("Enter", { key: "Enter" }), key("Enter", { key: "Enter", repeat: true })];
  keyboard.down(first, "button");
  keyboard.down(again, "button");
  assert.deepEqual([first.prevented, again.prevented], [false, true]);
});

test("each fresh press of a motion key is told once", () => {
  const { keyboard, seen } = desk();
  press(keyboard, "KeyW");
  press(keyboard, "KeyW", "page", { repeat: true });
  press(keyboard, "KeyM");
  assert.equal(seen.presses, 1);
});

test("? helps and Esc closes, wherever they are on the keyboard", () => {
  const { keyboard, seen } = desk();
  press(keyboard, "Minus", "page", { key: "?" });
  press(keyboard, "Escape", "dialog", { key: "Escape" });
  assert.equal(seen.helps, 1);
  assert.equal(seen.escapes, 1);
});

test("a held key goes on turning a camera's head, and chooses a mode once", () => {
  const { keyboard, seen } = desk();
  press(keyboard, "Comma");
  press(keyboard, "Comma", "page", { repeat: true });
  press(keyboard, "Digit7");
  press(keyboard, "Digit7", "page", { repeat: true });
  assert.deepEqual(seen.actions, ["pan-left", "pan-left", "drive"]);
});

test("no two functions of one use share a key", () => {
  for (const context of ["tip", "joints", "tracks", "flippers"] as const) {
    const codes = FUNCTIONS.filter((each) => each.context === context || each.context === "always").map((each) => each.code);
    assert.equal(new Set(codes).size, codes.length, context);
  }
});

test("the keys are those that were promised", () => {
  const tip = (code: string): unknown => deflectionOf(DEFAULT_KEYS, code, TIP.axes);
  assert.deepEqual(tip("KeyA"), { axis: "y", sign: 1 });
  assert.deepEqual(tip("KeyQ"), { axis: "roll", sign: -1 });
  assert.deepEqual(tip("KeyZ"), { axis: "grip", sign: -1 });
  assert.deepEqual(deflectionOf(DEFAULT_KEYS, "KeyK", ["joint:7"]), { axis: "joint:7", sign: -1 });
  const tracks = (code: string): unknown => deflectionOf(DEFAULT_KEYS, code, [...TRACK_AXES, "grip"]);
  assert.deepEqual(tracks("KeyW"), { axis: "forward", sign: 1 });
  assert.deepEqual(tracks("KeyD"), { axis: "turn", sign: -1 });
  assert.deepEqual(tracks("KeyF"), { axis: "flippers", sign: -1 });
  const flippers = (code: string): unknown => deflectionOf(DEFAULT_KEYS, code, [...FLIPPER_AXES, "grip"]);
  assert.deepEqual(flippers("KeyS"), { axis: "raise:1", sign: -1 });
  assert.deepEqual(flippers("KeyT"), { axis: "raise:front", sign: 1 });
  assert.deepEqual(["Digit7", "Digit8", "Digit9"].map((code) => actionOf(DEFAULT_KEYS, code)), ["drive", "flippers", "arm"]);
  assert.equal(actionOf(DEFAULT_KEYS, "Digit3"), "camera:2");
  assert.equal(actionOf(DEFAULT_KEYS, "BracketRight"), "faster");
  assert.equal(actionOf(DEFAULT_KEYS, "NumpadEnter"), "reset");
});

test("a key that is given to another function is exchanged, within its use only", () => {
  const keys = assign(DEFAULT_KEYS, "x+", "KeyR");
  assert.equal(keys["x+"], "KeyR");
  assert.equal(keys["z+"], "KeyW");
  assert.equal(keys["joint:3+"], "KeyR", "the joints keep theirs");
  const other = assign(DEFAULT_KEYS, "x+", "KeyT");
  assert.equal(other["joint:4+"], "KeyT", "though only they use it");
});

test("Space cannot be given away, nor can a saved file do it", () => {
  assert.equal(assign(DEFAULT_KEYS, "x+", "Space"), DEFAULT_KEYS);
  assert.equal(withChanges({ "x+": "Space" })["x+"], "KeyW");
  assert.ok(!("unknown" in withChanges({ unknown: "KeyB" })));
});

test("changed keys are remembered, and forgotten on request", () => {
  const settings = new Settings(memoryStore());
  const store = new KeyStore(settings);
  store.assign("x+", "F2");
  assert.deepEqual(changesIn(store.keys.value), { "x+": "F2" });
  assert.equal(new KeyStore(settings).keys.value["x+"], "F2");
  store.reset();
  assert.equal(new KeyStore(settings).keys.value["x+"], "KeyW");
});

test("labels are those of the operator's layout once it is known", () => {
  const labels = new KeyLabels();
  assert.equal(labels.label("KeyZ"), "Z");
  assert.ok(labels.learn("KeyZ", "y", false));
  assert.equal(labels.label("KeyZ"), "Y");
  assert.ok(!labels.learn("KeyW", "W", true), "what Shift makes is not what is printed");
  assert.ok(!labels.learn("Enter", "Enter", false));
  assert.equal(labels.label("ArrowUp"), "↑");
});
