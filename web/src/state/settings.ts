/** What this browser remembers of the operator's choices. Works, forgetfully, where storage is blocked. */

const PREFIX = "farhand.";

/** The part of `Storage` that is used. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Return a shelf that forgets everything with the page. */
export function memoryShelf(): Shelf {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** Return the browser's own shelf, or a forgetful one where it is blocked. */
export function browserShelf(which: "localStorage" | "sessionStorage"): Shelf {
  try {
    const storage = window[which];
    storage.setItem(`${PREFIX}probe`, "");
    storage.removeItem(`${PREFIX}probe`);
    return storage;
  } catch {
    return memoryShelf();
  }
}

/** Typed values on a shelf, each under its own name. */
export class Settings {
  constructor(private readonly shelf: Shelf) {}

  /** Return what was saved under this name if `accept` takes it, else null: old formats are simply forgotten. */
  load<T>(name: string, accept: (value: unknown) => value is T): T | null {
    const text = this.shelf.getItem(PREFIX + name);
    if (text === null) return null;
    try {
      const value: unknown = JSON.parse(text);
      return accept(value) ? value : null;
    } catch {
      return null;
    }
  }

  save(name: string, value: unknown): void {
    try {
      this.shelf.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      // A full shelf costs the memory of a choice, never the choice itself.
    }
  }

  forget(name: string): void {
    this.shelf.removeItem(PREFIX + name);
  }
}

/** Accept a record whose values are all accepted. */
export function isRecordOf<T>(accept: (value: unknown) => value is T) {
  return (value: unknown): value is Record<string, T> =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(accept);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}
