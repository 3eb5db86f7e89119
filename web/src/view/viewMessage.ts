/** A message in place of the picture, where nothing can be drawn. */

import { texts } from "../language/language.ts";

/** Shows a sentence in the middle of the element; an empty one hides it. */
export class ViewMessage {
  private readonly box: HTMLElement;
  private readonly text: HTMLElement;

  constructor(element: HTMLElement) {
    this.box = document.createElement("div");
    this.text = document.createElement("p");
    const title = document.createElement("strong");
    title.textContent = texts().view.none;
    this.box.append(title, this.text);
    this.box.setAttribute("role", "status");
    Object.assign(this.box.style, BOX);
    Object.assign(title.style, { fontSize: "15px", fontWeight: "600", color: "#dbe1e6" });
    Object.assign(this.text.style, { margin: "0", maxWidth: "40ch", lineHeight: "1.5", textWrap: "balance" });
    this.box.hidden = true;
    element.append(this.box);
  }

  show(sentence: string): void {
    this.box.hidden = sentence === "";
    this.box.style.display = sentence === "" ? "none" : "flex";
    this.text.textContent = sentence;
  }
}

const BOX = {
  position: "absolute",
  inset: "0",
  display: "none",
  flexDirection: "column",
  alignItems: "center",
  justifyContent: "center",
  gap: "8px",
  padding: "24px",
  textAlign: "center",
  color: "#9aa6b0",
  background: "linear-gradient(#1b2227, #0e1215)",
} as const;
