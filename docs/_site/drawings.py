"""Draw the pictures of docs/pictures that are drawings: `.venv/bin/python docs/_site/drawings.py`.

Each drawing lies on a card of its own, so that it can be read on light and on dark pages.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

PICTURES = Path(__file__).parent.parent / "pictures"
STYLE = """
    .card { fill: #f6f8fa; stroke: #d0d7de }
    .box { fill: #ffffff; stroke: #8c959f }
    .kin { fill: #fff1e5; stroke: #d4691c }
    .safe { fill: #e6f4ea; stroke: #2f7d46 }
    .data { fill: #e7f1fb; stroke: #2f6fb0 }
    .bad { fill: #fdeaea; stroke: #c0392b }
    text { font: 14px system-ui, sans-serif; fill: #1f2328 }
    .small { font-size: 12px; fill: #57606a }
    .bold { font-weight: 600 }
    .arrow { stroke: #57606a; fill: none; stroke-width: 1.5 }
    .head { fill: #57606a }
    @media (prefers-color-scheme: dark) {
      .card { fill: #161b22; stroke: #30363d }
      .box { fill: #21262d; stroke: #6e7681 }
      .kin { fill: #3a2413; stroke: #ff8a3d }
      .safe { fill: #12301c; stroke: #3fb96a }
      .data { fill: #10263c; stroke: #58a6ff }
      .bad { fill: #3b1717; stroke: #f0645a }
      text { fill: #e6edf3 }
      .small { fill: #9aa4af }
      .arrow { stroke: #9aa4af }
      .head { fill: #9aa4af }
    }"""


class Drawing:
    """An SVG that grows by boxes, words and arrows.

    Args:
        width: Of the card, in pixels.
        height: Likewise.
        title: Read aloud in place of the drawing.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        self.head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n'
        self.head += f"  <title>{escape(title)}</title>\n  <style>{STYLE}\n  </style>\n"
        self.head += (
            '  <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto-start-reverse"><path class="head" d="M0 0L8 4L0 8Z"/></marker>\n'
        )
        self.parts = [f'<rect class="card" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10"/>']

    def box(self, x: float, y: float, w: float, h: float, lines: str, kind: str = "box") -> None:
        """Draw a box with words in its middle; the first line is bold, further ones small."""
        self.parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}" rx="6"/>')
        words = lines.split("\n")
        top = y + h / 2 + 5 - 8.5 * (len(words) - 1)
        for index, line in enumerate(words):
            self.text(x + w / 2, top + 17 * index, line, "small" if index else "bold", "middle")

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> None:
        """Write a line."""
        self.parts.append(f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>')

    def arrow(self, path: str) -> None:
        """Draw an arrow along an SVG path."""
        self.parts.append(f'<path class="arrow" d="{path}" marker-end="url(#head)"/>')

    def svg(self) -> str:
        """Return the file."""
        return self.head + "".join(f"  {part}\n" for part in self.parts) + "</svg>\n"


STAGES = {
    "inbox\nage, lease": "data",
    "modes\nwho drives": "safe",
    "source\nhand, move": "kin",
    "filters\nslow, bound": "safe",
    "servo\nlimits": "kin",
    "guard\njerk": "safe",
}


def tick() -> Drawing:
    """Draw one tick."""
    d = Drawing(960, 320, "One tick: masters and events, a lane per robot, physics, state, feedback")
    d.box(36, 60, 130, 56, "Masters\nkeys, pads, devices")
    d.box(36, 140, 130, 56, "Events\nstop, move, edit …")
    d.text(200, 36, "lane of robot 1", "small")
    d.parts.append('<rect class="card" x="190" y="44" width="562" height="88" rx="8"/>')
    for index, (words, kind) in enumerate(STAGES.items()):
        d.box(202 + 91 * index, 58, 80, 60, words, kind)
        if index:
            d.arrow(f"M{191 + 91 * index} 88H{201 + 91 * index}")
    d.box(190, 150, 562, 36, "lane of robot 2, 3, …")
    d.arrow("M166 88H200")
    d.arrow("M166 168H188")
    d.arrow("M178 168V88")
    d.box(782, 58, 76, 128, "Physics\ndrives,\none step", "kin")
    d.box(876, 94, 68, 56, "State\nmeasured", "data")
    d.arrow("M737 88H780")
    d.arrow("M752 168H780")
    d.arrow("M858 122H874")
    d.box(582, 222, 170, 56, "Tick\nstate, reports, notes", "data")
    d.box(372, 222, 170, 56, "Listeners\npage, record, plots")
    d.arrow("M910 150V250H754")
    d.arrow("M582 250H544")
    d.arrow("M667 278V302H18V88H34")
    d.text(36, 294, "feedback: force, view, sound, tick number", "small")
    return d


PACKAGES = (
    (("errors", "poses", "vectors", "types", "processes"), "values that travel"),
    (("notes", "registry", "config", "kernels"), "sentences, tables, compiled arithmetic"),
    (("formats", "kinematics", "distances"), "robot files, joints and poses, clearances"),
    (("devices", "masters", "mapping", "filters"), "from a hand to a demand"),
    (("robots", "planning", "world", "surroundings"), "catalogue, plans, MuJoCo, shapes to avoid"),
    (("lane",), "one robot, one tick"),
    (("cell", "loop"), "all robots of a file; time"),
    (("records", "experiments", "tuning", "voice"), "runs kept, published results, gains, phrases"),
    (("server", "client"), "processes, page, remote API"),
    (("cli",), "the command line"),
)


def packages() -> Drawing:
    """Draw the packages, lowest first."""
    height = 44 * len(PACKAGES) + 40
    d = Drawing(960, height, "Packages: each imports only from rows below it and, within its row, from its left")
    for row, (names, words) in enumerate(PACKAGES):
        y = height - 20 - 44 * (row + 1)
        width = (620 - 8 * (len(names) - 1)) / len(names)
        kind = ("data", "data", "kin", "kin", "kin", "safe", "safe", "box", "box", "box")[row]
        for index, name in enumerate(names):
            d.box(20 + (width + 8) * index, y, width, 36, name, kind)
        d.text(660, y + 23, words, "small")
    d.arrow(f"M948 30V{height - 24}")
    d.text(940, 22, "imports: down, and to the left", "small", "end")
    return d


def modes() -> Drawing:
    """Draw the modes of a robot; docs/modes.md has every transition."""
    d = Drawing(960, 400, "Modes of a robot and what changes them")
    d.box(30, 60, 120, 50, "Off")
    d.box(30, 180, 120, 50, "Powering up")
    d.box(250, 170, 150, 70, "Idle\nholds", "data")
    d.box(540, 60, 170, 60, "Teleoperation\nyou drive", "safe")
    d.box(540, 290, 170, 60, "Autonomous\na move runs", "safe")
    d.box(800, 175, 130, 60, "Paused\nbrakes, holds", "kin")
    d.box(250, 320, 150, 56, "Protective stop\nlatched", "bad")
    d.box(30, 320, 120, 56, "Fault\nlatched", "bad")
    d.arrow("M90 110V178")
    d.text(98, 148, "power on", "small")
    d.arrow("M150 205H248")
    d.text(160, 198, "3 s later", "small")
    d.arrow("M300 170V85H152")
    d.text(190, 78, "power off", "small")
    d.arrow("M360 170C400 100 460 85 538 85")
    d.text(400, 82, "fresh press", "small")
    d.arrow("M540 108C470 115 420 150 392 168")
    d.text(468, 140, "release", "small")
    d.arrow("M400 225C440 250 470 300 538 312")
    d.text(402, 276, "move", "small")
    d.arrow("M540 298C500 270 450 225 402 212")
    d.text(492, 250, "arrived, hold", "small")
    d.arrow("M600 290V122")
    d.text(608, 205, "fresh press", "small")
    d.arrow("M710 80C790 90 840 120 855 173")
    d.text(800, 100, "no input for 0.1 s", "small")
    d.arrow("M800 195C750 180 720 150 690 122")
    d.text(664, 186, "input returns", "small")
    d.arrow("M710 330C800 325 850 290 865 237")
    d.text(770, 342, "no input for 0.1 s", "small")
    d.arrow("M800 220C760 245 730 270 700 288")
    d.text(735, 272, "continue", "small")
    d.arrow("M900 235V388H325V378")
    d.text(720, 382, "1 s later", "small")
    d.arrow("M325 320V242")
    d.text(333, 288, "reset", "small")
    d.arrow("M150 335C190 320 220 270 262 242")
    d.text(170, 290, "reset", "small")
    d.text(
        30, 24, "From everywhere: stop or a bad reading → protective stop; a failed stage or physics → fault.", "small"
    )
    return d


def spelled() -> dict[str, str]:
    """Return each drawing by the name of its file."""
    return {f"{make.__name__}.svg": make().svg() for make in (tick, packages, modes)}


if __name__ == "__main__":
    for name, text in spelled().items():
        (PICTURES / name).write_text(text)
