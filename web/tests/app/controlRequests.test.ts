import assert from "node:assert/strict";
import test from "node:test";
import { Asker } from "../../src/app/controlRequests.ts";
import type { Model } from "../../src/state/model.ts";
import { reduce } from "../../src/state/reduce.ts";
import type { LeaseInfo } from "../../src/wire.gen.ts";
import { driving, lease } from "../fixtures.ts";

function seen(changes: Partial<LeaseInfo>): Model {
  return reduce(driving(), { type: "Leases", robots: [lease(changes)], viewers: 2 }, 1);
}

function rig(): { asker: Asker; asked: string[] } {
  const asked: string[] = [];
  const asker = new Asker((message) => {
    if (message.type === "Ask") asked.push(message.robot);
    return true;
  });
  return { asker, asked };
}

test("a free robot is asked for once per connection", () => {
  const { asker, asked } = rig();
  asker.look(seen({ holder: null }), "arm");
  asker.look(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm"]);
  asker.renewed();
  asker.look(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm", "arm"]);
});

test("a robot that somebody else holds is not asked for, nor grabbed when he lets it go", () => {
  const { asker, asked } = rig();
  asker.look(seen({ holder: 2 }), "arm");
  asker.look(seen({ holder: null }), "arm");
  assert.deepEqual(asked, []);
});

test("a robot whose holder is lost is asked for as soon as it is free", () => {
  const { asker, asked } = rig();
  asker.look(seen({ holder: 2, present: false }), "arm");
  assert.deepEqual(asked, []);
  asker.look(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm"]);
});

test("what the operator gave back is not asked for again until he wants it", () => {
  const { asker, asked } = rig();
  asker.declines("arm");
  asker.look(seen({ holder: null }), "arm");
  asker.renewed();
  asker.look(seen({ holder: null }), "arm");
  assert.deepEqual(asked, []);
  asker.wants("arm");
  asker.renewed();
  asker.look(seen({ holder: null }), "arm");
  assert.deepEqual(asked, ["arm"]);
});
