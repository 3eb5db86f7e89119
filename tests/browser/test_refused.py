"""Pages that the server refuses show the reason and the remedy."""

from browser.desk import OpenDesk
from playwright.sync_api import expect

from farhand.client.servers import RunningServer
from farhand.server.protocol.typescript import wire

TOKEN = "This link has expired or is incomplete: use the one Farhand printed."


def test_a_wrong_token_is_refused_with_a_sentence(visit: OpenDesk, server: RunningServer) -> None:
    desk = visit(server.address.partition("=")[0] + "=made-up")
    expect(desk.page.get_by_text(TOKEN)).to_be_visible()
    expect(desk.stop_button).to_have_count(0)  # there is nothing here that it could stop


def test_no_token_at_all_is_refused_the_same_way(visit: OpenDesk, server: RunningServer) -> None:
    expect(visit(server.address.partition("#")[0]).page.get_by_text(TOKEN)).to_be_visible()


def test_the_right_link_works_after_a_wrong_one(visit: OpenDesk, server: RunningServer) -> None:
    desk = visit(server.address.partition("=")[0] + "=made-up")
    expect(desk.page.get_by_text(TOKEN)).to_be_visible()
    desk.page.goto("about:blank")
    desk.page.goto(server.address)
    desk.ready()


def test_a_wrong_link_in_one_tab_does_not_lock_out_the_others(visit: OpenDesk, server: RunningServer) -> None:
    desk = visit().ready()
    with desk.page.context.new_page() as other:
        other.goto(server.address.partition("=")[0] + "=made-up")
        expect(other.get_by_text(TOKEN)).to_be_visible()
    desk.page.reload()
    desk.ready()


def test_a_page_of_another_version_is_refused_and_a_reload_helps(visit: OpenDesk) -> None:
    # The greeting of the first visit says that the page was built from other messages.
    meddle = """
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (content) {
        if (sessionStorage.getItem("meddled") === null) {
          sessionStorage.setItem("meddled", "yes");
          const wire = new TextEncoder().encode("%s");
          const at = content.findIndex((_, start) => wire.every((byte, index) => content[start + index] === byte));
          content = content.slice().fill("0".charCodeAt(0), at, at + wire.length);
        }
        send.call(this, content);
      };"""
    desk = visit(script=meddle % wire())
    expect(desk.page.get_by_role("heading", name="This page is out of date")).to_be_visible()
    expect(desk.page.get_by_text("Reload it.")).to_be_visible()
    desk.button("Reload").click()
    desk.ready()
