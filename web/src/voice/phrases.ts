/** The voice commands that a robot understands. Pure. */

import { PHRASES, type RobotInfo } from "../wire.gen.ts";

const NUMBERS = ["one", "two", "three", "four", "five"];

/** Return the phrases that a robot understands, in the order of the vocabulary. */
export function phrasesFor(info: RobotInfo | null): readonly string[] {
  if (info === null) return PHRASES;
  return PHRASES.filter((phrase) => {
    const [first = "", second = ""] = phrase.split(" ");
    if (first === "power") return info.switch;
    if (first === "scale") return info.mappings.some((mapping) => mapping.scalable) && NUMBERS.indexOf(second) < info.scales.length;
    if (first === "speed") return NUMBERS.indexOf(second) < info.speeds.length;
    return phrase !== "next mapping" || info.mappings.length > 1;
  });
}
