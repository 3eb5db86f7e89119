/** The operator's choices, kept by the browser; where storage is blocked they last as long as the page. */

const PREFIX = "farhand.";

/** The part of `Storage` that is used. */
export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Return a store that lasts as long as the page. */
export function memoryStore(): KeyValueStore {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** Return the browser's own store, or one in memory where that is blocked. */
export function browserStore(which: "localStorage" | "sessionStorage"): KeyValueStore {
  try {
    const storage = window[which];
    storage.setItem(`${PREFIX}probe`, "");
    storage.removeItem(`${PREFIX}probe`);
    return storage;
  } catch {
    return memoryStore();
  }
}

/** Typed values in a store, each under its own name. */
export class Settings {
  constructor(private readonly store: KeyValueStore) {}

  /** Return the value saved under this name if `accept` accepts it, otherwise null, as for an old format. */
  load<T>(name: string, accept: (value: unknown) => value is T): T | null {
    const text = this.store.getItem(PREFIX + name);
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
      this.store.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      // In a full store the choice is not remembered; it still applies.
    }
  }

  forget(name: string): void {
    this.store.removeItem(PREFIX + name);
  }
}

/** Return a test for records whose values all pass a test. */
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
