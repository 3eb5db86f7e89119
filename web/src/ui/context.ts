/** Hands the console to every part of the page. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Console } from "../app/console.ts";

export const ConsoleContext = createContext<Console | null>(null);

export function useConsole(): Console {
  const found = useContext(ConsoleContext);
  if (found === null) throw new Error("This part of the page must lie inside the console.");
  return found;
}
