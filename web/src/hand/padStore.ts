/** Profiles of gamepads and consoles, remembered for each device. */

import { signal } from "@preact/signals";
import { isRecordOf, type Settings } from "../state/settings.ts";
import { isProfile, type Profile } from "./padProfile.ts";

const NAME = "pads";

export class PadStore {
  readonly profiles = signal<Readonly<Record<string, Profile>>>({});
  /** Ids of the connected devices. */
  readonly plugged = signal<readonly string[]>([]);

  constructor(private readonly settings: Settings) {
    this.profiles.value = settings.load(NAME, isRecordOf(isProfile)) ?? {};
  }

  saved(id: string): Profile | null {
    return this.profiles.value[id] ?? null;
  }

  save(id: string, profile: Profile): void {
    this.keep({ ...this.profiles.value, [id]: profile });
  }

  remove(id: string): void {
    this.keep(Object.fromEntries(Object.entries(this.profiles.value).filter(([other]) => other !== id)));
  }

  private keep(profiles: Readonly<Record<string, Profile>>): void {
    this.profiles.value = profiles;
    this.settings.save(NAME, profiles);
  }
}
