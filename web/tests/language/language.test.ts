import assert from "node:assert/strict";
import test from "node:test";
import { ENGLISH } from "../../src/language/english.ts";
import { GERMAN } from "../../src/language/german.ts";
import { chooseLanguage, languageFor, LANGUAGES, splitPlaceholders, texts } from "../../src/language/language.ts";
import { degrees, fixed, heading } from "../../src/state/format.ts";
import { limitsAndNotes } from "../../src/state/limitsAndNotes.ts";
import { scaleText } from "../../src/state/motionScales.ts";

/** Return every text by its path; functions are called with sample words. */
function all(part: unknown, path = ""): [string, string][] {
  if (typeof part === "string") return [[path, part]];
  if (typeof part === "function") return [[path, String((part as (...words: string[]) => unknown)("7", "8", "9"))]];
  return Object.entries(part as object).flatMap(([name, inner]) => all(inner, `${path}.${name}`));
}

const BLANK: ReadonlySet<string> = new Set([".log.levels.info"]);
const OBLIQUE = /\b(some(body|thing|one)|any(body|thing)|whoever|anew|is said to|way to drive|shall|what it|nothing is put)\b|!/i;

for (const [code, language] of Object.entries(LANGUAGES)) {
  test(`${code}: no text is empty`, () => {
    const blank = all(language).filter(([path, text]) => text.trim() === "" && !BLANK.has(path));
    assert.deepEqual(blank, []);
  });

  test(`${code}: a sentence has one space between words and none at its ends, but for joined parts`, () => {
    const bad = all(language).filter(([, text]) => /\s{2}|\s$|^\s(?!·)/.test(text));
    assert.deepEqual(bad, []);
  });
}

test("English names things plainly", () => {
  const oblique = all(ENGLISH).filter(([path, text]) => OBLIQUE.test(text) || (/^(What|Whoever|Where) /.test(text) && !/Label|assignment/.test(path)));
  assert.deepEqual(oblique, []);
});

test("placeholders are the same in every language", () => {
  const placeholders = (text: string): string[] => splitPlaceholders(text).filter((_, index) => index % 2 === 1).sort();
  const german = new Map(all(GERMAN));
  for (const [path, text] of all(ENGLISH)) assert.deepEqual(placeholders(german.get(path) ?? ""), placeholders(text), path);
});

test("German is not English but for names and units", () => {
  const german = new Map(all(GERMAN));
  const sentences = all(ENGLISH).filter(([path, text]) => (text.match(/\p{L}{3,}/gu)?.length ?? 0) > 2 && german.get(path) === text);
  assert.deepEqual(sentences, []);
});

test("the language is chosen by its code, English where there is none", () => {
  assert.deepEqual(["de", "de-AT", "en-GB", "fr", "", "constructor"].map(languageFor), ["de", "de", "en", "en", "en", "en"]);
  chooseLanguage("de-CH");
  assert.equal(texts(), GERMAN);
  assert.equal(limitsAndNotes("teleoperation", false, [])[0]?.heading, "Grenzen");
  assert.deepEqual([fixed(-1.5, 2), degrees(-Math.PI), heading(-Math.PI), scaleText(2.5)], ["−1,50", "−180,0°", "180,0°", "2,5×"]);
  chooseLanguage("en");
  assert.equal(fixed(1.5, 1), "1.5");
});

test("a text is split at its placeholders", () => {
  assert.deepEqual(splitPlaceholders("Hold {first+} to turn."), ["Hold ", "first+", " to turn."]);
});
