"""Exams: the trainee drives by pictures and the instructor sets the task, each on a page of their own."""

from collections.abc import Iterator

import pytest
from browser.desk import OpenDesk
from playwright.sync_api import expect
from servers import LiveServer

TRAINEES = "The trainee's page is at "


@pytest.fixture(scope="module")
def exam() -> Iterator[LiveServer]:
    with LiveServer("telemax", "--exam") as server:
        yield server


def test_the_instructor_sets_the_task_and_the_trainee_cannot(visit: OpenDesk, exam: LiveServer) -> None:
    trainee = visit(exam.said.partition(TRAINEES)[2].split()[0]).ready()
    instructor = visit(exam.address)
    instructor.until("s.mode !== null && s.holder !== null && !s.mine")
    for name in ("Reset robot", "Reset objects"):
        assert instructor.action(name).is_enabled()
        assert trainee.action(name).is_disabled()
        assert trainee.action(name).get_attribute("title") == "Only the instructor can do that."
    assert instructor.action("Home").is_disabled()

    # A camera's picture is degraded in two ways and restored; the trainee cannot change it.
    for desk in (instructor, trainee):
        desk.press("1")
        desk.until("s.wall.large === 'front'")
    tools = instructor.page.get_by_role("group", name="Degrade the picture of Front drive")
    for name in ("Coarse", "Delayed"):
        tools.get_by_role("button", name=name).click()
        expect(tools.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    trainee.until("s.cameras[0].degraded.resolution < 1 && s.cameras[0].degraded.delay > 0")
    expect(trainee.page.locator(".shot.large .plate")).to_contain_text("degraded")
    assert trainee.page.locator(".picturetools").count() == 0
    tools.get_by_role("button", name="Normal").click()
    trainee.until("s.cameras[0].degraded === null")

    # The instructor resets any stop.
    trainee.press("Space")
    instructor.until("s.mode === 'stopped'")
    instructor.page.locator(".stopbar").get_by_role("button", name="Reset").click()
    instructor.until("s.mode === 'idle'")
