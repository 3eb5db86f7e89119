"""A move around an obstacle, as the operator sees it: what is said while a plan is made, the ghost, and the arrival."""

from collections.abc import Iterator

import pytest
from browser.desk import HOME, Desk, OpenDesk
from playwright.sync_api import expect

from farhand.net.messages import Release, Update
from farhand.net.started import Started
from farhand.net.visitor import Visitor
from farhand.types import AddObject, MoveJoints, ObjectSpec, RemoveObject, SetSpeed

RIGHT = (-1.2, *HOME[1:])
POST = ObjectSpec(name="post", size=(0.04, 0.04, 1.2), position=(0.39, -0.12, 0.6), mass=0.0)
LOOKING = "Looking for a free way…"
# Every text of the header's pill, and whether there was a ghost while it stood there: a plan may be found at once.
RECORD = """() => {
  const pill = document.querySelector("header .pill");
  window.said = [];
  const look = () => window.said.push([pill.textContent, window.farhand.state().ghost]);
  new MutationObserver(look).observe(pill, { childList: true, characterData: true, subtree: true });
}"""


@pytest.fixture
def owner(server: Started) -> Iterator[Visitor]:
    """The owner, who has put a post between the arm and its home; the post is gone in the end."""
    visitor = Visitor(server.owners_address)
    visitor.take_control()
    for event in (SetSpeed("arm", 5), MoveJoints("arm", RIGHT)):
        assert visitor.command(event).ok
    visitor.wait(Update, lambda update: update.robots[0].mode == "autonomous")
    visitor.wait(Update, lambda update: update.robots[0].mode == "idle")
    assert visitor.command(AddObject(POST)).ok
    visitor.send(Release(robot="arm"))
    yield visitor
    assert visitor.command(RemoveObject("post")).ok
    visitor.close()


def test_the_arm_goes_home_around_a_post_and_its_ghost_waits_there(owner: Visitor, visit: OpenDesk) -> None:
    desk = visit().ready()
    assert not desk.state()["ghost"]
    desk.page.evaluate(RECORD)
    go_home(desk)
    desk.arrive_home()
    desk.until("!s.ghost")
    assert desk.page.evaluate("() => window.said.some(([text, ghost]) => text === 'Moving by itself' && ghost)")
    assert [LOOKING, True] in desk.page.evaluate("() => window.said")
    expect(desk.page.locator(".planbar")).to_have_count(0)
    rooms = clearances(owner, desk.state()["tick"])
    assert len(rooms) > 20
    assert min(rooms) > 0.0


def go_home(desk: Desk) -> None:
    """Press the key until it counts: a page that was held up for a moment is not heard."""
    for _ in range(5):
        desk.press("Home")
        state = desk.until("s.mode === 'autonomous' || (!s.planning && s.why.length > 0)")
        if state["mode"] == "autonomous":
            return
    raise AssertionError("the arm does not go home")


def clearances(visitor: Visitor, last: int) -> list[float]:
    """Return the clearance in each update until a tick, in metres until it would stop the arm; 1 far from all."""
    rooms = []

    def noted(update: Update) -> bool:
        near = update.robots[0].near
        rooms.append(1.0 if near is None else near.room)
        return update.tick >= last

    visitor.wait(Update, noted)
    return rooms
