import assert from "node:assert/strict";
import test from "node:test";
import { bindTone } from "../../src/app/bindTone.ts";
import { soundOf, type Sound } from "../../src/sound/clearanceSound.ts";
import { Tone } from "../../src/sound/tone.ts";
import { PageState } from "../../src/state/pageState.ts";
import { memoryStore, Settings } from "../../src/state/settings.ts";
import { Store } from "../../src/state/store.ts";
import type { RobotUpdate } from "../../src/wire.gen.ts";
import { driving, lease, nearUpdate, update } from "../fixtures.ts";

const BEATING: Sound = { pitch: 400, beat: 4, loud: 0.05 };
const STEADY: Sound = { pitch: 660, beat: 0, loud: 0.05 };

test("pitch and beat rise as room shrinks, and at the bound there is no break", () => {
  const rooms = [0.049, 0.04, 0.03, 0.02, 0.01, 0.004];
  const sounds = rooms.map((room) => soundOf({ room, gently: false }));
  for (const [i, sound] of sounds.entries()) {
    const before = sounds[i - 1];
    if (sound === null || before === undefined) continue;
    assert.ok(sound.pitch > (before?.pitch ?? 0) && sound.beat > (before?.beat ?? 0), `at ${rooms[i] ?? 0} m`);
  }
  assert.equal(sounds.includes(null), false);
  assert.equal(soundOf({ room: 0.002, gently: false })?.beat, 0);
  assert.equal(soundOf({ room: 0.05, gently: false }), null);
  assert.equal(soundOf(null), null);
});

test("what may be touched is told at half the loudness, and no more when it is touched", () => {
  assert.equal(soundOf({ room: 0.02, gently: true })?.loud, (soundOf({ room: 0.02, gently: false })?.loud ?? 0) / 2);
  assert.equal(soundOf({ room: 0.001, gently: true }), null);
});

/** Speakers that write down what is asked of them. */
function speakers() {
  const done: string[] = [];
  const parameter = (): object => ({ value: 0, cancelScheduledValues: () => undefined, setTargetAtTime: () => undefined });
  const node = (): object => {
    const made = { frequency: parameter(), gain: parameter(), type: "", connect: (next: unknown) => next, start: () => undefined };
    return made;
  };
  const context = {
    state: "suspended",
    currentTime: 0,
    destination: {},
    createOscillator: node,
    createGain: node,
    createBiquadFilter: node,
    resume: () => Promise.resolve(done.push("resume")),
    suspend: () => Promise.reject(new Error("not now")),
  };
  const open = (): AudioContext => {
    done.push("open");
    return context as unknown as AudioContext;
  };
  return { done, open };
}

test("speakers are opened once, when something is to be heard and the operator has pressed something", () => {
  const { done, open } = speakers();
  let pressed = false;
  const tone = new Tone({ allowed: () => pressed, open });
  tone.play(BEATING);
  assert.deepEqual([done, tone.heard.value], [[], "silent"]);
  pressed = true;
  tone.play(null);
  assert.deepEqual(done, []);
  tone.play(BEATING);
  assert.equal(tone.heard.value, "beating");
  tone.play(STEADY);
  assert.equal(tone.heard.value, "steady");
  tone.play(null);
  assert.equal(tone.heard.value, "silent");
  assert.equal(done.filter((what) => what === "open").length, 1);
});

test("without audio there is silence and no error", () => {
  let tries = 0;
  const tone = new Tone({
    allowed: () => true,
    open: () => {
      tries += 1;
      throw new ReferenceError("AudioContext is not defined");
    },
  });
  tone.play(BEATING);
  tone.play(STEADY);
  tone.play(null);
  assert.deepEqual([tone.heard.value, tries], ["silent", 1]);
});

/** A page that drives near to something, and what it lets be heard. */
function page() {
  const store = new Store(1000);
  store.model.value = driving();
  store.clock.value = 1000;
  const told: (Sound | null)[] = [];
  const listeners: (() => void)[] = [];
  const shown = { hidden: false, addEventListener: (_: string, listener: () => void) => listeners.push(listener) };
  const look = new PageState(new Settings(memoryStore()));
  bindTone({ play: (sound) => told.push(sound) }, store, look, shown as unknown as Document);
  let at = 1000;
  const hear = (changes: Partial<RobotUpdate>): void => {
    at += 50;
    store.clock.value = at;
    store.heard(update({}, { mode: "teleoperation", near: nearUpdate(0.02), ...changes }), at);
  };
  const hide = (): void => {
    shown.hidden = true;
    for (const listener of listeners) listener();
  };
  hear({});
  return { store, look, hear, hide, sounds: () => (told.at(-1) ?? null) !== null };
}

test("it is heard while this page drives, and ends with the driving", () => {
  const { hear, sounds } = page();
  assert.ok(sounds());
  hear({ mode: "idle" });
  assert.ok(!sounds());
  hear({ mode: "autonomous" });
  assert.ok(!sounds());
  hear({});
  assert.ok(sounds());
});

test("it ends with the connection, with the cell's news, with control, and behind another tab", () => {
  const lost = page();
  lost.store.notice({ type: "lost" });
  assert.ok(!lost.sounds());
  const stalled = page();
  stalled.store.clock.value = 2000;
  assert.ok(!stalled.sounds());
  const taken = page();
  taken.store.heard({ type: "Leases", robots: [lease({ holder: 2 })], viewers: 2 }, 1100);
  assert.ok(!taken.sounds());
  const hidden = page();
  hidden.hide();
  assert.ok(!hidden.sounds());
});

test("the switch silences it, and is remembered", () => {
  const { look, sounds } = page();
  look.setTone(false);
  assert.ok(!sounds());
  const shelf = memoryStore();
  assert.equal(new PageState(new Settings(shelf)).tone.value, true);
  new PageState(new Settings(shelf)).setTone(false);
  assert.equal(new PageState(new Settings(shelf)).tone.value, false);
});
