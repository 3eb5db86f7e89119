/** Colours of the plots, taken from the style sheet, so that they are defined once. */

export const LINES: readonly string[] = ["--info", "--ok", "--warn", "--violet", "--rose", "--lime", "--sand", "--sky"];

/** Return a colour by the name of its custom property. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Return the name of the colour of the n-th line of a plot. */
export function lineColour(index: number): string {
  return LINES[index % LINES.length] ?? "--text";
}
