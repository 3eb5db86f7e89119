"""A robot on tracks and its cameras: one key for each mode and each picture."""

from collections.abc import Iterator

import pytest
from browser.desk import OpenDesk
from paths import CELLS
from playwright.sync_api import expect

from farhand.client.servers import RunningServer, running_server

# How many colours a camera's picture has: an empty one has one.
COLOURS = """(canvas) => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
  return seen.size;
}"""
# How far the right of the large picture is to the left of the robot, -1 to 1.
RIGHT_IN_VIEW = "(([w, x, y, z]) => 2 * (x * y + w * z))(farhand.view.eyeIn('telemax') ?? [1, 0, 0, 0])"


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    text = (CELLS / "telemax.toml").read_text()
    master = 'master = "hand"\n'
    assert text.count(master) == 1
    path = tmp_path_factory.mktemp("tracks") / "telemax.toml"
    path.write_text(text.replace(master, master + "watchdog = { pause = 0.2 }\n"))
    with running_server(str(path)) as running:
        yield running


def test_keys_choose_what_is_led_and_which_camera_is_looked_through(visit: OpenDesk, tracked: RunningServer) -> None:
    desk = visit(tracked.address).ready()
    desk.button("Got it").click()
    wall = desk.until("s.mode === 'idle' && s.wall.small.length === 6")["wall"]
    assert wall["large"] == "overview"

    # Driving: the robot goes ahead, its flippers stay.
    at, before = desk.body("telemax/base"), desk.state()["tracks"]["flippers"]
    with desk.driving("w"):
        desk.until("s.tracks.belts[0] > 0.05 && s.tracks.belts[1] > 0.05")
    desk.until("s.mode === 'idle' && s.tracks.word === 'standing'")
    assert desk.body("telemax/base")[0] > at[0] + 0.005
    assert desk.state()["tracks"]["flippers"] == pytest.approx(before, abs=0.05)

    # The same key in another mode raises a flipper, and drives nothing.
    desk.press("8")
    desk.until("s.mapping === 'flippers'")
    expect(desk.page.locator(".keypanel")).to_contain_text("front R")
    with desk.driving("w"):
        desk.until(f"s.tracks.flippers[1] > {before[1] + 0.05} && s.tracks.word === 'standing'")
    desk.press("9")
    desk.until("s.mapping === 'arm joints'")

    # A camera's key brings its picture to the large place, drawn from where the camera is.
    desk.press("1")
    desk.until("s.wall.large === 'front' && s.wall.small[0] === 'overview'")
    # Its right is what a jog in the axes of the view goes by; seen to the rear it is the other side of the robot.
    desk.until(RIGHT_IN_VIEW + " < -0.9")
    desk.press("2")
    desk.until(RIGHT_IN_VIEW + " > 0.9")
    desk.press("1")
    desk.until("s.wall.large === 'front'")
    large = desk.page.locator(".shot.large canvas")
    expect(large).to_have_attribute("aria-label", "Front drive")
    desk.until("document.querySelector('.shot.large canvas').width > 300")
    assert large.evaluate(COLOURS) > 20
    desk.press("o")
    desk.until("!s.wall.small.includes('overview')")
    expect(desk.page.locator(".view")).to_be_hidden()

    # A head is turned by its keys.
    desk.press("6")
    desk.until("s.wall.large === 'turret'")
    desk.press("Comma")
    desk.until("s.cameras[5].pan > 0.03")
