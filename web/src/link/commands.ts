/** Commands and pings, matched with their answers. */

import { texts } from "../language/language.ts";
import { EVENTS, type Answer, type Command, type FromPage, type KeptMove } from "../wire.gen.ts";

export type Event = Command["event"];

/** How long to wait for an answer, ms; events declare their own time-out. */
export const ANSWER_TIMEOUT_MS = 2000;

interface Waiting {
  readonly settle: (answer: Answer) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class Commands {
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly send: (message: FromPage) => boolean) {}

  /** Send an event to the cell; return the server's answer, or a failed one if none comes. */
  command(event: Event): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "Command", id, event }, EVENTS[event.type].timeOut * 1000);
  }

  /** Run, rename or delete a taught path. */
  keptMove(asked: Omit<KeptMove, "type" | "id">): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "KeptMove", id, ...asked });
  }

  /** Restart the watched cell after it crashed too often. */
  restart(): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "Restart", id });
  }

  /** Send a viewer away. */
  sendAway(viewer: number): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "SendAway", id, viewer });
  }

  /** Return the round trip to the cell, ms; null without an answer. */
  async ping(clock: () => number): Promise<number | null> {
    const id = this.next++;
    const start = clock();
    const answer = await this.wait(id, { type: "Ping", id });
    return answer.ok ? clock() - start : null;
  }

  /** Settle the command that an answer belongs to; an answer that comes too late is dropped. */
  answered(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.waiting.delete(answer.id);
    waiting.settle(answer);
  }

  /** Fail all commands that wait: the connection is lost. */
  lost(): void {
    for (const id of [...this.waiting.keys()]) this.answered(unanswered(id, texts().commands.connectionLost));
  }

  private wait(id: number, message: FromPage, timeout = ANSWER_TIMEOUT_MS): Promise<Answer> {
    return new Promise((settle) => {
      const give = (): void => this.answered(unanswered(id, texts().commands.noAnswer));
      this.waiting.set(id, { settle, timer: setTimeout(give, timeout) });
      if (!this.send(message)) this.answered(unanswered(id, texts().commands.notSent));
    });
  }
}

function unanswered(id: number, text: string): Answer {
  return { type: "Answer", id, ok: false, text };
}
