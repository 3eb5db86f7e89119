/** One lesson as a small state machine: move → (rest → opposite) → rest → done. Looks at the device again and again. */

import { atRest, movedInput, needsOpposite, wiring } from "./detectInput.ts";
import type { Deflection, Input, PadState, Profile, Push } from "./padProfile.ts";

/** What is being taught. */
export type Subject = { readonly kind: "motion"; readonly id: string } | { readonly kind: "push"; readonly id: Push };

type Step = "move" | "rest" | "opposite" | "end";

export class Teacher {
  private step: Step = "move";
  private plus: Input | null = null;
  private minus: Input | null = null;

  constructor(
    private readonly subject: Subject,
    private readonly rest: PadState,
  ) {}

  /** What the operator is to do now. */
  get prompt(): string {
    switch (this.step) {
      case "move":
        return this.subject.kind === "push" ? "press the button now" : "move the axis, or press the button, now";
      case "opposite":
        return "now the opposite direction";
      case "rest":
      case "end":
        return "let go";
    }
  }

  /** Look at the device; return its new profile when the lesson is over, else null. */
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
