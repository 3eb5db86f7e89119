"""Whether a page fits its screen: nothing cut off, nothing outside, every text readable."""

from typing import Any

from browser.desk import Desk

__all__ = ["CONTRAST", "fits"]

# Elements with a text of their own that does not fit into them, or into whatever cuts them off.
CUT_OFF = """() => {
  const bad = [];
  for (const element of document.querySelectorAll("header *, .stage *, .side *, .foot *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    const style = getComputedStyle(element);
    if (!own || style.display === "inline" || element.closest(".unseen, .view, .uplot") !== null) continue;
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const whole = element.title !== "" && style.textOverflow === "ellipsis";  // pointing at it shows all of it
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && !whole) {
      bad.push(`${element.className || element.tagName}: ${element.textContent.trim().slice(0, 60)}`);
    }
  }
  return bad;
}"""
OUTSIDE = """() => {
  const bad = [];
  for (const element of document.querySelectorAll("header button, header .pill, .side button, .foot button, .joint")) {
    if (!element.checkVisibility()) continue;
    const box = element.getBoundingClientRect();
    const inside = box.left >= -1 && box.right <= innerWidth + 1;
    if (!inside) bad.push(`${element.textContent.trim().slice(0, 40)}: ${box.left} to ${box.right}`);
  }
  return bad;
}"""
ON_TOP = """(button) => {
  const box = button.getBoundingClientRect();
  const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && (found === button || button.contains(found));
}"""
# Controls that a message lies upon.
COVERED = """() => {
  const toasts = [...document.querySelectorAll(".toast")].map((toast) => toast.getBoundingClientRect());
  const bad = [];
  for (const control of document.querySelectorAll("button, select, input, textarea, [role=application]")) {
    if (!control.checkVisibility() || control.closest(".toast, .unseen") !== null) continue;
    const box = control.getBoundingClientRect();
    const on = toasts.some((t) => t.left < box.right && box.left < t.right && t.top < box.bottom && box.top < t.bottom);
    if (on) bad.push(control.textContent.trim().slice(0, 40) || control.getAttribute("aria-label"));
  }
  return [toasts.length, bad];
}"""
# Contrast of every visible text with its background, by the formula of WCAG 2.
CONTRAST = """() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = text;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const light = ([r, g, b]) => {
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const layer = rgba(getComputedStyle(at).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), rgba("#12171b"));
  };
  const bad = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    if (!own || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    if (element.closest("option, .unseen, noscript, :disabled, [aria-disabled='true']") !== null) continue;
    const ground = behind(element);
    let opacity = 1;
    for (let at = element; at !== null; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const [r, g, b, a] = rgba(getComputedStyle(element).color);
    const [x, y] = [light(over([r, g, b, a * opacity], ground)), light(ground)].sort((p, q) => q - p);
    const ratio = (x + 0.05) / (y + 0.05);
    if (ratio < 4.5) bad.push(`${element.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return bad;
}"""


def fits(desk: Desk) -> None:
    page = desk.page
    wide: list[Any] = page.evaluate("() => [document.scrollingElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(CUT_OFF) == []
    assert desk.stop_button.evaluate(ON_TOP)
