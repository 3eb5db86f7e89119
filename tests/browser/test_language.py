"""Notes in another language: the page makes no sentence of a note itself, and longer ones fit."""

from typing import Any

import pytest
from browser.desk import OpenDesk
from browser.fitting import fits
from playwright.sync_api import expect

from farhand.client.servers import RunningServer
from farhand.notes.pseudo import CLOSES, OPENS, PSEUDO_CODE, is_pseudo

SCREENS: dict[str, dict[str, Any]] = {
    "low": {"viewport": {"width": 1280, "height": 720}},
    "upright": {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True},
}


@pytest.mark.parametrize("screen", SCREENS)
def test_longer_sentences_of_another_language_fit_and_none_is_english(
    visit: OpenDesk, server: RunningServer, screen: str
) -> None:
    desk = visit(server.address.replace("/#", f"/?lang={PSEUDO_CODE}#"), **SCREENS[screen]).ready()
    desk.reset_if_stopped()
    desk.button("Got it").click()
    with desk.driving("q"):
        said = desk.until("s.why.length > 0")["why"]  # at its top speed, and in the end at its limit
        assert [text for text in said if not is_pseudo(text)] == []
        fits(desk)
    desk.press("Space")
    desk.until("s.mode === 'stopped'")
    bar = desk.page.locator(".stopbar b")
    expect(bar).to_be_visible()
    assert OPENS in bar.inner_text()
    assert CLOSES in bar.inner_text()
    fits(desk)
    desk.reset_if_stopped()
