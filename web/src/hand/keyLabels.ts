/** The labels of the operator's keys: from the keyboard layout where the browser tells it, and from typed keys. */

import { texts } from "../language/language.ts";

const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  BracketLeft: "[",
  BracketRight: "]",
  Minus: "-",
  Equal: "=",
  Semicolon: ";",
  Quote: "'",
  Comma: ",",
  Period: ".",
  Slash: "/",
  Backslash: "\\",
  Backquote: "`",
};

/** Return the label of a key on an English keyboard, named keys in the page's language. */
export function plainLabel(code: string): string {
  return texts().keys.names[code] ?? SIGNS[code] ?? code.replace(/^(Key|Digit)/, "").replace(/^Numpad/, "Num ");
}

export class KeyLabels {
  private readonly seen = new Map<string, string>();

  /** Learn a key's label from a press of it. Return whether the label is new. */
  learn(code: string, key: string, shifted: boolean): boolean {
    // Only a single character without Shift is what is printed on the key.
    if (key.length !== 1 || key === " " || shifted || code.startsWith("Numpad")) return false;
    const label = key.toUpperCase();
    if (this.label(code) === label) return false;
    this.seen.set(code, label);
    return true;
  }

  label(code: string): string {
    return this.seen.get(code) ?? plainLabel(code);
  }
}

/** The part of Chromium's keyboard map that is used. */
interface Layouts {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>;
}

/** Learn the labels of the operator's keyboard layout, where the browser tells it. Return whether any is new. */
export async function learnLayout(labels: KeyLabels, browser: Navigator): Promise<boolean> {
  const layouts = (browser as Navigator & { keyboard?: Layouts }).keyboard;
  if (layouts === undefined) return false;
  try {
    let news = false;
    for (const [code, key] of await layouts.getLayoutMap()) news = labels.learn(code, key, false) || news;
    return news;
  } catch {
    return false;
  }
}
