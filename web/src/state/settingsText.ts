/** Settings as lines of text, as a cell file has them: `speed = 0.2`. */

/** Return settings as lines. */
export function linesOf(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join("\n");
}

/** What lines say, or what is wrong with the first bad one. */
export type Read = { readonly settings: Record<string, unknown> } | { readonly problem: string };

/** Return the settings that lines hold. Empty lines, and what follows a #, mean nothing. */
export function settingsIn(text: string): Read {
  const settings: Record<string, unknown> = {};
  for (const [index, line] of text.split("\n").entries()) {
    const said = line.replace(/^\s*#.*$/, "").trim();
    if (said === "") continue;
    const match = /^([\w-]+)\s*=\s*(.+)$/.exec(said);
    const value = match?.[2] === undefined ? undefined : valueOf(match[2]);
    if (match?.[1] === undefined || value === undefined) {
      return { problem: `Line ${index + 1} is not “name = value”: ${said}` };
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
