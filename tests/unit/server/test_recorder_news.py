"""Viewers are told how the recording goes, and when the recorder falls silent."""

from gateways import CELL, Gateway, in_loop, settle

from farhand.server.protocol.internal_messages import RecorderNews
from farhand.server.protocol.messages import Recording

GOING = Recording(state="recording", run="a", tick=50, size=10, left=90)
FULL = Recording(state="alarm", run="a", reason="full", alarm="Recording is interrupted: the disk is full.")


@in_loop
async def test_a_viewer_is_told_of_changes_and_on_joining() -> None:
    gateway = Gateway()
    gateway.start()
    _, early = gateway.enter()
    for recording in (GOING, GOING, FULL):
        gateway.state.take_recorder(RecorderNews({CELL: recording, "elsewhere": GOING}))
    _, late = gateway.enter()
    await settle()
    assert early.all(Recording) == [GOING, FULL]
    assert late.all(Recording) == [FULL]


@in_loop
async def test_a_silent_recorder_is_an_alarm_until_it_answers() -> None:
    gateway = Gateway()
    gateway.start()
    _, page = gateway.enter()
    gateway.passes(100.0)  # none was ever heard: runs are not recorded
    gateway.state.take_recorder(RecorderNews({CELL: GOING}))
    gateway.passes(4.9)
    gateway.passes(0.2)
    gateway.passes(10.0)
    gateway.state.take_recorder(RecorderNews({CELL: GOING}))
    await settle()
    assert [(told.state, told.reason) for told in page.all(Recording)] == [
        ("recording", ""),
        ("alarm", "silent"),
        ("recording", ""),
    ]
