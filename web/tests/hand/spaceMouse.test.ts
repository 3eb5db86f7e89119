import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { readPad } from "../../src/hand/readPad.ts";
import { SPACEMOUSE } from "../../src/hand/padLayouts.ts";
import { SpaceMice, type Hid, type HidDevice } from "../../src/hand/spaceMouseDevices.ts";
import { AT_REST, decode, type SpaceMouseState } from "../../src/hand/spaceMouseReport.ts";
import { TIP } from "../fixtures.ts";

interface Seen {
  what: string;
  report: string;
  counts: number[];
  pressed: number[];
}

// The master in Python reads the same ones.
const { reports } = JSON.parse(readFileSync("../tests/data/spacemouse.json", "utf8")) as { reports: Seen[] };

function bytesOf(report: string): { id: number; data: DataView } {
  const [id = 0, ...rest] = report.split(" ").map((text) => Number.parseInt(text, 16));
  return { id, data: new DataView(new Uint8Array(rest).buffer) };
}

test("every report says what it said when it was recorded", () => {
  let puck: SpaceMouseState = AT_REST;
  for (const { what, report, counts, pressed } of reports) {
    const { id, data } = bytesOf(report);
    puck = decode(puck, id, data);
    assert.deepEqual(puck.axes.map((share) => Math.round(share * 350)), counts, what);
    assert.deepEqual(puck.buttons.flatMap((value, index) => (value === 1 ? [index] : [])), pressed, what);
  }
});

test("beyond the full deflection there is nothing more", () => {
  const { id, data } = bytesOf("01 00 00 00 fe 00 00");
  assert.deepEqual(decode(AT_REST, id, data).axes, [1, 0, 0, 0, 0, 0]);
});

test("the left button enables, and the cap moves the tip the way it is pushed", () => {
  const pushed = { id: "SpaceMouse", layout: "spacemouse", axes: [1, 0, -1, 0, 0, 0.05], buttons: [1, 0] } as const;
  const held = readPad(pushed, SPACEMOUSE, TIP.axes);
  assert.equal(held.deadman, true);
  assert.deepEqual(held.axes, { x: 1, y: 0, z: -1, roll: 0, pitch: 0, yaw: 0, grip: 0 });
});

class Device extends EventTarget implements HidDevice {
  opened = false;
  collections = [{ usagePage: 1, usage: 8 }];

  constructor(
    readonly productName: string,
    private readonly refuses = false,
  ) {
    super();
  }

  open(): Promise<void> {
    this.opened = !this.refuses;
    return this.refuses ? Promise.reject(new Error("no")) : Promise.resolve();
  }

  says(report: string): void {
    const { id: reportId, data } = bytesOf(report);
    this.dispatchEvent(Object.assign(new Event("inputreport"), { reportId, data }));
  }
}

class Port extends EventTarget implements Hid {
  constructor(private readonly devices: HidDevice[]) {
    super();
  }

  getDevices(): Promise<HidDevice[]> {
    return Promise.resolve([]);
  }

  requestDevice(): Promise<HidDevice[]> {
    return Promise.resolve(this.devices);
  }

  plug(what: "connect" | "disconnect", device: HidDevice): void {
    this.dispatchEvent(Object.assign(new Event(what), { device }));
  }
}

test("a SpaceMouse is there from when it is allowed until it is unplugged, and comes back at rest", async () => {
  const device = new Device("SpaceMouse Compact");
  const port = new Port([device]);
  const mice = new SpaceMice(port, () => assert.fail("nothing to say"));
  await mice.start();
  assert.deepEqual(mice.states(), []);
  await mice.connect();
  device.says("03 01 00");
  assert.deepEqual(mice.states(), [{ id: "SpaceMouse Compact", layout: "spacemouse", axes: AT_REST.axes, buttons: [1, 0] }]);
  port.plug("disconnect", device);
  assert.deepEqual(mice.states(), []);
  device.says("03 01 00");
  assert.deepEqual(mice.states(), []);
  port.plug("connect", device);
  assert.deepEqual(mice.states()[0]?.buttons, [0, 0]);
});

test("two of one kind have a number each; a keyboard of the same maker is none", async () => {
  const other = new Device("Keys");
  other.collections = [{ usagePage: 1, usage: 6 }];
  const mice = new SpaceMice(new Port([new Device("SpaceMouse"), new Device("SpaceMouse"), other]), () => undefined);
  await mice.connect();
  assert.deepEqual(mice.states().map((state) => state.id), ["SpaceMouse", "SpaceMouse #2"]);
});

test("one that cannot be opened is said to, and is not there", async () => {
  const said: string[] = [];
  const mice = new SpaceMice(new Port([new Device("SpaceMouse", true)]), (text) => said.push(text));
  await mice.connect();
  assert.deepEqual(mice.states(), []);
  assert.match(said.join(), /SpaceMouse cannot be read/);
});
