import assert from "node:assert/strict";
import test from "node:test";
import { microphoneProblem, type Microphone, type Take } from "../../src/voice/microphone.ts";
import { RATE_HZ, Resampler } from "../../src/voice/resample.ts";
import { PushToTalk } from "../../src/voice/pushToTalk.ts";
import type { FromPage, Speech, SpeechResult } from "../../src/wire.gen.ts";

const NOTHING = (): void => undefined;
const PIECE = new Int16Array(RATE_HZ / 20);

/** A microphone that tests speak into, and a line that tests can block. */
function desk(open: () => Promise<void> = () => Promise.resolve()) {
  const sent: Speech[] = [];
  const confirmed: number[] = [];
  const seen = { now: 0, announced: 0, used: 0, open: false, free: true, finishing: false, take: NOTHING as Take, ended: NOTHING };
  const microphone: Microphone = {
    open: async (take, ended) => {
      await open();
      seen.open = true;
      seen.take = take;
      seen.ended = ended;
    },
    finish: () => (seen.finishing = true),
    close: () => (seen.open = false),
  };
  const sendSpare = (message: FromPage): boolean => {
    if (seen.free && message.type === "Confirm") confirmed.push(message.id);
    if (message.type !== "Speech" || !seen.free) return seen.free;
    if (message.pcm.length === 0 && message.last !== true) seen.announced++;
    else sent.push(message);
    return true;
  };
  const line = { robot: () => "arm", now: () => seen.now, used: () => seen.used++, sendSpare };
  return { talk: new PushToTalk(microphone, line), sent, confirmed, seen };
}

function answer(id: number, changes: Partial<SpeechResult> = {}): SpeechResult {
  return { type: "SpeechResult", id, ok: true, phrase: "stop", text: "Stopped.", confirm: 0, ...changes };
}

/** Say something, to the end. */
async function say({ talk, seen }: ReturnType<typeof desk>): Promise<void> {
  await talk.press();
  seen.take(PIECE);
  talk.release();
  seen.ended();
}

const HOME = { ok: false, phrase: "move to home position", text: "arm will move home.", confirm: 3 };

test("what is spoken while the key is held goes out piece by piece, and a tail after it; the answer is shown", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk, sent, seen } = desk();
  await talk.press();
  assert.equal(talk.state.value.phase, "opening");
  for (let i = 0; i < 6; i++) seen.take(PIECE);
  assert.equal(talk.state.value.phase, "listening");
  talk.release();
  assert.equal(seen.finishing, true);
  for (let i = 0; i < 20; i++) seen.take(PIECE); // said while the page was held up, before the key was let go
  assert.equal(talk.state.value.phase, "listening");
  seen.ended();
  assert.equal(talk.state.value.phase, "recognising");
  assert.deepEqual(sent.map((piece) => [piece.id, piece.robot, piece.pcm.length, piece.last]), [
    ...Array.from({ length: 26 }, () => [1, "arm", 1600, false]),
    [1, "arm", 0, true],
  ]);
  assert.equal(seen.open, false);
  talk.heard(answer(7, { text: "Another's." }));
  assert.equal(talk.state.value.phase, "recognising");
  talk.heard(answer(1));
  assert.equal(seen.used, 1);
  assert.deepEqual(talk.state.value, { phase: "done", phrase: "stop", text: "Stopped." });
  t.mock.timers.tick(6000);
  assert.equal(talk.state.value.phase, "idle");
});

test("the server starts its recogniser at the press, before the microphone is open, or when the page asks for it", () => {
  const { talk, seen } = desk(() => new Promise(NOTHING));
  talk.prepare();
  assert.equal(seen.announced, 1);
  void talk.press();
  assert.equal(seen.announced, 2);
  assert.equal(talk.state.value.phase, "opening");
});

test("a command that moves the robot waits until Confirm is pressed, once, and its outcome is shown", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = desk();
  const { talk, confirmed } = made;
  await say(made);
  talk.heard(answer(1, HOME));
  assert.equal(talk.state.value.phase, "idle");
  assert.equal(talk.pending.value?.phrase, "move to home position");
  assert.equal(talk.pending.value.until, 3000);
  talk.confirm();
  talk.confirm();
  assert.deepEqual(confirmed, [1]);
  talk.heard(answer(1, { phrase: HOME.phrase, text: "Moving home." }));
  assert.equal(talk.pending.value, null);
  assert.deepEqual(talk.state.value, { phase: "done", phrase: HOME.phrase, text: "Moving home." });
});

test("a command that was not confirmed in time cannot be, and one that was cancelled says why", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = desk();
  const { talk, confirmed, seen } = made;
  await say(made);
  talk.heard(answer(1, HOME));
  seen.now = 3000;
  talk.confirm();
  assert.deepEqual(confirmed, []);
  talk.heard(answer(1, { ok: false, phrase: HOME.phrase, text: "Cancelled: not confirmed within 3 s." }));
  assert.equal(talk.pending.value, null);
  assert.equal(talk.state.value.text, "Cancelled: not confirmed within 3 s.");
});

test("a command stays in sight while its confirmation is spoken, and ends with what came of that", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = desk();
  const { talk } = made;
  await say(made);
  talk.heard(answer(1, HOME));
  await say(made);
  assert.equal(talk.state.value.phase, "recognising");
  assert.equal(talk.pending.value?.id, 1);
  talk.heard(answer(2, { phrase: HOME.phrase, text: "Moving home." }));
  assert.equal(talk.pending.value, null);
  assert.equal(talk.state.value.phase, "done");
  talk.lost();
  assert.equal(talk.state.value.phase, "done");
});

test("who leaves says nothing: no last piece goes out", async () => {
  const { talk, sent, seen } = desk();
  await talk.press();
  seen.take(PIECE);
  talk.release();
  talk.cancel();
  seen.take(PIECE);
  seen.take(PIECE);
  assert.equal(talk.state.value.phase, "idle");
  assert.equal(seen.open, false);
  assert.equal(sent.some((piece) => piece.last === true), false);
});

test("an utterance that is held too long ends by itself", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk, sent, seen } = desk();
  await talk.press();
  for (let i = 0; i < 200; i++) seen.take(PIECE);
  const bytes = sent.reduce((sum, piece) => sum + piece.pcm.length, 0);
  assert.equal(sent.at(-1)?.last, true);
  assert.ok(bytes <= 4 * RATE_HZ * 2, `${bytes} bytes`);
  t.mock.timers.tick(12_000);
  assert.equal(talk.state.value.text, "The server did not answer in time.");
});

test("a line that is full for a while delays speech, and cuts nothing off", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk, sent, seen } = desk();
  await talk.press();
  seen.free = false;
  for (let i = 0; i < 30; i++) seen.take(PIECE.map(() => i));
  talk.release();
  seen.ended();
  assert.equal(talk.state.value.phase, "recognising");
  assert.equal(sent.length, 0);
  t.mock.timers.tick(50);
  seen.free = true;
  t.mock.timers.tick(50);
  assert.deepEqual(sent.map((piece) => piece.pcm[0]), [...Array.from({ length: 30 }, (_, i) => i), undefined]);
  assert.deepEqual(sent.map((piece) => piece.last), [...Array.from({ length: 30 }, () => false), true]);
  talk.heard(answer(1));
  assert.equal(talk.state.value.phase, "done");
});

test("a line that stays full carries no speech, that is said, and nothing of it comes later", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk, sent, seen } = desk();
  await talk.press();
  seen.free = false;
  for (let i = 0; i < 200; i++) seen.take(PIECE);
  for (let look = 0; look <= 100; look++) t.mock.timers.tick(50);
  assert.equal(talk.state.value.phase, "refused");
  assert.match(talk.state.value.text, /too slow for speech/);
  seen.free = true;
  await talk.press();
  seen.take(PIECE);
  assert.deepEqual(sent.map((piece) => [piece.id, piece.last]), [[2, false]]);
});

test("a microphone that goes silent ends the utterance all the same", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk, sent, seen } = desk();
  await talk.press();
  seen.take(PIECE);
  talk.release();
  for (let look = 0; look <= 20; look++) t.mock.timers.tick(50);
  assert.equal(talk.state.value.phase, "recognising");
  assert.deepEqual([sent.at(-1)?.last, sent.at(-1)?.pcm.length], [true, 0]);
});

test("why there is no microphone is a sentence", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk } = desk(() => Promise.reject(new DOMException("denied", "NotAllowedError")));
  await talk.press();
  assert.equal(talk.state.value.phase, "refused");
  assert.match(talk.state.value.text, /browser blocks the microphone/);
  assert.equal(microphoneProblem(new DOMException("", "NotFoundError")), "There is no microphone.");
  assert.equal(microphoneProblem(new Error("Only over https.")), "Only over https.");
  assert.equal(microphoneProblem(new Error("odd")), "The microphone cannot be used: odd.");
});

test("letting go before it listens is said, and a microphone that opens later is closed again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk, seen } = desk();
  const opening = talk.press();
  talk.release();
  await opening;
  assert.equal(talk.state.value.phase, "refused");
  assert.equal(seen.open, false);
});

test("a lost connection ends it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { talk, seen } = desk();
  await talk.press();
  seen.take(PIECE);
  talk.lost();
  assert.match(talk.state.value.text, /^Connection lost/);
});

/** Return a tone at one rate as the resampler makes it of another, fed in uneven pieces as a browser may. */
function resampled(rate: number, hertz: number): Int16Array {
  const old = Float32Array.from({ length: rate }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate));
  const resampler = new Resampler(rate);
  const made: number[] = [];
  for (let at = 0; at < rate; at += 128) made.push(...resampler.take(old.subarray(at, at + 128)));
  return Int16Array.from(made);
}

for (const rate of [16_000, 44_100, 48_000, 96_000]) {
  test(`a tone of 1000 Hz stays one, from ${rate} Hz`, () => {
    const made = resampled(rate, 1000);
    assert.ok(Math.abs(made.length - RATE_HZ) < 40, `${made.length} samples`);
    // Where the tone lies is the resampler's business, what it is like is not: fit a sine and look at what is left.
    const from = 200;
    let [sine, cosine] = [0, 0];
    const span = 8000;
    for (let i = from; i < from + span; i++) {
      sine += (made[i] ?? 0) * Math.sin((2 * Math.PI * 1000 * i) / RATE_HZ);
      cosine += (made[i] ?? 0) * Math.cos((2 * Math.PI * 1000 * i) / RATE_HZ);
    }
    [sine, cosine] = [(2 * sine) / span, (2 * cosine) / span];
    let worst = 0;
    for (let i = from; i < from + span; i++) {
      const angle = (2 * Math.PI * 1000 * i) / RATE_HZ;
      worst = Math.max(worst, Math.abs((made[i] ?? 0) - sine * Math.sin(angle) - cosine * Math.cos(angle)));
    }
    assert.ok(Math.abs(Math.hypot(sine, cosine) - 16_383) < 200, `loudness ${Math.hypot(sine, cosine)}`);
    assert.ok(worst < 300, `off by ${worst}`);
  });
}

test("what is too high for the new rate is gone, not folded down", () => {
  const made = resampled(48_000, 11_000);
  assert.ok(Math.max(...made.slice(200).map(Math.abs)) < 50);
});
