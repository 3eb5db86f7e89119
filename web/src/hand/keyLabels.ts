/** What stands on the operator's keys: by layout where the browser tells it, and by what was typed. */

const NAMES: Readonly<Record<string, string>> = {
  Space: "Space",
  Escape: "Esc",
  PageDown: "PgDn",
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

/** Return what a key is called on an English keyboard. */
export function plainLabel(code: string): string {
  return NAMES[code] ?? code.replace(/^(Key|Digit)/, "").replace(/^Numpad/, "Num ");
}

export class KeyLabels {
  private readonly seen = new Map<string, string>();

  /** Learn from a pressed key what stands on it. Returns whether that was news. */
  learn(code: string, key: string, shifted: boolean): boolean {
    // A single sign tells what is printed; names like "Enter", and what Shift makes of a key, do not.
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

/** Teach the labels the operator's layout, where the browser tells it. */
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
