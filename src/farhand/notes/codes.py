"""Every code that a note may have: the one list that tests, languages and exams use.

A trainee reads only the placeholders that `exam` lists: never lengths, never names of bodies outside the robot.
Without `exam` a trainee reads a general sentence.
"""

from __future__ import annotations

from collections.abc import Mapping

from farhand.notes.note_spec import READER_NOTES, About, CodeSpec, Measure
from farhand.types import Level

__all__ = ["CODES", "DIRECTIONS", "HIDDEN_KINDS", "HIDDEN_UNITS", "WAYS_OUT"]

HIDDEN_KINDS = frozenset({"body", "fixture", "face", "detail", "known"})
"""Kinds of subject that are hidden from trainees."""
HIDDEN_UNITS = frozenset({"m"})
"""Units of quantities that are hidden from trainees: lengths."""
DIRECTIONS = ("along", "apart", "away", "back", "back-out", "inside", "others", "out", "turn-back")
"""Codes of free directions."""
WAYS_OUT = ("continue", "fix", "hold-on", "reset", "reset-power", "reset-world")
"""Codes of other ways out."""

BODY = ("body", "link", "robot")
PAIR = (About("first", BODY), About("second", BODY))
LENGTH = Measure("clearance", ("m",))
JOINT = (About("joint", ("joint",)),)
ROBOT = (About("robot", ("robot",)),)
SECONDS = Measure("time", ("s",), form="g")
AGE, USUAL, ALLOWED = Measure("age", ("s",)), Measure("usual", ("s",)), Measure("allowed", ("s",))
SPEED = Measure("speed", ("m/s",))
DETAIL = (About("detail", ("detail",)),)
OBSTACLES = About("obstacles", BODY, many=True)
KNOWN = About("known", ("known",), many=True)


def _one(name: str, *kinds: str) -> About:
    return About(name, kinds or (name,))


def _code(
    level: Level = "info",
    *about: About,
    measures: tuple[Measure, ...] = (),
    exam: tuple[str, ...] | None = None,
    optional: bool = False,
    cause: bool = False,
) -> CodeSpec:
    return CodeSpec(level, about, measures, optional=optional, cause=cause, exam=exam)


_FILTERS: dict[str, CodeSpec] = {
    "limits.speed": _code("slow", measures=(Measure("speed", ("m/s",), "m/s", ".3g"),), exam=("speed",)),
    "limits.turn": _code("slow", measures=(Measure("rate", ("rad/s",), form=".3g"),), exam=("rate",)),
    "fixture.drawn": _code("slow", _one("fixture"), measures=(Measure("shift", ("m",)),), exam=()),
    "compliance.pressed": _code(measures=(Measure("force", ("N",)),), exam=("force",)),
    "compliance.yields": _code(
        "slow",
        measures=(Measure("force", ("N",)), Measure("threshold", ("N",), form="g")),
        exam=("force", "threshold"),
    ),
    "compliance.twisted": _code(measures=(Measure("torque", ("Nm",)),), exam=("torque",)),
    "compliance.turns": _code(
        "slow",
        measures=(Measure("torque", ("Nm",)), Measure("threshold", ("Nm",), form=".3g")),
        exam=("torque", "threshold"),
    ),
    "scale.ramp": _code(exam=()),
    "smooth.behind": _code(
        "slow",
        measures=(Measure("speed", ("m/s",), "m/s", ".2g"), Measure("rate", ("rad/s",))),
        exam=("speed", "rate"),
    ),
    "smooth.speed": _code(
        "slow", measures=(Measure("speed", ("m/s",), "m/s", "g"), Measure("rate", ("rad/s",))), exam=("speed", "rate")
    ),
    "wrist.zeroed": _code(exam=()),
    "wrist.zero.holding": _code(exam=()),
    "wrist.zero.touching": _code(exam=()),
    "wrist.broken": _code("slow", cause=True, exam=()),
    "wrist.silent": _code(exam=()),
    "wrist.numbers": _code(exam=()),
    "wrist.blind": _code(cause=True, exam=()),
}

_MASTERS: dict[str, CodeSpec] = {
    "mapping.slip": _code("slow", measures=(Measure("lead", ("m",), form=".3g"),), exam=()),
    "mapping.slip.joint": _code("slow", *JOINT, measures=(Measure("lead", ("rad", "m")),), exam=("joint",)),
    "mapping.apart": _code("info", *JOINT, measures=(Measure("offset", ("rad", "m")),), exam=("joint",)),
    "lane.press": _code(exam=()),
    "lane.deadman": _code(exam=()),
    "lane.reading": _code(exam=()),
    "lane.lost": _code("stop", _one("signal"), exam=("signal",)),
    "lane.lost.none": _code("stop", _one("signal"), exam=("signal",)),
    "lane.lost.jumped": _code("stop", exam=()),
    "lane.lost.back": _code("stop", exam=()),
    "lane.undeflected": _code(exam=()),
    "lane.behind": _code("slow", measures=(Measure("share", ("share",)),), exam=("share",)),
    "lane.mapping": _code("info", _one("mapping"), _one("chosen", "mapping"), exam=("mapping", "chosen")),
    "link.unechoed": _code("stop", exam=()),
    "link.press.measuring": _code("stop", exam=()),
    "link.press.blind": _code(
        "stop",
        measures=(Measure("age", ("s",), form=".1f"), Measure("allowed", ("s",), form=".1f")),
        exam=("age", "allowed"),
    ),
    "link.press.slow": _code("stop", measures=(AGE, ALLOWED), exam=("age", "allowed")),
    "link.press.late": _code("stop", measures=(AGE, USUAL), exam=("age", "usual")),
    "link.late": _code(measures=(AGE, USUAL), exam=("age", "usual")),
    "link.blind": _code(
        measures=(Measure("age", ("s",), form=".1f"), Measure("allowed", ("s",), form=".1f")), exam=("age", "allowed")
    ),
    "link.distant": _code(measures=(USUAL,), exam=("usual",)),
    "link.unbounded": _code(measures=(AGE,), exam=("age",)),
    "link.slow": _code(
        "slow", _one("part"), measures=(SPEED, AGE, Measure("overrun", ("m",))), exam=("part", "speed", "age")
    ),
    "master.axis": _code(exam=()),
    "master.grip": _code(exam=()),
    "master.joint": _code(exam=()),
    "master.pose": _code(exam=()),
    "master.velocity": _code(exam=()),
    "master.view": _code(exam=()),
}

_MODES: dict[str, CodeSpec] = {
    "mode.paused": _code("stop", cause=True, exam=()),
    "mode.stopped": _code("stop", cause=True, exam=()),
    "mode.fault": _code("fault", cause=True, exam=()),
    "mode.off": _code("stop", exam=()),
    "mode.powering": _code("slow", exam=()),
    "stop.pressed": _code("info", _one("person"), optional=True, exam=("person",)),
    "stop.said": _code("info", _one("person"), exam=("person",)),
    "stop.reason": _code("info", *DETAIL, exam=()),
    "cell.restarted": _code(exam=()),
    "cell.busy": _code(exam=()),
    "cell.held-up": _code(measures=(Measure("time", ("s",), form=".1f"),), exam=("time",)),
    "input.none": _code(measures=(SECONDS,), exam=("time",)),
    "input.lost": _code(measures=(SECONDS,), exam=("time",)),
    "input.stale": _code(measures=(SECONDS,), exam=("time",)),
    "lease.passed": _code(exam=()),
    "joint.beyond": _code("info", *JOINT, exam=("joint",)),
    "joint.fast": _code("info", *JOINT, exam=("joint",)),
    "demand.kind": _code("info", _one("source"), _one("group"), exam=("source", "group")),
    "demand.number": _code("info", _one("source"), _one("group"), exam=("source", "group")),
    "demand.count": _code(
        "info",
        _one("source"),
        _one("group"),
        measures=(Measure("found", ("count",)), Measure("joints", ("count",))),
        exam=("source", "group", "found", "joints"),
    ),
    "stage.broke": _code("info", *ROBOT, *DETAIL, exam=("robot",)),
}

_MOTION: dict[str, CodeSpec] = {
    "servo.velocity": _code("slow", *JOINT, exam=("joint",)),
    "servo.limit": _code("slow", *JOINT, _one("side"), exam=("joint", "side")),
    "servo.fold": _code("slow", *JOINT, _one("posture"), exam=("joint", "posture")),
    "servo.lacks": _code("slow", _one("motion"), measures=(Measure("joints", ("count",)),), exam=("motion", "joints")),
    "servo.singular": _code("slow", exam=()),
    "servo.wall": _code(
        "slow",
        _one("place", "face", "fixture"),
        measures=(Measure("clearance", ("m",), optional=True),),
        exam=(),
    ),
    "servo.wall.inside": _code("slow", _one("place", "face", "fixture"), exam=()),
    "servo.wall.beyond": _code("slow", _one("place", "face", "fixture"), exam=()),
    "servo.carried": _code(
        measures=(Measure("shift", ("m",), form=".1f"), Measure("turn", ("rad",))),
        exam=(),
    ),
    "guard.number": _code("stop", exam=()),
    "guard.lag": _code("slow", *JOINT, OBSTACLES, exam=("joint",)),
    "flippers.lag": _code("slow", *JOINT, OBSTACLES, exam=("joint",)),
    "avoid.near": _code("slow", *PAIR, measures=(Measure("clearance", ("m",), optional=True),), exam=()),
    "avoid.touch": _code("slow", *PAIR, measures=(SPEED,), exam=("speed",)),
    "avoid.slides": _code("slow", *PAIR, measures=(SPEED,), exam=("speed",)),
    "avoid.eases": _code("slow", exam=()),
    "gripper.jammed": _code("slow", exam=()),
    "lane.free": _code(exam=()),
    "lane.free.left": _code(exam=()),
    "lane.planning": _code(exam=()),
    "lane.stuck": _code("stop", *ROBOT, cause=True, exam=("robot",)),
    "lane.held": _code(exam=()),
    "lesson.full": _code(measures=(Measure("points", ("count",)),), exam=("points",)),
    "lesson.dropped": _code(exam=()),
    "fault-finding.feedforward": _code(exam=()),
    "fault-finding.filter": _code("info", _one("filter"), exam=("filter",)),
    "fault-finding.generator": _code(
        "info",
        _one("wave"),
        _one("axis"),
        measures=(Measure("amplitude", ("share",)), Measure("frequency", ("Hz",), optional=True)),
        exam=("wave", "axis", "amplitude", "frequency"),
    ),
    "fault-finding.generator.axis": _code(measures=(Measure("number", ("count",)),), exam=("number",)),
}

_TRACKS: dict[str, CodeSpec] = {
    "base.top": _code("slow", exam=()),
    "base.carries": _code(
        "slow", *PAIR, measures=(Measure("clearance", ("m",), optional=True),), optional=True, exam=()
    ),
    "base.flipper": _code("slow", *PAIR, measures=(LENGTH,), exam=()),
    "base.over": _code("slow", exam=()),
    "base.stuck": _code("slow", exam=()),
    "base.held": _code("slow", exam=()),
    "base.fallen": _code(exam=()),
    "base.parked": _code("slow", exam=()),
    "base.slip": _code(exam=()),
    "base.slide": _code("slow", exam=()),
}

_CELL: dict[str, CodeSpec] = {
    "world.frozen": _code("fault", exam=()),
    "world.diverged": _code("fault", _one("body", "link"), _one("robot"), exam=()),
    "world.diverged.object": _code("fault", _one("body"), exam=()),
    "cell.falls": _code("info", _one("body"), exam=()),
    "cell.blocked": _code("info", _one("body"), exam=()),
    "cell.raised": _code("info", *ROBOT, measures=(Measure("height", ("m",), "m", ".2f"),), exam=("robot",)),
    "cell.height": _code(measures=(Measure("height", ("m",), "m", ".2f"),), exam=()),
    "cell.stranger": _code("info", _one("master"), exam=("master",)),
    "cell.slow": _code(measures=(Measure("share", ("share",)),), exam=("share",)),
    "cell.slow.paused": _code(exam=()),
    "cell.unprotected": _code(exam=()),
    "cell.numb": _code(exam=()),
    "cell.unslowed": _code(measures=(Measure("threshold", ("N",), form="g"),), exam=("threshold",)),
    "cell.unslowed.linkage": _code(measures=(Measure("threshold", ("N",), form="g"),), exam=("threshold",)),
    "robot.tool": _code("info", _one("tool"), _one("axis"), exam=("tool", "axis")),
}

# Assumptions of the robot file readers, reported when a cell is loaded, in the reader's own sentence.
_FILES: dict[str, CodeSpec] = {f"robot.{name}": _code("info", *DETAIL) for name in READER_NOTES}

_REFUSALS: dict[str, CodeSpec] = {
    "cell.refused": _code(cause=True, exam=()),
    "lane.refused": _code(cause=True, exam=()),
    "refused.detail": _code("info", *DETAIL),
    "refused.broken": _code("info", _one("event"), *DETAIL, exam=("event",)),
    "refused.unknown": _code("info", _one("kind"), _one("name"), KNOWN, exam=("kind",)),
    "refused.unknown.guess": _code("info", _one("kind"), _one("name"), _one("guess", "name"), KNOWN, exam=("kind",)),
    "refused.mapping": _code("info", *ROBOT, _one("mapping"), KNOWN, exam=("robot", "mapping")),
    "refused.filter": _code("info", *ROBOT, _one("filter"), KNOWN, exam=("robot", "filter")),
    "refused.level": _code(exam=()),
    "refused.speed": _code(
        measures=(Measure("level", ("count",)), Measure("levels", ("count",))), exam=("level", "levels")
    ),
    "refused.scale": _code(
        measures=(Measure("scale", ("",)), Measure("lowest", ("",)), Measure("highest", ("",))),
        exam=("scale", "lowest", "highest"),
    ),
    "refused.power": _code("info", *ROBOT, exam=("robot",)),
    "refused.brake": _code("info", *ROBOT, exam=("robot",)),
    "refused.axis": _code("info", KNOWN, measures=(Measure("number", ("count",)),), exam=("number",)),
    "refused.zero.moving": _code(exam=()),
    "refused.zero.missing": _code(exam=()),
    "refused.teach": _code("info", *ROBOT, cause=True, exam=("robot",)),
    "lesson.none": _code(exam=()),
    "lesson.begun": _code(exam=()),
    "lesson.recording": _code(exam=()),
    "lesson.points": _code(measures=(Measure("points", ("count",)),), exam=("points",)),
    "lesson.same": _code(exam=()),
    "lesson.empty": _code(exam=()),
    "refused.move": _code("info", *ROBOT, cause=True, exam=("robot",)),
    "move.stopped": _code(exam=()),
    "move.unpowered": _code(exam=()),
    "move.driven": _code(exam=()),
    "move.absent": _code(exam=()),
    "move.nothing": _code(exam=()),
    "move.no-trail": _code(exam=()),
    "move.held": _code(exam=()),
    "move.reach": _code(exam=()),
    "move.reach.far": _code(exam=()),
    "move.reach.joint": _code(exam=()),
    "move.reach.turn": _code(exam=()),
    "plan.moved": _code(exam=()),
    "plan.changed": _code(exam=()),
    "plan.late": _code(exam=()),
    "plan.none": _code(exam=()),
    "plan.start": _code("info", *PAIR, exam=()),
    "plan.goal": _code("info", *PAIR, exam=()),
    "plan.way": _code("info", *PAIR, exam=()),
    "plan.reach": _code(exam=()),
    "move.detail": _code("info", *DETAIL),
    "refused.inside": _code("info", About("body", BODY), About("other", BODY), exam=()),
    "refused.gripped": _code("info", *ROBOT, _one("body"), exam=("robot",)),
    "refused.loaded": _code("info", _one("body"), About("other", BODY), exam=()),
    "refused.hung": _code("info", _one("body"), _one("other", "body"), exam=()),
    "refused.hangs": _code("info", _one("body"), _one("other", "body"), exam=()),
    "refused.taken": _code("info", _one("name"), exam=("name",)),
    "refused.object": _code("info", _one("name"), *DETAIL, exam=("name",)),
    "refused.change": _code("info", *ROBOT, _one("equipment"), cause=True, exam=("robot", "equipment")),
    "refused.quick-change": _code("info", *ROBOT, exam=("robot",)),
    "change.mode": _code("info", _one("mode"), exam=("mode",)),
    "change.moving": _code(exam=()),
    "change.driving": _code(exam=()),
    "change.holding": _code(exam=()),
    "change.inside": _code("info", _one("tool"), About("other", BODY), exam=("tool",)),
}

_SERVER: dict[str, CodeSpec] = {
    "order.overtaken": _code(exam=()),
    "order.many": _code(exam=()),
    "order.restarted": _code(exam=()),
    "order.silent": _code(exam=()),
    "order.replay": _code(exam=()),
    "order.no-replay": _code(exam=()),
    "gateway.controls": _code("info", _one("person"), *ROBOT, exam=("person", "robot")),
    "gateway.free": _code("info", *ROBOT, exam=("robot",)),
    "gateway.sent": _code("info", _one("person"), _one("other", "person"), exam=("person", "other")),
    "gateway.detail": _code("info", *DETAIL),
    "gateway.ended": _code("fault", *DETAIL),
}

CODES: Mapping[str, CodeSpec] = _FILTERS | _MASTERS | _MODES | _MOTION | _TRACKS | _CELL | _FILES | _REFUSALS | _SERVER
