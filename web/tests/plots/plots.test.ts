import assert from "node:assert/strict";
import test from "node:test";
import { firstChoice, followed, isChoice, known, MAX_SIGNALS, plotTitle, plotUnits, shortLabel, signalTitle, toggled, union } from "../../src/plots/plotSelection.ts";
import { csv } from "../../src/plots/csv.ts";
import { decimalsOf, axisRange } from "../../src/plots/axisRange.ts";
import { SampleTable } from "../../src/plots/sampleTable.ts";
import { thin } from "../../src/plots/thinSamples.ts";
import type { SignalInfo } from "../../src/wire.gen.ts";

function signal(name: string, label: string, unit: string): SignalInfo {
  return { name, label, unit, group: "arm" };
}

function filled(capacity: number, rows: number): SampleTable {
  const table = new SampleTable(capacity, 0.01);
  for (let tick = 1; tick <= rows; tick += 1) table.append(tick, ["a", "b"], Float32Array.of(tick, -tick));
  return table;
}

test("a ring keeps the newest samples, in order", () => {
  const { times, columns } = filled(5, 8).window(["a", "b"], 10);
  assert.deepEqual([...times].map((time) => Math.round(time * 100)), [4, 5, 6, 7, 8]);
  assert.deepEqual([...(columns[0] ?? [])], [4, 5, 6, 7, 8]);
  assert.deepEqual([...(columns[1] ?? [])], [-4, -5, -6, -7, -8]);
});

test("a window reaches back so many seconds, from the newest or from where it was paused", () => {
  const table = filled(100, 50);
  assert.deepEqual([...(table.window(["a"], 0.03).columns[0] ?? [])], [47, 48, 49, 50]);
  assert.deepEqual([...(table.window(["a"], 0.02, 30).columns[0] ?? [])], [28, 29, 30]);
});

test("several ticks in one message are several rows", () => {
  const table = new SampleTable(10, 0.01);
  table.append(5, ["a", "b"], Float32Array.of(1, 2, 3, 4, 5, 6));
  assert.deepEqual([...(table.window(["b"], 1).columns[0] ?? [])], [2, 4, 6]);
  assert.equal(table.newest, 7);
});

test("missing samples leave a gap", () => {
  const table = new SampleTable(10, 0.01);
  table.append(1, ["a"], Float32Array.of(1));
  table.append(5, ["a"], Float32Array.of(5));
  assert.deepEqual([...(table.window(["a"], 1).columns[0] ?? [])], [1, NaN, 5]);
});

test("a signal that came later has gaps before, one that nobody hears has gaps since", () => {
  const table = filled(10, 2);
  table.append(3, ["a", "c"], Float32Array.of(3, 33));
  const { columns } = table.window(["a", "b", "c"], 1);
  assert.deepEqual(columns.map((column) => [...column]), [[1, 2, 3], [-1, -2, NaN], [NaN, NaN, 33]]);
});

test("a cell that was started anew starts the table anew", () => {
  const table = filled(10, 8);
  table.append(1, ["a"], Float32Array.of(100));
  assert.deepEqual([...(table.window(["a"], 1).columns[0] ?? [])], [100]);
});

test("thinning keeps every peak and every gap", () => {
  const table = new SampleTable(2000, 0.01);
  const values = Float32Array.from({ length: 1000 }, (_, row) => (row === 500 ? 9 : row === 700 ? -9 : 0));
  table.append(1, ["a"], values);
  const [times, column] = thin(table.window(["a"], 100), 50);
  assert.equal(times.length, column?.length);
  assert.ok(times.length <= 100);
  assert.ok(column?.includes(9) && column.includes(-9));
  assert.deepEqual(thin({ times: Float64Array.of(1, 2), columns: [Float32Array.of(1, NaN)] }, 50), [[1, 2], [1, null]]);
});

test("a table as text has names, units, every tick, and empty cells for gaps", () => {
  const window = { times: Float64Array.of(0.002, 0.004), columns: [Float32Array.of(1.5, NaN), Float32Array.of(0.1, -2)] };
  const text = csv(window, [signal("f", "Tip force", "N"), signal("x", 'Tip "x", base', "m")]);
  assert.equal(text, 'time (s),arm: Tip force (N),"arm: Tip ""x"", base (m)"\r\n0.0020,1.5,0.1\r\n0.0040,,-2\r\n');
});

test("a name cannot become a formula of a spreadsheet", () => {
  const text = csv({ times: Float64Array.of(), columns: [] }, [{ ...signal("f", "=1+1", ""), group: "" }]);
  assert.equal(text.split("\r\n")[0], "time (s),'=1+1");
});

test("all plots together listen to each signal once, and to no more than are sent", () => {
  assert.deepEqual(union([["a", "b"], ["b", "c"]]), ["a", "b", "c"]);
  const many = Array.from({ length: MAX_SIGNALS }, (_, index) => `s${index}`);
  assert.equal(union([many, ["more"]]).length, MAX_SIGNALS);
  const plots = [many, []];
  assert.equal(toggled(plots, 1, "more"), plots, "one too many changes nothing");
  assert.deepEqual(toggled(plots, 1, "s0")[1], ["s0"], "one that is there already costs nothing");
  assert.deepEqual(toggled([["a", "b"]], 0, "a"), [["b"]]);
});

test("saved plots lose signals that the cell no longer has", () => {
  assert.deepEqual(known([["a", "gone"]], [signal("a", "A", "")]), [["a"]]);
  assert.ok(isChoice([["a"], []]));
  assert.ok(!isChoice([[1]]));
});

const SIGNALS = [
  signal("arm/tip/force", "contact force", "N"),
  signal("arm/tip/x", "x", "m"),
  signal("arm/tip/y", "y", "m"),
  signal("arm/tip/z", "z", "m"),
  signal("arm/joint 1/position", "Turn position", "°"),
  signal("arm/joint 1/rate", "Turn rate", "°/s"),
  signal("cube/x", "cube x", "m"),
];

function some(...at: number[]): SignalInfo[] {
  return SIGNALS.filter((_, index) => at.includes(index));
}

test("a first visit shows the tip's force and position", () => {
  assert.deepEqual(firstChoice(SIGNALS, "arm"), [["arm/tip/force"], ["arm/tip/x", "arm/tip/y", "arm/tip/z"]]);
  assert.deepEqual(firstChoice(SIGNALS, "nobody"), [["arm/tip/force"]]);
});

test("a signal's title says what it belongs to, with several robots whose it is", () => {
  const titles = (several: boolean): string[] => some(0, 1, 4, 6).map((each) => signalTitle(each, several));
  assert.deepEqual(titles(false), ["Tip contact force", "Tip x", "Turn position", "Cube x"]);
  assert.deepEqual(titles(true), ["Arm tip contact force", "Arm tip x", "Arm Turn position", "Cube x"]);
});

test("a plot's title is what its signals share", () => {
  assert.equal(plotTitle(some(1, 2), false), "Tip position");
  assert.equal(plotTitle(some(0), false), "Tip contact force");
  assert.equal(plotTitle(some(4, 5), false), "Turn");
  assert.equal(plotTitle(some(0, 4), false), "Tip contact force and 1 more");
  assert.equal(plotTitle([], false), "No signals");
  assert.equal(shortLabel("Tip x", "Tip position"), "x");
  assert.equal(shortLabel("Cube x", "Tip position"), "Cube x");
  assert.deepEqual(plotUnits(some(0, 1, 2)), ["N", "m"]);
});

test("marks have as many decimals as their distance needs", () => {
  assert.deepEqual([20, 1, 0.5, 0.25, 0.05, 0.002].map(decimalsOf), [0, 0, 1, 2, 2, 3]);
});

test("a still signal is not blown up to fill the plot", () => {
  const [low, high] = axisRange(0.4, 0.4000001, "m");
  assert.ok(high - low >= 0.01);
  assert.deepEqual(axisRange(null, null, "m"), [0, 1]);
  const [bottom, top] = axisRange(-10, 10, "N");
  assert.ok(bottom < -10 && top > 10);
});

test("plots of a robot go along to another one that has the same signals, but not twice", () => {
  const signals = ["one/tip/x", "one/tip/y", "one/belt", "two/tip/x", "two/tip/y"].map((name) => signal(name, name, "m"));
  const plots = [["one/tip/x", "one/tip/y"], ["one/belt"], ["one/tip/x", "two/tip/x"], []];
  const there = followed(plots, "one", "two", signals);
  assert.deepEqual(there, [["two/tip/x", "two/tip/y"], ["one/belt"], ["one/tip/x", "two/tip/x"], []]);
  assert.deepEqual(followed(there, "two", "one", signals), plots);
  const both = [["one/tip/x"], ["two/tip/x"]];
  assert.deepEqual(followed(both, "one", "two", signals), both);
});
