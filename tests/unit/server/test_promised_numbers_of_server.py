"""The numbers of the server that docs/server.md promises, one by one.

| number | of |
|---|---|
| 5 s | for which control is kept for a holder who lost the connection |
| 10 s | without an answer, after which control may be taken over |
| 0.5 s | for which a held deadman counts as driving |
| 64 KiB, 64 values | of a message, of a list in a reading |
| 8 MiB | that may wait for a page before it is given up |
| 0.3 s | without a frame until a cell is called silent |
| 1000 a second, 1000 at once, 4 KiB each | messages of a client |
| 1 s | above that until it is closed, with code 4429 |
| 5 s | to greet, to send a whole request |
| 64, 32 of one address | sockets that have not greeted |
| 256 | connections; pages, of which 16 places are kept for who controls or controlled a robot |
| 10 in 60 s | wrong tokens of one address |
| 1 s | between two Stops of one viewer while all is stopped |
| 10 min | for which who was sent away stays out |
| 3 s | to confirm a spoken motion |
| 100 ms | without a reading that are a break of its sender |
| 60 s | between two lines of the terminal on one kind of bad request |
| 10 s | without an answer to a ping |
| 5 s, 10 looks | without a sign of life until a process is killed |
| 5 ends within 30 s, 60 s | until a process is not restarted at once, and until it is tried again |
| 0.5 s | between two checkpoints of a cell |
| 2 mm | by which an added object may be inside another |
"""

from __future__ import annotations

import pytest
from starlette.applications import Starlette

from farhand.server.cell_process import live_cell as cell_process
from farhand.server.gateway import (
    confirmation,
    decoding,
    gateway_state,
    http_protocols,
    message_limit,
    page_socket,
    shown_text,
    terminal_log,
    viewer,
    wrong_tokens,
)
from farhand.server.gateway import gateway_process as gateway
from farhand.server.gateway.hub import cell_hub as hub
from farhand.server.gateway.hub import stop_limit
from farhand.server.gateway.lease import FREE, ask, expire, gone, may_take, restored
from farhand.server.lifecycle import standby
from farhand.server.protocol import close_codes
from farhand.server.supervisor import child_process
from farhand.world import placing

JUST = 1e-9  # a little more, or less


# ── Control ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("away", "holder"), [(5.0 - JUST, 1), (5.0, None)])
def test_control_is_kept_for_five_seconds(away: float, holder: int | None) -> None:
    assert expire(gone(ask(FREE, 1, 0.0), 1, 0.0), away).holder == holder
    assert expire(restored(1, 3, 0.0), away).holder == holder


@pytest.mark.parametrize(("waited", "may"), [(10.0 - JUST, False), (10.0, True)])
def test_control_may_be_taken_after_ten_seconds_without_an_answer(waited: float, *, may: bool) -> None:
    lease = ask(ask(FREE, 1, 0.0), 2, 0.0)
    assert may_take(lease, 2, waited, driving=False) == may


# ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_message_has_at_most_64_kib_and_a_list_in_it_64_values() -> None:
    assert decoding.MAX_MESSAGE_BYTES == 65536
    assert decoding.MAX_VALUES == 64


def test_a_page_is_given_up_with_8_mib_waiting_for_it() -> None:
    assert viewer.MAX_BYTES == 8388608
    assert viewer.SAMPLES_BYTES == 1048576


def test_a_client_may_send_1000_messages_a_second_and_1000_at_once() -> None:
    now = [0.0]
    limit = message_limit.MessageLimit(lambda: now[0])
    assert not any(limit.count(4095) for _ in range(1000))
    now[0] = 1.0
    assert not any(limit.count(4095) for _ in range(1000))
    assert limit.count(4095)


def test_a_message_counts_once_for_each_4_kib() -> None:
    limit = message_limit.MessageLimit(lambda: 0.0)
    assert not any(limit.count(4096) for _ in range(500))
    assert limit.count(0)


def test_who_stays_above_the_limit_for_a_second_is_closed() -> None:
    now = [0.0]
    limit = message_limit.MessageLimit(lambda: now[0])
    assert [limit.count(0) for _ in range(1001)] == [False] * 1000 + [True]
    for now[0] in (0.05 * i for i in range(1, 20)):
        assert all([limit.count(0) for _ in range(60)])
    now[0] = 1.0 - JUST
    assert limit.count(4096 * 60)
    now[0] = 1.0
    with pytest.raises(message_limit.FloodError):
        limit.count(0)
    assert close_codes.TOO_MANY_MESSAGES == page_socket.FLOOD.code == 4429


def test_who_came_back_under_the_limit_begins_anew() -> None:
    now = [0.0]
    limit = message_limit.MessageLimit(lambda: now[0])
    assert [limit.count(0) for _ in range(1001)][-1]
    now[0] = 0.1 - JUST  # 1001 less 100: still above the calm level of 900
    assert limit.count(0)
    now[0] = 0.2
    assert not limit.count(0)


def test_places_at_the_server_are_as_documented() -> None:
    assert (page_socket.GREETING_S, http_protocols.HEADER_S, http_protocols.MAX_HTTP) == (5.0, 5.0, 256)
    assert (page_socket.MAX_PAGES, page_socket.KEPT_PLACES) == (256, 16)
    assert (page_socket.MAX_UNGREETED, page_socket.UNGREETED_PER_ADDRESS) == (64, 32)
    assert (wrong_tokens.MAX_TRIES, wrong_tokens.WAIT_S) == (10, 60.0)
    assert (stop_limit.EVERY_S, gateway_state.BARRED_S, shown_text.NAME_LENGTH) == (1.0, 600.0, 64)


def test_a_spoken_motion_is_confirmed_within_three_seconds() -> None:
    assert confirmation.CONFIRM_S == 3.0


def test_a_sender_has_a_break_after_100_ms_and_pages_answer_pings_within_10_s() -> None:
    assert gateway.BREAK_MS == 100
    assert gateway._config(Starlette(), lambda _kind, _text: None).ws_ping_timeout == 10.0


def test_the_terminal_tells_of_each_kind_of_bad_request_once_a_minute() -> None:
    assert terminal_log.EVERY_S == 60.0


# ── Processes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_process_without_a_sign_of_life_for_five_seconds_is_killed() -> None:
    assert (standby.HUNG_CHECKS, standby.CHECK_S) == (10, 0.5)


def test_a_process_that_ends_five_times_within_30_s_is_tried_again_every_minute() -> None:
    assert (child_process.MAX_ENDS, child_process.WINDOW_S, child_process.RETRY_S) == (5, 30.0, 60.0)


def test_a_cells_world_is_kept_twice_a_second() -> None:
    assert cell_process.CHECKPOINT_S == 0.5


def test_an_added_object_is_at_most_2_mm_inside_another() -> None:
    assert placing.DEEP == 0.002


def test_a_cell_is_silent_after_300_ms_without_a_frame() -> None:
    assert hub.SILENT_S == 0.3
