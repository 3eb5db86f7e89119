"""Velocity control: the tip is ten times as fast as the hand; the experiment measures the drift of its position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Panel, PlotLine, spatial
from farhand.experiments.record import Record
from farhand.kernels import Floats
from farhand.loop import Run
from farhand.types import Tick, Vector

__all__ = ["velocity"]

FOLDER = Path(__file__).parent / "robots"
SCALE = 10.0  # the paper's
SPEED = 0.1  # m/s of the tip
RADIUS = 0.06  # m of the tip's circle
CIRCLE_S = 2.0 * np.pi * RADIUS / SPEED
HALF_STROKE = 0.08  # m of the tip to either side
STROKE_S = HALF_STROKE / (0.225 * SPEED)  # at its steady speed a sweep reaches its end in 0.225 of a period
SECONDS = 60.0  # of each run
MIN_SECONDS = 6.0
PLOTTED_S = 8.0
SETTLED_S = 2.0  # before errors count
THIN = 10  # every tenth tick goes into the file
MAX_SLOPE = 1.0  # µm/s
MAX_OFF = 0.1  # mm


class DrivenArm(Struct, frozen=True):
    """A robot, the start of its circle, and the middle of its strokes past a singularity.

    Args:
        name: Its name.
        model: A name of the catalogue, or a file.
        circle: Joints at the start of the circle.
        singular: Joints in the middle of the strokes, with a nearly straight wrist.
        axis: Direction of the strokes.
    """

    name: str
    model: str
    circle: Vector
    singular: Vector
    axis: str = "y"


ARMS = (
    DrivenArm("IRB 120", "irb120", (0.0, 0.35, 0.1, 0.0, 1.12, 0.0), (0.0, 0.2, 0.3, 0.0, 0.15, 0.0)),
    DrivenArm("UR5e", str(FOLDER / "ur5e.toml"), (0.0, -1.2, 1.6, -1.9, -1.57, 0.0), (0.0, -1.2, 1.6, -0.4, 0.12, 0.0)),
    DrivenArm(
        "PUMA", str(FOLDER / "puma560.toml"), (0.0, 1.6, -3.4, 0.0, -0.9, 0.0), (0.0, 1.6, -3.4, 0.0, -0.15, 0.0)
    ),
)

# The joints do not allow these strokes: the elbow is nearly straight, in the second arm also the wrist. There rounding
# decides how far the tip is carried off, so only the note has a bar.
BLOCKED = DrivenArm("PUMA", ARMS[2].model, ARMS[2].circle, (0.0, 1.2, -1.4, 0.0, -0.9, 0.0))
BLOCKED_TWICE = DrivenArm("PUMA", ARMS[2].model, ARMS[2].circle, (0.0, 1.2, -1.4, 0.0, -0.15, 0.0))


class Track(Struct, frozen=True):
    """One run.

    Args:
        record: The record of hand and robot.
        error: (m, 3) position of the tip minus ten times that of the hand, m, since the end of the ramp.
        period: Period of the hand's motion, s.
        carried: (m,) shift that the note of each tick reports, mm; 0 without a note.
    """

    record: Record
    error: Floats
    period: float
    carried: Floats

    @property
    def worst(self) -> float:
        """The largest error, mm."""
        return 1e3 * float(np.linalg.norm(self.error[self.record.time > SETTLED_S], axis=1).max())

    @property
    def back(self) -> Floats:
        """(k, 3) growth of the error at the same place of each period, mm."""
        dt = self.record.run.cell.dt
        first, step = round(SETTLED_S / dt), self.period / dt
        count = int((len(self.error) - 1 - first) / step) + 1
        at = [first + round(k * step) for k in range(count)]
        found: Floats = 1e3 * (self.error[at] - self.error[at[0]])
        return found

    @property
    def slope(self) -> float:
        """Rate at which the error at the same place of a period grows, µm/s: least squares for each axis."""
        times = self.period * np.arange(len(self.back))
        return 1e3 * float(np.linalg.norm(np.polyfit(times, self.back, 1)[0]))

    @property
    def distances(self) -> Floats:
        """(k,) size of that growth, mm."""
        found: Floats = np.linalg.norm(self.back, axis=1)
        return found

    @property
    def off(self) -> float:
        """Growth of the error from the first period to the last, mm."""
        return float(self.distances[-1])

    @property
    def reported(self) -> float:
        """Shift that the note of the last tick reports, mm."""
        return float(self.carried[-1])


@EXPERIMENTS.register("velocity")
def velocity(seconds: float | None = None) -> Outcome:
    """Velocity tracking: a Touch drives three arms ten times as fast as the hand, in a circle and past a singularity.

    The hand moves at 10 mm/s, the tip at 0.1 m/s. The error is between the measured tip and ten times the path of the
    hand, so it shows the drift in position of velocity control: its slope, and the error at the end.
    """
    length = lasting(seconds, SECONDS, MIN_SECONDS)
    circles = {arm.name: _track(arm.model, arm.circle, _circle(), CIRCLE_S, length) for arm in ARMS}
    strokes = {arm.name: _track(arm.model, arm.singular, _stroke(arm.axis), STROKE_S, length) for arm in ARMS}
    blocked, twice = (
        _track(arm.model, arm.singular, _stroke(arm.axis), STROKE_S, length) for arm in (BLOCKED, BLOCKED_TWICE)
    )
    figures: list[Figure] = [Figure("scale, robot over hand", SCALE, "")]
    for path, tracks, bar in (("circle", circles, 1.0), ("strokes past a straight wrist", strokes, None)):
        each = tracks.items()
        figures += [Figure(f"{name}: {path}, largest error", t.worst, "mm", bar) for name, t in each]
        figures += [Figure(f"{name}: {path}, slope of the error", t.slope, "µm/s", MAX_SLOPE) for name, t in each]
        figures += [Figure(f"{name}: {path}, error at the end", t.off, "mm", MAX_OFF) for name, t in each]
        figures += [Figure(f"{name}: {path}, shift in its note", t.reported, "mm", MAX_OFF) for name, t in each]
    figures += [
        Figure("strokes ended by a PUMA's stretched elbow, error at the end", blocked.off, "mm"),
        Figure("strokes ended by a PUMA's stretched elbow, shift in its note", blocked.reported, "mm"),
        Figure(
            "the same with a straight wrist, error beyond the shift in its note",
            abs(twice.off - twice.reported),
            "mm",
            MAX_OFF,
        ),
    ]
    figures.append(Figure("duration of each run", length, "s"))
    first = circles[ARMS[0].name]
    columns: dict[str, Floats] = {"time (s)": first.record.time[::THIN]}
    for path, tracks in (("circle", circles), ("strokes", strokes)):
        for name, track in tracks.items():
            for i, axis in enumerate("xyz"):
                columns[f"{name}, {path}: tip {axis} (m)"] = track.record.tip[::THIN, i]
                columns[f"{name}, {path}: error {axis} (m)"] = track.error[::THIN, i]
    return Outcome(
        title=f"Velocity tracking: a Touch drives three arms {SCALE:g} times as fast as the hand, {length:g} s each",
        figures=tuple(figures),
        columns=columns,
        panels=_panels(circles, strokes, blocked),
        abreast=3,
    )


def _circle() -> dict[str, Any]:
    return {"shape": "circle", "axis": "x", "amplitude": RADIUS / SCALE, "period": CIRCLE_S}


def _stroke(axis: str) -> dict[str, Any]:
    return {"shape": "sweep", "axis": axis, "amplitude": HALF_STROKE / SCALE, "period": STROKE_S}


def _track(model: str, home: Vector, path: dict[str, Any], period: float, seconds: float) -> Track:
    shifts: list[float] = []

    def watch(tick: Tick) -> None:
        carried = [note.quantities[0].value for note in tick.lanes["arm"].notes if note.code == "servo.carried"]
        shifts.append(1e3 * carried[0] if carried else 0.0)

    record = Record(Run(_cell(model, home, path)), "touch").take(seconds, watch)
    begun = int(np.argmax(record.driving)) + round(0.3 / record.run.cell.dt)
    error: Floats = record.tip - record.tip[begun] - SCALE * (record.hand - record.hand[begun])
    error[:begun] = 0.0  # the ramp after engaging does not count, as with any clutch
    return Track(record, error, period, np.array(shifts))


def _cell(model: str, home: Vector, path: dict[str, Any]) -> Cell:
    """Return a cell with one arm, high above the floor, and a modelled Touch in velocity control."""
    robot = RobotSpec(
        model=model,
        master="touch",
        position=(0.0, 0.0, 1.0),
        home=home,
        mappings={"velocity": {"kind": "velocity", "scale": SCALE}},
    )
    intent = {"kind": "path", "delay": 0.5, "ease": 1.0, **path}
    touch = {"kind": "modelled", "device": "touch", "hand": "normal", "weight": 0.4, "intent": intent}
    spec = CellSpec(
        name="velocity",
        speeds=(1.0,),
        speed_level=1,
        world=WorldSpec(),
        robots={"arm": robot},
        masters={"touch": touch},
    )
    return Cell(spec, Path("velocity.toml"))


def _panels(circles: dict[str, Track], strokes: dict[str, Track], blocked: Track) -> tuple[Panel, ...]:
    return (
        *[_turn(name, track) for name, track in circles.items()],
        _errors("Circle", circles, "bar: 1 mm"),
        _growth("Circle", circles),
        _strokes(strokes),
        _errors("Strokes past a straight wrist", strokes),
        _growth("Strokes past a straight wrist", strokes),
        _carried(blocked),
        *[_rates(name, track) for name, track in strokes.items()],
    )


def _turn(name: str, track: Track) -> Panel:
    one = (track.record.time > SETTLED_S) & (track.record.time <= SETTLED_S + CIRCLE_S)
    hand, tip = SCALE * track.record.hand[one], track.record.tip[one]
    paths = [("ten times the hand", hand - hand[0], True), (f"tip of the {name}", tip - tip[0], False)]
    return spatial(f"{name}: a turn of the circle", paths)


def _errors(title: str, tracks: dict[str, Track], bar: str = "") -> Panel:
    lines = []
    for name, track in tracks.items():
        shown = (track.record.time > SETTLED_S) & (track.record.time <= SETTLED_S + PLOTTED_S)
        lines.append(PlotLine(name, track.record.time[shown], 1e6 * np.linalg.norm(track.error[shown], axis=1)))
    told = f" ({bar})" if bar else ""
    return Panel(f"{title}: error of the tip{told}", "time (s)", "error (µm)", tuple(lines))


def _growth(title: str, tracks: dict[str, Track]) -> Panel:
    """Return a plot of the error's growth after each period, with the steepest slope, beside the bar's slope."""
    lines = [
        PlotLine(name, SETTLED_S + t.period * np.arange(len(t.back), dtype=np.float64), 1e3 * t.distances)
        for name, t in tracks.items()
    ]
    end = max(float(line.x[-1]) for line in lines)
    bar = PlotLine(
        f"bar: {MAX_SLOPE:g} µm/s",
        np.array([SETTLED_S, end]),
        MAX_SLOPE * np.array([0.0, end - SETTLED_S]),
        dashed=True,
    )
    steepest = max(t.slope for t in tracks.values())
    told = f"up to {steepest:.1g}" if steepest >= 1e-3 else "< 0.001"
    return Panel(f"{title}: growth of the error, {told} µm/s", "time (s)", "growth (µm)", (*lines, bar))


def _strokes(tracks: dict[str, Track]) -> Panel:
    lines: list[PlotLine] = []
    for arm in ARMS:
        record, axis = tracks[arm.name].record, "xyz".index(arm.axis)
        shown = record.time <= PLOTTED_S
        if not lines:
            lines.append(
                PlotLine("ten times the hand", record.time[shown], 1e3 * SCALE * record.hand[shown, axis], asked=True)
            )
        lines.append(PlotLine(arm.name, record.time[shown], 1e3 * record.tip[shown, axis]))
    return Panel("Strokes past a straight wrist: the tip along y", "time (s)", "y (mm)", tuple(lines))


def _carried(track: Track) -> Panel:
    time, seen = track.record.time, track.record.time > SETTLED_S
    off = 1e3 * np.linalg.norm(track.error[seen], axis=1)
    lines = (
        PlotLine("error of the tip", time[seen], off, asked=True),
        PlotLine("shift in its note", time[seen], track.carried[seen]),
    )
    return Panel("Strokes ended by a PUMA's stretched elbow", "time (s)", "carried off (mm)", lines)


def _rates(name: str, track: Track) -> Panel:
    shown = track.record.time <= PLOTTED_S
    lines = [PlotLine(f"q{i + 1}", track.record.time[shown], v[shown]) for i, v in enumerate(track.record.rates.T)]
    return Panel(f"{name}: joint velocities past a straight wrist", "time (s)", "velocity (rad/s)", tuple(lines))
