"""English: every sentence that an operator reads."""

from __future__ import annotations

import re

from farhand.notes.language import Language, Wording
from farhand.notes.note_spec import READER_NOTES

__all__ = ["ENGLISH"]

W = Wording
AGAIN = "Let go, then press again when the signal is back."
KEY_AGAIN = "Let go of the key, then press it again."

_FILTERS = {
    "limits.speed": W("The tip is limited to {speed}."),
    "limits.turn": W("The tip's rotation is limited to {rate}."),
    "fixture.drawn": W(
        "{fixture} pulls the tip {shift} off your hand's path.",
        way="Pull further away to leave it.",
        exam="A fixture pulls the tip off your hand's path.",
    ),
    "compliance.pressed": W("The contact force at the tip is {force}."),
    "compliance.yields": W("The contact force at the tip is {force}; the tip yields above {threshold}."),
    "compliance.twisted": W("The contact torque at the tip is {torque}."),
    "compliance.turns": W("The contact torque at the tip is {torque}; the tip yields above {threshold}."),
    "scale.ramp": W("Starting gently."),
    "smooth.behind": W("Your hand is ahead of the robot: the tip moves at up to {speed} and {rate}."),
    "smooth.speed": W("You are asking for more than the tip's top speed ({speed} and {rate})."),
    "wrist.zeroed": W("The force sensor is zeroed."),
    "wrist.zero.holding": W("The force sensor cannot be zeroed while the gripper holds an object."),
    "wrist.zero.touching": W("The force sensor cannot be zeroed: it measures too much force. Free the arm first."),
    "wrist.broken": W("{Cause}"),
    "wrist.silent": W("the force sensor sends nothing."),
    "wrist.numbers": W("the force sensor sends no valid numbers."),
    "wrist.blind": W(
        "{cause} Reset the robot once the sensor answers again, or switch compliance off to drive without it."
    ),
}

_MASTERS = {
    "mapping.slip": W(
        "Your hand is over {lead} ahead; the extra is ignored.",
        way="Moving back responds at once.",
        exam="Your hand is too far ahead; the extra is ignored.",
    ),
    "mapping.slip.joint": W(
        "The master is over {lead} ahead of {joint}; the extra is ignored.",
        way="Moving back responds at once.",
        exam="The master is too far ahead of {joint}; the extra is ignored.",
    ),
    "mapping.apart": W(
        "{joint} is {offset} away from the master's position.",
        way="Let go and press again: the robot then moves there slowly.",
        exam="{joint} is not at the master's position.",
    ),
    "lane.press": W("Let go of the key, then press it again to start."),
    "lane.deadman": W("The stick is deflected, but the deadman is not held."),
    "lane.reading": W("A reading was refused: it is old, repeated, from another lease, or not a number."),
    "lane.lost": W("The master no longer sends {signal}: the robot holds.", way=AGAIN),
    "lane.lost.none": W(
        "This control mode needs {signal}; the device sends none. The robot holds.",
        way="Choose another control mode, or press again when the signal is there.",
    ),
    "lane.lost.jumped": W(
        "The master's pose jumped faster than any hand moves: tracking is lost, the robot holds.", way=AGAIN
    ),
    "lane.lost.back": W("The master's signal was lost and is back.", way=KEY_AGAIN),
    "lane.undeflected": W(
        "This control mode needs stick axes; the device sends none.", way="Choose another control mode."
    ),
    "lane.behind": W("The master is ahead: the robot's joints are limited to {share} of their top speed."),
    "lane.mapping": W("The control mode '{mapping}' was removed while in use; '{chosen}' is selected instead."),
    "link.unechoed": W(
        "These readings echo no tick, so their age is unknown: they cannot drive the robot.",
        way="Send the newest tick back with each reading.",
    ),
    "link.press.measuring": W(
        "The delay of the link is still being measured.", way="Let go of the key and press it again in half a second."
    ),
    "link.press.blind": W(
        "The picture on your page is {age} old; at most {allowed} is allowed.",
        way="Press again when the picture is back.",
    ),
    "link.press.slow": W(
        "The link is too slow: your input is {age} old, this cell allows {allowed}.", way="Use a faster connection."
    ),
    "link.press.late": W("Your input is {age} old; this link's usual delay is {usual}.", way=KEY_AGAIN),
    "link.late": W("your input is {age} old; this link's usual delay is {usual}."),
    "link.blind": W("the picture on your page is {age} old; at most {allowed} is allowed."),
    "link.distant": W("this computer is too busy for real time, which a link with a delay of {usual} needs."),
    "link.unbounded": W("The speed limit of distant links is off: your input takes {age}, expect overrun."),
    "link.slow": W(
        "Slowing the {part} to {speed}: your input takes {age}, in which the {part} may move {overrun}.",
        exam="Slowing the {part} to {speed}: your input takes {age}.",
    ),
    "master.axis": W("the master sent an axis that is not between -1 and 1."),
    "master.grip": W("the master sent a grip that is not between 0 and 1."),
    "master.joint": W("the master sent a joint position that is not a number."),
    "master.pose": W("the master sent an invalid pose."),
    "master.velocity": W("the master sent a velocity that is not a number."),
    "master.view": W("the master sent an invalid view."),
}

_MODES = {
    "mode.paused": W("Paused: {cause}"),
    "mode.stopped": W("Stopped: {cause}"),
    "mode.fault": W("Fault: {cause}"),
    "mode.off": W("The robot is off.", way="Power it up to drive it."),
    "mode.powering": W("The robot is powering up.", way="You can drive it in a moment."),
    "stop.pressed": W("{person} pressed Stop.", bare="Stop was pressed.", you="you pressed Stop."),
    "stop.said": W("{person} said Stop.", you="you said Stop."),
    "stop.reason": W("{detail}", exam="Stop was pressed."),
    "cell.restarted": W("the cell was restarted after its process ended."),
    "cell.busy": W("this computer is too busy to keep up."),
    "cell.held-up": W("this computer was too busy for {time}."),
    "input.none": W("no input for {time}."),
    "input.lost": W("no input for over {time}."),
    "input.stale": W("no fresh input for over {time}."),
    "lease.passed": W("control passed to another person."),
    "joint.beyond": W("{joint} was pushed beyond its limit."),
    "joint.fast": W("{joint} was pushed beyond its top speed."),
    "demand.kind": W("the {group} cannot carry out the command of '{source}'."),
    "demand.number": W("the command of '{source}' to the {group} is not a number."),
    "demand.count": W("the command of '{source}' has {found} joint rates; the {group} has {joints} joints."),
    "stage.broke": W("a stage of {robot} failed ({detail}).", exam="a stage of {robot} failed."),
}

_MOTION = {
    "servo.velocity": W("{joint} is at its top speed."),
    "servo.limit": W("{joint} is at its {side} limit."),
    "servo.fold": W(
        "{joint} is nearly {posture}. The tip cannot go further this way.",
        way="All other directions are free; jog the joint to pass through.",
    ),
    "servo.lacks": W(
        "An arm with {joints} joints cannot do all of this: it cannot {motion}.", way="It follows as closely as it can."
    ),
    "servo.singular": W("The arm is near a singularity: the motion is damped."),
    "servo.wall": W(
        "The tip is {clearance} from {place}.",
        bare="The tip has reached {place}.",
        exam="The tip has reached the edge of its area.",
    ),
    "servo.wall.inside": W("The tip is inside {place}.", exam="The tip is where it must not be."),
    "servo.wall.beyond": W("The tip is beyond {place}.", exam="The tip is outside its area."),
    "servo.carried": W(
        "The tip is {shift} and {turn} off your hand's path: the arm could not keep up.",
        way="Release and engage again to start from here.",
        exam="The tip is off your hand's path: the arm could not keep up.",
    ),
    "guard.number": W("A command was not a number; the robot brakes."),
    "guard.lag": W(
        "{joint} is stuck: {obstacles} is in the way, or the load is too heavy.",
        bare="{joint} is stuck: an obstacle is in the way, or the load is too heavy.",
        exam="{joint} is stuck: an obstacle is in the way, or the load is too heavy.",
    ),
    "flippers.lag": W(
        "{joint} is stuck: {obstacles} is in the way, or the load is too heavy.",
        bare="{joint} is stuck: an obstacle is in the way, or the load is too heavy.",
        exam="{joint} is stuck: an obstacle is in the way, or the load is too heavy.",
    ),
    "avoid.near": W(
        "{first} is {clearance} from {second} and must not touch it.",
        bare="{first} is too close to {second}.",
        exam="The arm is close to an obstacle that it must not touch.",
    ),
    "avoid.touch": W(
        "Slowing to {speed}: {first} may touch {second}.", exam="Slowing to {speed}: the arm may touch an obstacle."
    ),
    "avoid.slides": W(
        "{first} moves past {second} too fast to touch it: stay below {speed}.",
        exam="The arm moves past an obstacle too fast to touch it: stay below {speed}.",
    ),
    "avoid.eases": W("Slowing down for a gentle touch."),
    "gripper.jammed": W(
        "The gripper does not open: its jaws are jammed.", way="Close it, or move the arm to free the jaws."
    ),
    "lane.free": W("Backing out along the path that led in."),
    "lane.free.left": W("Backing out was interrupted.", way="Press “Back out” again to continue."),
    "lane.planning": W("Looking for a free path."),
    "lane.stuck": W("{robot} ended its move early. {Cause}"),
    "lane.held": W("an obstacle or a limit blocks the arm."),
    "lesson.full": W("The recording is full: it has {points} points. Save or discard it."),
    "lesson.dropped": W("The recording was discarded: the robot was moved or changed. Start it again."),
    "fault-finding.feedforward": W("The feed-forward is switched off for fault finding: the arm sags."),
    "fault-finding.filter": W("The {filter} filter is switched off for fault finding."),
    "fault-finding.generator": W(
        "A signal generator replaces the hand: {wave} of {amplitude} on {axis} at {frequency}.",
        bare="A signal generator replaces the hand: {wave} of {amplitude} on {axis}.",
    ),
    "fault-finding.generator.axis": W(
        "A signal generator replaces the hand, but this control mode has no axis {number}."
    ),
}

_TRACKS = {
    "base.top": W(
        "The belts are at their top speed: driving and turning are slowed in proportion.",
        way="Drive slower, or turn less.",
    ),
    "base.carries": W(
        "The belts are slowed: they carry {first} towards {second}, {clearance} away.",
        bare="The belts are slowed: they carry the tip against an obstacle.",
        exam="The belts are slowed: they carry the arm towards an obstacle.",
        way="You can also pull the arm back.",
    ),
    "base.flipper": W(
        "{second} is slowed: it turns towards {first}, {clearance} away.",
        exam="A flipper is slowed: it turns towards the arm.",
        way="You can also move the arm away.",
    ),
    "base.over": W(
        "The robot has tipped over.",
        way="Turn its flippers or its arm against the ground to right it, or reset the robot.",
    ),
    "base.stuck": W(
        "The robot is stuck: an obstacle holds it, or its motors are too weak for this.",
        way="Drive back, or lift it over the edge with its flippers.",
    ),
    "base.held": W(
        "The robot does not turn as commanded: an obstacle holds it, or its motors are too weak for this.",
        way="Turn the other way, or drive to a clearer spot.",
    ),
    "base.fallen": W(
        "The robot has fallen.",
        way="Check that it stands upright and its arm is free. Right it with flippers or arm, or reset the robot.",
    ),
    "base.parked": W("The parking brake is set: the belts stand still.", way="Release it to drive."),
    "base.slip": W("The belts slip.", way="Drive slower, or lower the flippers so that more belt is on the ground."),
    "base.slide": W(
        "The robot slides: the ground is too slippery or too steep for its belts.",
        way="Turn it downhill, or drive down to level ground.",
    ),
}

_CELL = {
    "world.frozen": W("The cell is frozen at its last good state, because its physics became unstable."),
    "world.diverged": W(
        "the physics of {body} of {robot} became unstable; the cell is frozen at its last good state.",
        exam="the physics became unstable; the cell is frozen at its last good state.",
    ),
    "world.diverged.object": W(
        "the physics of {body} became unstable; the cell is frozen at its last good state.",
        exam="the physics became unstable; the cell is frozen at its last good state.",
    ),
    "cell.falls": W("{body} is in mid-air: it falls.", exam="An object is in mid-air: it falls."),
    "cell.blocked": W(
        "{body} stays as it is: an obstacle is in its way.",
        exam="An object stays as it is: an obstacle is in its way.",
    ),
    "cell.raised": W(
        "An obstacle is in the place of {robot}: the robot starts {height} above it.",
        exam="An obstacle is in the place of {robot}: the robot starts above it.",
    ),
    "cell.height": W(
        "The base stands {height} above the floor, so that the robot has room to move.",
        exam="The base stands above the floor, so that the robot has room to move.",
    ),
    "cell.stranger": W("No robot is driven by a master called '{master}'; its readings are ignored."),
    "cell.slow": W("Running at {share} of real time: this computer is busy."),
    "cell.slow.paused": W("Robots pause: this computer is too busy to run the cell."),
    "cell.unprotected": W(
        "Force feedback is on, but neither `compliance` nor `avoid` protects the robot's surroundings: "
        "it can press with the full force of its drives. Add one of them to the cell file."
    ),
    "cell.numb": W(
        "The wrist sensor cannot measure contact: no part beyond it has a collision shape. Give the robot a tool with "
        "collision shapes, or remove `wrist` from the cell file: then the contact force of the last solid link is used."
    ),
    "cell.unslowed": W(
        "Compliance yields above {threshold}, but does not slow the approach: at full speed the first push may be "
        "many times harder. With `avoid` the arm approaches slowly."
    ),
    "cell.unslowed.linkage": W(
        "Compliance yields above {threshold}, but does not slow the approach: at full speed the first push may be "
        "many times harder. `avoid` is for arms whose joints form a chain; for this arm, `limits` can keep every "
        "motion slow."
    ),
    "robot.tool": W("The tool {tool} points along {axis} of the tip's frame, away from the last joint."),
}

_FILES = {f"robot.{name}": W("{detail}") for name in READER_NOTES}

_REFUSALS = {
    "cell.refused": W("Refused: {cause}"),
    "lane.refused": W("Refused: {cause}"),
    "refused.detail": W("{detail}."),
    "refused.broken": W("{event} failed ({detail}).", exam="{event} failed."),
    "refused.unknown": W("no {kind} is called '{name}'; there are: {known}.", exam="there is no such {kind}."),
    "refused.unknown.guess": W(
        "no {kind} is called '{name}' (did you mean '{guess}'?); there are: {known}.", exam="there is no such {kind}."
    ),
    "refused.mapping": W(
        "{robot} has no control mode '{mapping}'; there are: {known}.", exam="{robot} has no control mode '{mapping}'."
    ),
    "refused.filter": W(
        "{robot} has no filter '{filter}'; there are: {known}.", exam="{robot} has no filter '{filter}'."
    ),
    "refused.level": W("the speed level cannot be switched off; choose another level."),
    "refused.speed": W("speed {level} is not one of 1 to {levels}."),
    "refused.scale": W("scale {scale} is outside {lowest} to {highest}."),
    "refused.power": W("{robot} has no power switch."),
    "refused.brake": W("{robot} has no tracks and no parking brake."),
    "refused.axis": W(
        "this control mode has no axis {number} for a generator; there are: {known}.",
        bare="this control mode has no axes for a generator; it follows a pose.",
        exam="this control mode has no axis {number} for a generator.",
    ),
    "refused.zero.moving": W("the force sensor can be zeroed only while the robot stands still: let go first."),
    "refused.zero.missing": W("this robot has no wrist sensor to zero."),
    "refused.teach": W("{robot} cannot record that: {cause}"),
    "lesson.none": W("no recording is running."),
    "lesson.begun": W("a recording is already running; save or discard it first."),
    "lesson.recording": W("a recording is running; save or discard it first."),
    "lesson.points": W("a path has at most {points} points."),
    "lesson.same": W("the arm is still at the last point."),
    "lesson.empty": W("there is nothing to save yet: drive the arm, or add points."),
    "refused.move": W("{robot} cannot move by itself: {cause}"),
    "move.stopped": W("the robot is stopped; reset it first."),
    "move.unpowered": W("the robot has no power yet."),
    "move.driven": W("it is being driven; let go first."),
    "move.absent": W("its operator sends no fresh input."),
    "move.nothing": W("there is no move to continue."),
    "move.no-trail": W("there is no path back: no motion that led here is recorded."),
    "move.held": W("it may not move now."),
    "move.reach": W("its tip cannot get there."),
    "move.reach.far": W("that is too far for its tip."),
    "move.reach.joint": W("a joint reaches its limit before the tip gets there."),
    "move.reach.turn": W("its tip cannot take that orientation there."),
    "plan.moved": W("the arm has moved, or another command came: give the command again."),
    "plan.changed": W("the arm's surroundings have changed: give the command again."),
    "plan.late": W("finding a free path took too long: give the command again, or drive a little by hand first."),
    "plan.none": W("there is no free path to there."),
    "plan.start": W(
        "{first} is too close to {second} here: drive away from it by hand first.",
        exam="the arm is too close to an obstacle here: drive away from it by hand first.",
    ),
    "plan.goal": W(
        "at the end of the move, {first} would be too close to {second}.",
        exam="at the end of the move, the arm would be too close to an obstacle.",
    ),
    "plan.way": W(
        "no free path was found; on the straight path, {first} would hit {second}.",
        exam="no free path was found.",
    ),
    "plan.reach": W("the arm cannot reach there in any posture."),
    "move.detail": W("{detail}."),
    "refused.inside": W("{body} would be inside {other}.", exam="an object would be inside another body."),
    "refused.gripped": W(
        "{robot} holds {body}: open its gripper first.", exam="{robot} holds it: open its gripper first."
    ),
    "refused.loaded": W(
        "{body} carries {other}: move {other} first.", exam="it carries another object: move that object first."
    ),
    "refused.hung": W("{body} hangs on {other}; remove {body} first.", exam="another object hangs on it."),
    "refused.hangs": W("{body} hangs on {other}; move {other} instead.", exam="it hangs on another object."),
    "refused.taken": W("the name '{name}' is taken in this world; names are unique."),
    "refused.object": W("object '{name}': {detail}.", exam="object '{name}' cannot be made."),
    "refused.change": W("{robot} cannot change its {equipment}: {cause}"),
    "refused.quick-change": W("{robot} has no quick change for tools."),
    "change.mode": W("it is {mode}; it must be holding, stopped or off."),
    "change.moving": W("it is moving."),
    "change.driving": W("it is driving."),
    "change.holding": W("it holds an object; put that down first."),
    "change.inside": W(
        "{tool} would be inside {other}; raise the arm first.", exam="there is no room for {tool}; raise the arm first."
    ),
}

_SERVER = {
    "order.overtaken": W("The command was delayed, and later ones came first. Repeat it if you still want it."),
    "order.replay": W("This is a replay: nothing can be driven."),
    "order.no-replay": W("This cell is live: only a replay can be played."),
    "order.many": W("Too many commands are waiting: try again in a moment."),
    "order.restarted": W("The cell was restarted before it answered. Repeat the command if you still want it."),
    "order.silent": W("The cell does not answer."),
    "gateway.controls": W("{person} controls {robot}."),
    "gateway.free": W("Nobody controls {robot}."),
    "gateway.sent": W("{person} sent {other} away."),
    "gateway.detail": W("{detail}"),
    "gateway.ended": W("{detail}"),
}

_WORDS = {
    "signal": {"pose": "a pose", "joints": "joint positions", "axes": "stick axes"},
    "part": {"tip": "tip", "base": "base"},
    "side": {"upper": "upper", "lower": "lower"},
    "posture": {"straight": "straight", "folded": "folded flat"},
    "motion": {
        **{f"shift-{axis}": f"shift along {axis}" for axis in "xyz"},
        **{f"turn-{axis}": f"turn about {axis}" for axis in "xyz"},
    },
    "face": {
        "front": "the front of its work area",
        "rear": "the rear of its work area",
        "left": "the left side of its work area",
        "right": "the right side of its work area",
        "upper": "the top of its work area",
        "lower": "the bottom of its work area",
    },
    "equipment": {"tool": "tool", "drive": "drive"},
    "mode": {
        "off": "off",
        "powering": "powering up",
        "idle": "holding",
        "teleoperation": "being driven",
        "autonomous": "moving by itself",
        "paused": "paused",
        "stopped": "stopped",
        "fault": "in a fault",
    },
    "kind": {
        **{kind: kind for kind in ("robot", "object", "filter", "tool", "camera", "link")},
        "object that moves": "movable object",
        "mapping": "control mode",
    },
}

_ARTICLE = re.compile(r"(?!the |a |an )[A-Za-z][a-z-]{2,}(( [a-z-]+)*|( [a-z-]+)+ \d+)")


def _thing(name: str) -> str:
    """Return the name of a thing with its article, where it is made of plain words."""
    return f"the {name[0].lower()}{name[1:]}" if _ARTICLE.fullmatch(name) else name


ENGLISH = Language(
    code="en",
    title="English",
    sentences={**_FILTERS, **_MASTERS, **_MODES, **_MOTION, **_TRACKS, **_CELL, **_FILES, **_REFUSALS, **_SERVER},
    directions={
        "along": "slide along it",
        "apart": "move in any direction that does not bring them closer together",
        "away": "move away",
        "back": "back away",
        "back-out": "back out",
        "inside": "move back inside",
        "others": "move the other joints",
        "out": "move out",
        "turn-back": "turn back",
    },
    can="You can {ways}.",
    either=" or ",
    ways={
        "continue": "Continue the move when input returns.",
        "fix": "Fix the cause, then reset.",
        "hold-on": "Keep holding; it resumes by itself.",
        "reset": "Press Enter to reset, then drive on.",
        "reset-power": "Press Enter to reset, then power it up.",
        "reset-world": "Reset the robot or the objects to go on.",
    },
    hidden={
        "info": "Not shown during an exam.",
        "slow": "The motion is slowed.",
        "stop": "The robot holds.",
        "fault": "The robot has a fault.",
    },
    unsaid="not shown during an exam.",
    words=_WORDS,
    named={"joint": _thing, "link": _thing, "body": _thing, "fixture": _thing},
)
