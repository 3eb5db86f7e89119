/** The operator's keys: changeable, remembered, and labelled as on their keyboard. */

import { signal } from "@preact/signals";
import { isRecordOf, isString, type Settings } from "../state/settings.ts";
import { KeyLabels, learnLayout } from "./keyLabels.ts";
import { DEFAULT_KEYS, assign, changesIn, withChanges, type KeyMap } from "./keyMap.ts";

const NAME = "keys";

export class KeyStore {
  readonly keys = signal<KeyMap>(DEFAULT_KEYS);
  private readonly labels = new KeyLabels();
  private readonly learned = signal(0);

  constructor(private readonly settings: Settings) {
    this.keys.value = withChanges(settings.load(NAME, isRecordOf(isString)) ?? {});
  }

  assign(id: string, code: string): void {
    this.keys.value = assign(this.keys.value, id, code);
    this.settings.save(NAME, changesIn(this.keys.value));
  }

  reset(): void {
    this.keys.value = DEFAULT_KEYS;
    this.settings.forget(NAME);
  }

  /** Return the label of a function's key. */
  label(id: string): string {
    return this.labelOf(this.keys.value[id] ?? "");
  }

  labelOf(code: string): string {
    // Reading the signal redraws labels when new ones are learned.
    return this.learned.value >= 0 ? this.labels.label(code) : "";
  }

  learn(code: string, key: string, shifted: boolean): void {
    if (this.labels.learn(code, key, shifted)) this.learned.value += 1;
  }

  async learnLayout(browser: Navigator): Promise<void> {
    if (await learnLayout(this.labels, browser)) this.learned.value += 1;
  }
}
