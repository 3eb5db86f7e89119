/** Teaches one function of a device, as a state machine: move → (rest → opposite) → rest → done. */

import { atRest, movedInput, needsOpposite, wiring } from "./detectInput.ts";
import { texts } from "../language/language.ts";
import type { Deflection, Input, PadState, Profile, Push } from "./padProfile.ts";

/** The function that is being taught. */
export type Subject = { readonly kind: "motion"; readonly id: string } | { readonly kind: "push"; readonly id: Push };

type Step = "move" | "rest" | "opposite" | "end";

export class InputTeacher {
  private step: Step = "move";
  private plus: Input | null = null;
  private minus: Input | null = null;

  constructor(
    private readonly subject: Subject,
    private readonly rest: PadState,
  ) {}

  /** The prompt for the operator. */
  get prompt(): string {
    const { button, axis, opposite, release } = texts().devices.prompts;
    switch (this.step) {
      case "move":
        return this.subject.kind === "push" ? button : axis;
      case "opposite":
        return opposite;
      case "rest":
      case "end":
        return release;
    }
  }

  /** Take the state of the device; return its new profile when the teaching is done, otherwise null. */
  look(pad: PadState, profile: Profile): Profile | null {
    const moved = movedInput(this.rest, pad);
    const still = atRest(this.rest, pad);
    if (this.step === "move" && moved !== null) {
      this.plus = moved;
      this.step = this.subject.kind === "motion" && needsOpposite(moved) ? "rest" : "end";
    } else if (this.step === "rest" && still) this.step = "opposite";
    else if (this.step === "opposite" && moved !== null) {
      this.minus = moved;
      this.step = "end";
    } else if (this.step === "end" && still && this.plus !== null) return this.learned(profile, this.plus);
    return null;
  }

  private learned(profile: Profile, plus: Input): Profile {
    if (this.subject.kind === "push") return { ...profile, pushes: { ...profile.pushes, [this.subject.id]: plus } };
    const motion: Deflection = wiring(plus, this.minus);
    return { ...profile, motions: { ...profile.motions, [this.subject.id]: motion } };
  }
}
