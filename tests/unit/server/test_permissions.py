"""Who may send which event: every event by every role, in control and not, against a table of its own."""

from __future__ import annotations

import msgspec
import pytest
from frames import EVENTS as SAMPLES
from gateways import CELL, Gateway, Nowhere, in_loop, settle

from farhand.server.gateway.decoding import LinkTokens
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Answer, Ask, Command, Leases, TakeOver, Watch
from farhand.types import Event
from farhand.types.events.rights import ROLES, Role

# Written by hand, independently of the declarations: events that drive a robot, and events that set the task.
DRIVES = {
    *("MoveJoints", "FollowPath", "Teach", "FreeMe", "HoldHere", "Continue", "Power", "Park", "SetSpeed", "SetScale"),
    *("MoveTip", "MoveFlippers", "SelectMapping", "ChangeTool", "ZeroWrist", "AimCamera"),
}
SETS = {
    *("AddObject", "MoveObject", "RemoveObject", "ResetObjects", "ResetRobot", "Load", "ClearLoad", "BreakWrist"),
    *("SwitchFilter", "SwitchFeedforward", "Generate", "Reconfigure", "DegradeCamera"),
}
STOP, RESET, INSIDE = {"Stop"}, {"Reset"}, {"PlanFound"}  # the last of these the program alone sends
# By role: the rights while others are in control, and while in control.
EXPECTED: dict[Role, tuple[set[str], set[str]]] = {
    "guest": (STOP, STOP | RESET | DRIVES),
    "user": (STOP, STOP | RESET | DRIVES | SETS),
    "superuser": (STOP, STOP | RESET | DRIVES | SETS),
    "trainee": (STOP, STOP | RESET | DRIVES),
    "observer": (STOP, STOP),
    "instructor": (STOP | RESET | SETS, STOP | RESET | DRIVES | SETS),
    "owner": (STOP | RESET | SETS, STOP | RESET | DRIVES | SETS),
}


def passed(role: Role, event: Event, *, control: bool) -> bool:
    """Return whether an event goes on to the cell."""
    gateway = Gateway()
    gateway.start()
    viewer = Viewer(1, "Ada", Nowhere(), msgspec.msgpack.Encoder().encode, role=role)
    gateway.state.take(viewer, Watch(cell=CELL))
    if control:
        gateway.hub.control.ask(viewer, "arm")
    gateway.state.take(viewer, Command(id=1, event=event))
    return len(gateway.link.events) == 1


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_every_event_by_every_role(role: Role, event: Event) -> None:
    without, within = EXPECTED[role]
    name = type(event).__name__
    assert passed(role, event, control=False) == (name in without)
    assert passed(role, event, control=True) == (name in within)


def test_the_expectation_knows_every_event_and_every_role() -> None:
    assert {type(event).__name__ for event in SAMPLES} == STOP | RESET | DRIVES | SETS | INSIDE
    assert set(EXPECTED) == set(ROLES)


@in_loop
async def test_an_observer_is_not_given_control() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    viewer.role = "observer"
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.passes(1.0)
    gateway.state.take(viewer, TakeOver(robot="arm"))
    await settle()
    assert page.last(Leases).robots[0].holder is None
    assert {answer.text for answer in page.all(Answer)} == {"Observers may only watch and stop."}


@pytest.mark.parametrize(
    ("keys", "given", "role"),
    [
        (LinkTokens("main", owner="own"), "main", "user"),
        (LinkTokens("main", owner="own"), "own", "owner"),
        (LinkTokens("main", "exam", "own"), "main", "instructor"),
        (LinkTokens("main", "exam", "own"), "own", "owner"),
        (LinkTokens("main", "exam", "own"), "exam", "trainee"),
    ],
)
def test_the_link_says_the_role(keys: LinkTokens, given: str, role: Role) -> None:
    assert keys.role_of(given) == role
