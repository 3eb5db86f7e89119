/** A text whose `{placeholders}` are filled with elements, such as keys. */

import type { ComponentChildren } from "preact";
import { splitPlaceholders } from "../../language/language.ts";

export function FilledText({ text, parts }: { text: string; parts: Readonly<Record<string, ComponentChildren>> }) {
  return <>{splitPlaceholders(text).map((piece, index) => (index % 2 === 1 ? parts[piece] : piece))}</>;
}
