/** Settings as lines of text, as in a cell file: `speed = 0.2`. */

import { texts } from "../language/language.ts";

/** Return settings as lines. */
export function linesOf(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join("\n");
}

/** The settings in the lines, or the problem with the first bad line. */
export type Read = { readonly settings: Record<string, unknown> } | { readonly problem: string };

/** Return the settings in the lines. Empty lines and lines that begin with # are ignored. */
export function settingsIn(text: string): Read {
  const settings: Record<string, unknown> = {};
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.replace(/^\s*#.*$/, "").trim();
    if (content === "") continue;
    const match = /^([\w-]+)\s*=\s*(.+)$/.exec(content);
    const value = match?.[2] === undefined ? undefined : valueOf(match[2]);
    if (match?.[1] === undefined || value === undefined) {
      return { problem: texts().setup.notSettings(index + 1, content) };
    }
    settings[match[1]] = value;
  }
  return { settings };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
