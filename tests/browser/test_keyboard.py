"""The page without a mouse, and for those who listen to it."""

from browser.desk import Desk
from playwright.sync_api import expect

NAMED = {"button", "switch", "textbox", "searchbox", "spinbutton", "combobox", "checkbox", "slider", "meter", "dialog"}
FOCUSED = """() => {
  const focused = document.activeElement;
  return focused === null || focused === document.body ? null : {
    text: focused.getAttribute("aria-label") ?? focused.textContent,
    inDialog: focused.closest("dialog") !== null,
    ring: getComputedStyle(focused).outlineStyle !== "none" && getComputedStyle(focused).outlineWidth !== "0px",
  };
}"""


def test_the_question_mark_shows_all_keys_and_escape_gives_the_focus_back(desk: Desk) -> None:
    desk.action("Home").focus()
    desk.press("Shift+?")
    dialog = desk.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    for words in ("Stop, from anywhere", "Forward (x+)", "Open the gripper", "Reset after a stop", "Right bumper"):
        expect(dialog.get_by_text(words, exact=True).first).to_be_visible()
    desk.press("Escape")
    expect(dialog).to_be_hidden()
    expect(desk.action("Home")).to_be_focused()


def test_tab_stays_within_a_dialog(desk: Desk) -> None:
    desk.press("Shift+?")
    expect(desk.page.get_by_role("dialog")).to_be_visible()
    count = desk.page.get_by_role("dialog").get_by_role("button").count()
    inside = 0
    for _ in range(count + 3):
        desk.press("Tab")
        focused = desk.page.evaluate(FOCUSED)
        assert focused is None or focused["inDialog"], focused  # none: the browser's own controls come in between
        inside += focused is not None
    assert inside >= count
    desk.press("Escape")


def test_motion_keys_move_nothing_behind_a_dialog(desk: Desk) -> None:
    desk.press("Shift+?")
    with desk.holding("q"):
        assert desk.stays()
    assert desk.state()["mode"] == "idle"
    desk.press("Escape")


def test_an_open_dialog_lets_go_of_a_held_key(desk: Desk) -> None:
    with desk.driving("q"):
        desk.until("s.joints[0] > 0.02")
        desk.press("Shift+?")
        desk.until("s.mode === 'idle'")
        desk.press("Escape")
        desk.down("q")  # as a held key repeats
        assert desk.stays()
        assert desk.state()["mode"] == "idle"


def test_every_control_is_reached_by_tab_and_shows_it(desk: Desk) -> None:
    desk.stop_button.focus()
    reached = []
    for _ in range(150):
        desk.press("Tab")
        focused = desk.page.evaluate(FOCUSED)
        if focused is None:
            continue  # from the end of the page on to its beginning, past the browser's own controls
        assert focused["ring"], f"no ring shows that this has the focus: {focused['text']}"
        reached.append(focused["text"].strip())
        if desk.stop_button.evaluate("(button) => button === document.activeElement"):
            break
    for words in ("Stop · Space", "Release", "Faster", "Joints", "Base axes", "Home", "Reset objects", "Pause", "CSV"):
        assert words in reached, (words, reached)


def test_enter_presses_the_button_that_has_the_focus(desk: Desk) -> None:
    desk.page.get_by_role("button", name="Base axes").focus()
    desk.press("Enter")
    desk.until("s.mapping === 'base axes'")


def test_a_key_can_be_changed_and_is_remembered(desk: Desk) -> None:
    desk.press("Shift+?")
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Turn +: Q. Change it.").click()
    desk.press("b")
    expect(dialog.get_by_role("button", name="Turn +: B. Change it.")).to_be_visible()
    desk.press("Escape")
    desk.page.reload()
    desk.ready()
    with desk.holding("q"):
        assert desk.stays()
    with desk.driving("b"):
        desk.until("s.joints[0] > 0.02")
    desk.press("Shift+?")
    desk.button("Restore the default keys").click()
    desk.press("Escape")
    desk.until("s.mode === 'idle'")
    with desk.driving("q"):
        desk.until("s.mode === 'teleoperation'")


def test_everything_has_a_name_for_those_who_listen(desk: Desk) -> None:
    desk.page.locator(".faults").get_by_role("button", name="Fault finding").click()
    session = desk.page.context.new_cdp_session(desk.page)
    for opening in ("", "Shift+?"):
        if opening:
            desk.press(opening)
            expect(desk.page.get_by_role("dialog")).to_be_visible()
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        roles = [
            (node["role"]["value"], node.get("name", {}).get("value", "").strip(), node.get("backendDOMNodeId"))
            for node in nodes
            if not node.get("ignored") and node.get("role", {}).get("value") in NAMED
        ]
        assert len(roles) > 20
        assert not [entry for entry in roles if not entry[1]]
    session.detach()
    desk.press("Escape")
    desk.page.locator(".faults").get_by_role("button", name="Fault finding").click()


def test_mode_and_stop_are_said_aloud(desk: Desk) -> None:
    with desk.driving("q"):
        expect(desk.page.get_by_role("status").filter(has_text="Driving")).to_have_count(1)
    desk.press("Space")
    expect(desk.page.get_by_role("alert").filter(has_text="Stopped")).to_have_count(1)
