/** Numbers as text: fixed decimals, a true minus sign, never "−0", the decimal sign of the page's language. */

import { texts } from "../language/language.ts";

const MINUS = "−";

/** Return a number with a fixed count of decimals. */
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return "–";
  const text = Math.abs(value).toFixed(decimals);
  const negative = value < 0 && Number(text) !== 0;
  return (negative ? MINUS : "") + text.replace(".", texts().decimal);
}

/** Return radians as degrees. */
export function degrees(radians: number): string {
  return `${fixed((radians * 180) / Math.PI, 1)}°`;
}

/** Return a direction as degrees; half a turn is always positive, so that its sign does not flicker. */
export function heading(radians: number): string {
  const text = degrees(radians);
  return text === degrees(-Math.PI) ? degrees(Math.PI) : text;
}

/** Return metres as millimetres, without the unit. */
export function millimetres(metres: number, decimals = 0): string {
  return fixed(metres * 1000, decimals);
}

/** Return a joint's position with its unit. */
export function position(value: number, kind: "hinge" | "slide"): string {
  return kind === "hinge" ? degrees(value) : `${fixed(value, 3)} m`;
}

/** Return the cell's time as minutes and seconds, hours where there are any. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Return a duration in milliseconds; a dash where it is unknown. */
export function milliseconds(value: number | null): string {
  if (value === null) return "–";
  return value < 10 ? `${fixed(value, 1)} ms` : `${fixed(value, 0)} ms`;
}

/** Return the first letter in upper case, as at the start of a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
