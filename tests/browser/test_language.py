"""The page and its notes in other languages: complete, and without clipped texts."""

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


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768)])
def test_the_german_page_names_its_panels_and_fits(
    visit: OpenDesk, server: RunningServer, width: int, height: int
) -> None:
    address = server.address.replace("/#", "/?lang=de#")
    desk = visit(address, viewport={"width": width, "height": height}).ready()
    desk.reset_if_stopped()
    desk.button("Verstanden").click()
    assert desk.page.locator("html").get_attribute("lang") == "de"
    for heading in ("Steuerungsart", "Aktionen", "Gelenke", "Bahnen", "Tasten"):
        expect(desk.page.get_by_role("heading", name=heading)).to_be_visible()
    with desk.driving("q"):
        fits(desk)
