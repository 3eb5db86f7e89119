import assert from "node:assert/strict";
import test from "node:test";
import { ControlRequests } from "../../src/app/controlRequests.ts";
import type { Model } from "../../src/state/model.ts";
import { reduce } from "../../src/state/reduce.ts";
import type { LeaseInfo } from "../../src/wire.gen.ts";
import { driving, lease } from "../fixtures.ts";

function seen(changes: Partial<LeaseInfo>): Model {
  return reduce(driving(), { type: "Leases", robots: [lease(changes)], viewers: 2 }, 1);
}

function rig(): { requests: ControlRequests; asked: string[] } {
  const asked: string[] = [];
  const requests = new ControlRequests((message) => {
    if (message.type === "Ask") asked.push(message.robot);
    return true;
  });
  return { requests, asked };
}

test("a free robot is asked for once per connection", () => {
  const { requests, asked } = rig();
  requests.update(seen({ holder: null }), "arm");
  requests.update(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm"]);
  requests.renewed();
  requests.update(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm", "arm"]);
});

test("a robot that somebody else holds is not asked for, nor grabbed when he lets it go", () => {
  const { requests, asked } = rig();
  requests.update(seen({ holder: 2 }), "arm");
  requests.update(seen({ holder: null }), "arm");
  assert.deepEqual(asked, []);
});

test("a robot whose holder is lost is asked for as soon as it is free", () => {
  const { requests, asked } = rig();
  requests.update(seen({ holder: 2, present: false }), "arm");
  assert.deepEqual(asked, []);
  requests.update(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm"]);
});

test("what the operator gave back is not asked for again until he wants it", () => {
  const { requests, asked } = rig();
  requests.declines("arm");
  requests.update(seen({ holder: null }), "arm");
  requests.renewed();
  requests.update(seen({ holder: null }), "arm");
  assert.deepEqual(asked, []);
  requests.wants("arm");
  requests.renewed();
  requests.update(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm"]);
});
