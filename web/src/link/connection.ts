/**
 * The connection to the server: opens, says hello, and opens again by itself whenever it breaks.
 *
 *   connecting ──Welcome──▶ open ──closed──▶ waiting (0.25 s, doubling up to 2 s) ──▶ connecting
 *        └──Refused without retry──▶ refused, for good
 */

import { WIRE, type FromPage, type ToPage } from "../wire.gen.ts";
import { pack, unpackMessage } from "./codec.ts";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 2000;
/** Bytes that wait to be sent, beyond which readings are left out: only the newest one matters. */
const BACKLOG = 32_768;
/** Likewise for speech, which comes in bursts when the page was busy: less, so that readings still get through. */
const SPARE = 24_576;

/** The part of `WebSocket` that is used. */
export interface Socket {
  binaryType: BinaryType;
  readonly bufferedAmount: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export interface Listener {
  opening(): void;
  message(message: ToPage): void;
  lost(): void;
}

/** Time and sockets, so that tests can bring their own. */
export interface Surroundings {
  socket(): Socket;
  after(milliseconds: number, then: () => void): void;
}

export class Link {
  private socket: Socket | null = null;
  private wait = FIRST_WAIT;
  private welcomed = false;
  private ended = false;

  constructor(
    private readonly identity: { token: string; client: string; language: string },
    private readonly listener: Listener,
    private readonly surroundings: Surroundings,
  ) {}

  /** Whether messages can be sent. */
  get open(): boolean {
    return this.welcomed;
  }

  /** Open the connection; it stays open, or opens again, until it is refused. */
  start(): void {
    if (this.ended || this.socket !== null) return;
    this.listener.opening();
    const socket = this.surroundings.socket();
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      const { token, client, language } = this.identity;
      socket.send(pack({ type: "Hello", wire: WIRE, token, client, language }));
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.heard(event.data);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.closed();
    };
  }

  /** Send a message; return whether there was a connection to send it on. */
  send(message: FromPage): boolean {
    if (!this.welcomed || this.socket === null) return false;
    this.socket.send(pack(message));
    return true;
  }

  /** Send what is worth nothing when it is late; return whether it went out. */
  sendFresh(message: FromPage): boolean {
    if (this.socket === null || this.socket.bufferedAmount > BACKLOG) return false;
    return this.send(message);
  }

  /** Send what readings shall not wait for; return whether it went out. */
  sendSpare(message: FromPage): boolean {
    if (this.socket === null || this.socket.bufferedAmount > SPARE) return false;
    return this.send(message);
  }

  /** Give up a connection that says nothing any more, and open a new one. */
  renew(): void {
    const old = this.socket;
    if (old === null) return;
    this.closed();
    old.close();
  }

  private heard(data: unknown): void {
    const message = data instanceof ArrayBuffer ? unpackMessage(data) : null;
    if (message === null) return;
    if (message.type === "Welcome") {
      this.welcomed = true;
      this.wait = FIRST_WAIT;
    }
    if (message.type === "Refused" && !message.retry) this.ended = true;
    this.listener.message(message);
  }

  private closed(): void {
    this.socket = null;
    this.welcomed = false;
    this.listener.lost();
    if (this.ended) return;
    this.surroundings.after(this.wait, () => this.start());
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }
}

/** Return the real surroundings, for the server that the page came from. */
export function browserSurroundings(place: Location): Surroundings {
  const url = new URL("socket", place.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  url.search = "";
  return {
    socket: () => new WebSocket(url),
    after: (milliseconds, then) => void setTimeout(then, milliseconds),
  };
}
