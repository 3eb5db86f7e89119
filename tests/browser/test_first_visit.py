"""Opening the printed link."""

from browser.desk import OpenDesk
from playwright.sync_api import expect

from farhand.net.started import Started


def test_the_printed_link_opens_the_cell_and_gives_control(visit: OpenDesk, server: Started) -> None:
    desk = visit()
    before = desk.ready().state()["appliedTick"]
    desk.until(f"s.appliedTick > {before + 100}")
    assert desk.page.url == server.address.partition("#")[0]  # the token has left the address bar
    expect(desk.page.locator(".lease .words")).to_contain_text("You hold control")
    desk.says("Holding")
    assert desk.page.evaluate("() => document.querySelector('.view canvas') !== null")
    expect(desk.page.get_by_text("No 3D view")).to_be_hidden()


def test_three_hints_at_the_first_visit_and_never_again(visit: OpenDesk) -> None:
    desk = visit().ready()
    hints = desk.page.get_by_role("complementary", name="First steps")
    expect(hints.get_by_role("listitem")).to_have_count(3)
    desk.button("Got it").click()
    expect(hints).to_be_hidden()
    desk.page.reload()
    desk.ready()
    expect(hints).to_be_hidden()


def test_a_reload_needs_no_token_and_keeps_control(visit: OpenDesk) -> None:
    desk = visit().ready()
    viewer = desk.state()["viewer"]
    desk.page.reload()
    assert desk.ready().state()["viewer"] == viewer
