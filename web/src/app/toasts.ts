/** Short messages that disappear after a few seconds. */

import { signal } from "@preact/signals";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly grave: boolean;
}

const SHOWN_MS = 6000;
const MAX_TOASTS = 4;

export class Toasts {
  readonly list = signal<readonly Toast[]>([]);
  private next = 1;

  /** Show a message; one that is already shown is not repeated. */
  show(text: string, grave = false): void {
    const others = this.list.value.filter((toast) => toast.text !== text);
    const toast = { id: this.next++, text, grave };
    this.list.value = [...others, toast].slice(-MAX_TOASTS);
    setTimeout(() => this.dismiss(toast.id), SHOWN_MS);
  }

  dismiss(id: number): void {
    this.list.value = this.list.value.filter((toast) => toast.id !== id);
  }
}
