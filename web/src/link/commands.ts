/** Commands and pings that wait for their answers. */

import { EVENTS, type Answer, type Command, type FromPage, type KeptMove } from "../wire.gen.ts";

export type Event = Command["event"];

/** Milliseconds after which an answer is no longer expected, for all but events: those say it themselves. */
export const PATIENCE = 2000;

interface Waiting {
  readonly settle: (answer: Answer) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class Commands {
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly send: (message: FromPage) => boolean) {}

  /** Send an event to the cell; the answer says what became of it, also where none ever came. */
  command(event: Event): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "Command", id, event }, EVENTS[event.type].timeOut * 1000);
  }

  /** Have something done with a move that was taught. */
  keptMove(asked: Omit<KeptMove, "type" | "id">): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "KeptMove", id, ...asked });
  }

  /** Have the cell tried again that is watched, and has ended too often. */
  restart(): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "Restart", id });
  }

  /** Send a viewer away. */
  sendAway(viewer: number): Promise<Answer> {
    const id = this.next++;
    return this.wait(id, { type: "SendAway", id, viewer });
  }

  /** Measure the way to the cell and back, ms; null without an answer. */
  async ping(clock: () => number): Promise<number | null> {
    const id = this.next++;
    const start = clock();
    const answer = await this.wait(id, { type: "Ping", id });
    return answer.ok ? clock() - start : null;
  }

  /** Give an answer to whoever waits for it; one that comes too late is for nobody. */
  answered(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.waiting.delete(answer.id);
    waiting.settle(answer);
  }

  /** Nothing that was sent on a broken connection will be answered. */
  lost(): void {
    for (const id of [...this.waiting.keys()]) this.answered(unanswered(id, "The connection was lost before the answer."));
  }

  private wait(id: number, message: FromPage, patience = PATIENCE): Promise<Answer> {
    return new Promise((settle) => {
      const give = (): void => this.answered(unanswered(id, "The cell did not answer in time."));
      this.waiting.set(id, { settle, timer: setTimeout(give, patience) });
      if (!this.send(message)) this.answered(unanswered(id, "Not connected: nothing was sent."));
    });
  }
}

function unanswered(id: number, text: string): Answer {
  return { type: "Answer", id, ok: false, text };
}
