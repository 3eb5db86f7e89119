/** The language of the page, chosen once before anything is shown. */

import { ENGLISH, type Texts } from "./english.ts";
import { GERMAN } from "./german.ts";

/** The page's languages by their codes. */
export const LANGUAGES: Readonly<Record<string, Texts>> = { en: ENGLISH, de: GERMAN };

const DEFAULT = "en";
let chosen: Texts = ENGLISH;

/** Return the code of the page's language for one that is asked for: "de" for "de-AT", English where there is none. */
export function languageFor(code: string): string {
  const base = code.split("-")[0] ?? "";
  return Object.hasOwn(LANGUAGES, base) ? base : DEFAULT;
}

/** Show the page in a language, by its code. */
export function chooseLanguage(code: string): void {
  chosen = LANGUAGES[languageFor(code)] ?? ENGLISH;
}

/** Return the texts of the page in the chosen language. */
export function texts(): Texts {
  return chosen;
}

/** Return a text with its `{placeholders}` taken apart: texts at even places, names of placeholders at odd ones. */
export function splitPlaceholders(text: string): readonly string[] {
  return text.split(/\{([^}]+)\}/);
}
