"""A move around an obstacle, as the operator sees it: the message while planning, the ghost, and the arrival."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from browser.desk import HOME, Desk, OpenDesk
from playwright.sync_api import expect

from farhand.client.client import Client
from farhand.client.servers import RunningServer
from farhand.server.protocol.messages import Update
from farhand.types import AddObject, MoveJoints, ObjectSpec, RemoveObject, SetSpeed

RIGHT = (-1.2, *HOME[1:])
POST = ObjectSpec(name="post", size=(0.04, 0.04, 1.2), position=(0.39, -0.12, 0.6), mass=0.0)
LOOKING = "Looking for a free path…"
# What the header's pill says at each change, whether there is a ghost then, and how near the arm comes to things.
RECORD = """() => {
  const pill = document.querySelector("header .pill");
  window.said = [];
  window.rooms = [];
  const look = () => window.said.push([pill.textContent, window.farhand.state().ghost]);
  new MutationObserver(look).observe(pill, { childList: true, characterData: true, subtree: true });
  setInterval(() => window.rooms.push(window.farhand.state().near?.room ?? 1), 20);
}"""


def is_in(owner: Client, update: Update, mode: str) -> bool:
    """Return whether the arm is in a mode, and let the cell know that its operator is there."""
    owner.send_reading()
    return update.robots[0].mode == mode


@pytest.fixture
def post(server: RunningServer) -> Iterator[None]:
    """Have the owner put a post between the arm and its home; it is gone in the end."""
    with closing(Client(server.owners_address)) as owner:
        owner.take_control()
        owner.release_deadman()
        assert owner.command(SetSpeed("arm", 5)).ok
        assert owner.command(MoveJoints("arm", RIGHT)).ok
        owner.wait(Update, lambda update: is_in(owner, update, "autonomous"))
        owner.wait(Update, lambda update: is_in(owner, update, "idle"))
        assert owner.command(AddObject(POST)).ok
    yield
    with closing(Client(server.owners_address)) as owner:
        assert owner.command(RemoveObject("post")).ok


@pytest.mark.usefixtures("post")
def test_the_arm_goes_home_around_a_post_and_its_ghost_waits_there(visit: OpenDesk) -> None:
    desk = visit()
    desk.until("s.mode !== null")
    if not desk.state()["mine"]:
        desk.button("Ask for control").click()
    desk.ready()
    assert not desk.state()["ghost"]
    desk.page.evaluate(RECORD)
    go_home(desk)
    desk.arrive_home()
    desk.until("!s.ghost")
    said, rooms = desk.page.evaluate("() => [window.said, window.rooms]")
    assert [LOOKING, True] in said
    assert ["Moving by itself", True] in said
    expect(desk.page.locator(".planbar")).to_have_count(0)
    assert min(rooms) > 0.0  # it touched nothing
    assert any(room < 1.0 for room in rooms)  # and the post was near


def go_home(desk: Desk) -> None:
    """Press the key until it counts: a page that was held up for a moment is refused, and says so."""
    for _ in range(5):
        desk.until(f"s.heard > {desk.state()['heard'] + 10}")
        desk.press("Home")
        state = desk.until("s.mode === 'autonomous' || (!s.planning && document.querySelector('.toast') !== null)")
        if state["mode"] == "autonomous":
            return
        desk.button("Close this message").first.click()
    raise AssertionError("the arm does not go home")
