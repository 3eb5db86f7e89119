import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { unpackMessage } from "../../src/link/codec.ts";
import { Commands, ANSWER_TIMEOUT_MS } from "../../src/link/commands.ts";
import { claimClient, keepToken, secret, takeToken, tokenIn, type Channel } from "../../src/link/identity.ts";
import { Link, type Socket } from "../../src/link/connection.ts";
import { meshOf } from "../../src/link/fetchMesh.ts";
import { memoryStore } from "../../src/state/settings.ts";
import { WIRE, type FromPage, type ToPage } from "../../src/wire.gen.ts";

class FakeSocket implements Socket {
  binaryType: BinaryType = "blob";
  bufferedAmount = 0;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  readonly sent: unknown[] = [];
  send(data: Uint8Array<ArrayBuffer>): void {
    this.sent.push(decode(data));
  }
  close(): void {
    this.onclose?.({} as CloseEvent);
  }
  says(message: ToPage): void {
    this.onmessage?.({ data: encode(message).slice().buffer } as MessageEvent);
  }
}

const WELCOME: ToPage = { type: "Welcome", viewer: 1, name: "", version: "", cells: [], role: "user" };

function rig(): { link: Link; sockets: FakeSocket[]; waits: { wait: number; then: () => void }[]; heard: string[] } {
  const sockets: FakeSocket[] = [];
  const waits: { wait: number; then: () => void }[] = [];
  const heard: string[] = [];
  const link = new Link(
    { token: "t", client: "c", language: "de" },
    {
      opening: () => heard.push("opening"),
      message: (message) => heard.push(message.type),
      lost: () => heard.push("lost"),
    },
    {
      socket: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket;
      },
      after: (wait, then) => waits.push({ wait, then }),
    },
  );
  link.start();
  return { link, sockets, waits, heard };
}

test("the page says hello with its token and its messages' version, and may speak once it is welcome", () => {
  const { link, sockets } = rig();
  const [socket] = sockets;
  socket?.onopen?.({} as Event);
  assert.deepEqual(socket?.sent, [{ type: "Hello", wire: WIRE, token: "t", client: "c", language: "de" }]);
  assert.equal(link.send({ type: "Ping", id: 1 }), false);
  socket.says(WELCOME);
  assert.equal(link.send({ type: "Ping", id: 1 }), true);
});

test("a broken connection is opened again, with growing patience up to two seconds", () => {
  const { sockets, waits } = rig();
  for (let round = 0; round < 6; round += 1) {
    sockets.at(-1)?.close();
    waits.at(-1)?.then();
  }
  assert.deepEqual(waits.map(({ wait }) => wait), [250, 500, 1000, 2000, 2000, 2000]);
  sockets.at(-1)?.says(WELCOME);
  sockets.at(-1)?.close();
  assert.equal(waits.at(-1)?.wait, 250, "a good connection starts it anew");
});

test("a refusal ends it, one that is worth another try does not", () => {
  const one = rig();
  one.sockets[0]?.says({ type: "Refused", reason: "No token.", retry: false, code: 1008 });
  one.sockets[0]?.close();
  assert.equal(one.waits.length, 0);
  const other = rig();
  other.sockets[0]?.says({ type: "Refused", reason: "Full.", retry: true, code: 1008 });
  other.sockets[0]?.close();
  assert.equal(other.waits.length, 1);
});

test("an abandoned connection says nothing any more", () => {
  const { link, sockets, heard } = rig();
  sockets[0]?.says(WELCOME);
  link.renew();
  sockets[0]?.says(WELCOME);
  assert.deepEqual(heard, ["opening", "Welcome", "lost"]);
});

test("readings are left out while the line is full, commands are not", () => {
  const { link, sockets } = rig();
  const [socket] = sockets;
  socket?.says(WELCOME);
  if (socket !== undefined) socket.bufferedAmount = 1_000_000;
  assert.equal(link.sendFresh({ type: "Ping", id: 1 }), false);
  assert.equal(link.send({ type: "Ping", id: 2 }), true);
});

test("what is no message of this page is ignored", () => {
  assert.equal(unpackMessage(encode({ type: "Nonsense" }).slice().buffer), null);
  assert.equal(unpackMessage(encode([1, 2]).slice().buffer), null);
});

test("commands get the answer of their own number", async () => {
  const sent: FromPage[] = [];
  const commands = new Commands((message) => sent.push(message) > 0);
  const first = commands.command({ type: "Stop" });
  const second = commands.command({ type: "Reset" });
  const ids = sent.map((message) => ("id" in message ? message.id : 0));
  commands.answered({ type: "Answer", id: ids[1] ?? 0, ok: false, text: "no" });
  commands.answered({ type: "Answer", id: ids[0] ?? 0, ok: true, text: "" });
  assert.equal((await first).ok, true);
  assert.equal((await second).text, "no");
});

test("a command without connection, without answer, or on a broken connection is answered all the same", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    assert.equal((await new Commands(() => false).command({ type: "Stop" })).ok, false);
    const commands = new Commands(() => true);
    const late = commands.command({ type: "Stop" });
    mock.timers.tick(ANSWER_TIMEOUT_MS);
    assert.match((await late).text, /did not answer/);
    const broken = commands.command({ type: "Stop" });
    commands.lost();
    assert.match((await broken).text, /connection was lost/);
  } finally {
    mock.timers.reset();
  }
});

test("the token comes from the address, leaves the address bar, and is kept for all tabs once it was accepted", () => {
  assert.equal(tokenIn("#token=abc"), "abc");
  assert.equal(tokenIn("#other"), null);
  const [tab, other, browser] = [memoryStore(), memoryStore(), memoryStore()];
  const seen: string[] = [];
  const history = { replaceState: (_: unknown, __: string, url: string) => seen.push(url) } as unknown as History;
  const at = (hash: string): Location => ({ hash, pathname: "/", search: "" }) as Location;
  assert.equal(takeToken(at("#token=abc"), history, tab, browser), "abc");
  assert.deepEqual(seen, ["/"]);
  assert.equal(takeToken(at(""), history, tab, browser), "abc");
  assert.equal(takeToken(at(""), history, other, browser), "");
  keepToken("abc", tab, browser);
  assert.equal(takeToken(at(""), history, other, browser), "abc");
  assert.equal(takeToken(at("#token=wrong"), history, other, browser), "wrong");
  assert.equal(takeToken(at(""), history, tab, browser), "abc");
  keepToken("new", other, browser);
  assert.equal(takeToken(at(""), history, tab, browser), "new");
});

/** Tabs of one browser, as a BroadcastChannel ties them. */
function channels(): () => Channel {
  const all: Channel[] = [];
  return () => {
    const channel: Channel = {
      onmessage: null,
      postMessage: (message) => {
        for (const other of all) if (other !== channel) other.onmessage?.({ data: message } as MessageEvent);
      },
    };
    all.push(channel);
    return channel;
  };
}

test("a reloaded tab keeps its secret, a duplicated one gets its own", async () => {
  const open = channels();
  const shelf = memoryStore();
  const first = await claimClient(shelf, null, 0);
  assert.equal(await claimClient(shelf, open(), 0), first);
  const copy = memoryStore();
  copy.setItem("farhand.client", first);
  const second = await claimClient(copy, open(), 0);
  assert.notEqual(second, first);
  assert.equal(copy.getItem("farhand.client"), second);
  assert.match(second, /^[A-Za-z0-9_-]{16,64}$/);
  assert.notEqual(secret(), secret());
});

test("meshes are taken whatever their place in the message", () => {
  const vertices = new Uint8Array(new Float32Array([1, 2, 3]).buffer);
  const faces = new Uint8Array(new Uint32Array([0, 1, 2]).buffer);
  const mesh = meshOf(decode(encode({ vertices, faces })));
  assert.deepEqual([...mesh.vertices], [1, 2, 3]);
  assert.deepEqual([...mesh.faces], [0, 1, 2]);
  assert.throws(() => meshOf({ vertices: [1], faces }), /holds no mesh/);
});
