"""The browser that the other tests rely on can draw."""

from playwright.sync_api import Page


def test_it_draws_in_three_dimensions(page: Page) -> None:
    assert page.evaluate("document.createElement('canvas').getContext('webgl2') !== null")


def test_it_draws_letters_and_not_boxes(page: Page) -> None:
    page.set_content('<span id="narrow">iiiiiiii</span><br><span id="wide">WWWWWWWW</span>')
    page.add_style_tag(content="span { font: 20px sans-serif }")
    narrow, wide = (page.locator(name).bounding_box() for name in ("#narrow", "#wide"))
    assert narrow is not None
    assert wide is not None
    assert wide["width"] > 2 * narrow["width"]
