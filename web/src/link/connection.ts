/**
 * The connection to the server: opens, sends its greeting, and opens again whenever it breaks.
 *
 *   connecting ──Welcome──▶ open ──closed──▶ waiting (0.25 s, doubling up to 2 s) ──▶ connecting
 *        └──Refused without retry──▶ refused, for good
 */

import { WIRE, type FromPage, type ToPage } from "../wire.gen.ts";
import { pack, unpackMessage } from "./codec.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2000;
/** Bytes waiting to be sent, above which readings are dropped: only the newest one matters. */
const READING_BACKLOG_BYTES = 32_768;
/** Likewise for speech: less, so that readings still get through a burst of it. */
const SPEECH_BACKLOG_BYTES = 24_576;

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

/** Sockets and timers, so that tests can bring their own. */
export interface Transport {
  socket(): Socket;
  after(milliseconds: number, then: () => void): void;
}

export class Link {
  private socket: Socket | null = null;
  private wait = FIRST_WAIT_MS;
  private welcomed = false;
  private ended = false;

  constructor(
    private readonly identity: { token: string; client: string; language: string },
    private readonly listener: Listener,
    private readonly transport: Transport,
  ) {}

  /** True while messages can be sent. */
  get open(): boolean {
    return this.welcomed;
  }

  /** Open the connection; it stays open, or opens again, until it is refused. */
  start(): void {
    if (this.ended || this.socket !== null) return;
    this.listener.opening();
    const socket = this.transport.socket();
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

  /** Send a message that is worthless when late; return whether it was sent. */
  sendFresh(message: FromPage): boolean {
    if (this.socket === null || this.socket.bufferedAmount > READING_BACKLOG_BYTES) return false;
    return this.send(message);
  }

  /** Send a message that must not delay readings; return whether it was sent. */
  sendSpare(message: FromPage): boolean {
    if (this.socket === null || this.socket.bufferedAmount > SPEECH_BACKLOG_BYTES) return false;
    return this.send(message);
  }

  /** Drop a silent connection and open a new one. */
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
      this.wait = FIRST_WAIT_MS;
    }
    if (message.type === "Refused" && !message.retry) this.ended = true;
    this.listener.message(message);
  }

  private closed(): void {
    this.socket = null;
    this.welcomed = false;
    this.listener.lost();
    if (this.ended) return;
    this.transport.after(this.wait, () => this.start());
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
  }
}

/** Return the browser's sockets and timers, for the server that the page came from. */
export function browserTransport(place: Location): Transport {
  const url = new URL("socket", place.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  url.search = "";
  return {
    socket: () => new WebSocket(url),
    after: (milliseconds, then) => void setTimeout(then, milliseconds),
  };
}
