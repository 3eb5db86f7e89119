"""Clearance to obstacles, as the operator sees and hears it."""

import re

from browser.desk import Desk
from playwright.sync_api import expect

SHUT = "s.near !== null && !s.near.gently && s.near.room < 0.003"


def test_what_stops_the_arm_is_said_drawn_on_the_bars_and_heard(desk: Desk) -> None:
    nearest, speaker = desk.page.locator(".nearest"), desk.button("Clearance tone")
    elbow = desk.page.get_by_role("meter", name="Elbow")
    expect(nearest).to_have_count(0)
    expect(elbow.locator("s")).to_have_count(0)
    with desk.driving("e"):  # the gripper comes back to the arm's own foot
        desk.until("s.tone === 'beating'")
        desk.until(f"{SHUT} && s.tone === 'steady'")
        expect(nearest).to_have_text(re.compile(r"^Nearest: gripper – base, \d+ mm · stops the arm$"))
        expect(speaker).to_have_attribute("data-heard", "steady")
        desk.until("s.near.ways[0] && !s.near.ways[3]")  # forward, but not back towards the foot
        expect(elbow.locator("s")).to_have_count(1)
        said = re.compile(r", near its limit, free from −110.0° to .+° now$")
        expect(elbow).to_have_attribute("aria-valuetext", said)
    desk.until("s.tone === 'silent'")
    expect(speaker).to_have_attribute("data-heard", "silent")
    with desk.driving("d"):  # and away again, at once
        desk.until("s.near === null || s.near.room > 0.02")


def test_the_tone_is_switched_off_for_good_and_the_line_by_its_own_button(desk: Desk) -> None:
    speaker, line = desk.button("Clearance tone"), desk.button("Clearance")
    expect(speaker).to_have_attribute("aria-pressed", "true")
    expect(line).to_have_attribute("aria-pressed", "true")
    desk.choose_mode("base axes")
    with desk.driving("f"):  # down to the table and what is on it
        state = desk.until("s.tone === 'beating'")
        assert state["near"]["gently"]
        speaker.click()
        desk.until("s.tone === 'silent' && s.near !== null && s.near.room > 0.003")
    expect(desk.page.locator(".nearest")).to_have_text(re.compile(r"^Nearest: gripper – (cube|table), "))
    line.click()
    expect(line).to_have_attribute("aria-pressed", "false")
    desk.page.reload()
    desk.ready()
    expect(speaker).to_have_attribute("aria-pressed", "false")
    for button in (speaker, line):
        button.click()
