"""The gateway's edge: whatever comes from a page is a typed message, or refused with a sentence."""

import gc
import tracemalloc
from typing import get_args

import msgspec
import pytest
from frames import EVENTS, HELLO, READING, TOKEN, Spoiler, messages
from gateways import CELL, Clock, Nowhere, RecordingLink, a_scene, frame, is_anybodys, no_mesh

from farhand.server.gateway import decoding
from farhand.server.gateway.decoding import (
    MAX_MESSAGE_BYTES,
    BadMessageError,
    LinkTokens,
    decode,
    decode_greeting,
    origin_problem,
    token_problem,
)
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Done
from farhand.server.protocol.messages import Ask, Command, FromPage, Hand, Hello, Ping, Refuse, Watch
from farhand.server.protocol.typescript import wire
from farhand.types import Event, Stop

encode = msgspec.msgpack.Encoder().encode


# ── One frame ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_corpus_has_every_message_and_every_event() -> None:
    assert {type(message) for message in messages(CELL)} == set(get_args(FromPage))
    assert {type(event) for event in EVENTS} == set(get_args(Event))


@pytest.mark.parametrize("message", messages(CELL), ids=lambda m: type(getattr(m, "event", m)).__name__)
def test_a_good_message_comes_through_as_it_was(message: FromPage) -> None:
    assert decode(encode(message)) == message


def nested(depth: int) -> bytes:
    return b"\x91" * depth + b"\xc0"


HAND = {"type": "Hand", "robot": "arm", "reading": {}}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Stop", "expected a binary frame, found a text frame"),
        (b"", "not a message"),
        (b"\xc1", "not a message"),
        (
            bytes(MAX_MESSAGE_BYTES + 1),
            f"expected a message of at most {MAX_MESSAGE_BYTES} bytes, found {MAX_MESSAGE_BYTES + 1}",
        ),
        (encode([1, 2]), "not a message: Expected `object`"),
        (encode({"id": 1}), "missing required field `type`"),
        (encode({"type": "Sudo", "id": 1}), "Invalid value 'Sudo'"),
        (encode({"type": "Update", "tick": 1}), "Invalid value 'Update'"),
        (encode({"type": 3, "id": 1}), "Expected `str`"),
        (encode({"type": "Ping", "id": -1}), "Expected `int` >= 0"),
        (encode({"type": "Ping", "id": 2**53}), "Expected `int` <= 9007199254740991"),
        (encode({"type": "Ping", "id": 1.5}), "Expected `int`"),
        (encode({"type": "Ping", "id": "1"}), "Expected `int`"),
        (encode({"type": "Ping"}), "missing required field `id`"),
        (encode({"type": "Ping", "id": 1, "sudo": True}), "unknown field `sudo`"),
        (encode({"type": "Ask", "robot": "a" * 65}), "length <= 64"),
        (encode({"type": "Listen", "signals": ["a"] * 17}), "length <= 16"),
        (encode({"type": "Listen", "signals": ["a" * 129]}), "length <= 128"),
        (encode({"type": "Command", "id": 1, "event": {"type": "Format"}}), "Invalid value 'Format'"),
        (encode({"type": "Command", "id": 1, "event": {"type": "Load", "robot": "arm", "force": [1.0]}}), "length 3"),
        (encode({**HAND, "reading": {"axes": "left"}}), "Expected `array`"),
        (encode({**HAND, "reading": {"deadman": 1}}), "Expected `bool`"),
        (encode({**HAND, "reading": {"sequence": 2**64 - 1, "axes": [None]}}), "Expected `float`"),
        (encode({**HAND, "reading": {"axes": [0.0] * 65}}), "a reading has at most 64 axes, joints and buttons"),
        (encode({**HAND, "reading": {"joints": [0.0] * 65}}), "a reading has at most 64 axes, joints and buttons"),
        (encode({**HAND, "reading": {"presses": {str(i): 1 for i in range(65)}}}), "a reading has at most 64 axes"),
        (encode({**HAND, "reading": nested(3)}), "Expected `object`"),
        (nested(MAX_MESSAGE_BYTES - 1), "not a message"),
        (b"\x82\xa4type\xa4Ping\xa2id" + nested(MAX_MESSAGE_BYTES - 100), "not a message"),
        (
            encode(HAND)[:-1] + b"\x81\xa1x" + nested(MAX_MESSAGE_BYTES - 100),
            "not a message",
        ),  # deep in a field nobody knows
        (b"\x81\xa4type\xa2\xff\xfe", "not a message"),  # no text in a text
        (b"\xdf\xff\xff\xff\xff", "not a message"),  # says that it has four thousand million fields
        (b"\xc6\xff\xff\xff\xff", "not a message"),
        (encode(Ping(id=1)) + b"\xc0", "not a message"),
    ],
)
def test_what_is_no_message_is_refused_with_a_sentence(content: bytes | str, words: str) -> None:
    with pytest.raises(BadMessageError) as caught:
        decode(content)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300  # it goes back to the page


# ── The greeting ─────────────────────────────────────────────────────────────────────────────────────────────────


def greeting(**changes: object) -> bytes:
    plain = {"type": "Hello", "wire": wire(), "token": TOKEN, "client": "client-of-the-tests", "name": "Ada"}
    return encode({**plain, **changes})


def test_a_good_greeting_is_let_in() -> None:
    assert decode_greeting(greeting(), KEYS) == HELLO


KEYS = LinkTokens(TOKEN)
NO_GREETING = "The first message must be a greeting."
OTHER_VERSION = "This page is from another version of Farhand than the server. Reload it."
NO_TOKEN = "This link has expired or is incomplete: use the one Farhand printed."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Hello", NO_GREETING),
        (b"", NO_GREETING),
        (b"\xc1", NO_GREETING),
        (bytes(MAX_MESSAGE_BYTES + 1), NO_GREETING),
        (nested(MAX_MESSAGE_BYTES), NO_GREETING),
        (encode([HELLO]), NO_GREETING),
        (encode({"type": ["Hello"]}), NO_GREETING),
        (b"\x81\x80\x01", NO_GREETING),  # a map whose key is a map
        (encode(Ping(id=1)), NO_GREETING),
        (encode(Hand(robot="arm", reading=READING)), NO_GREETING),
        (greeting(wire="0" * 64), OTHER_VERSION),
        (greeting(wire=None), OTHER_VERSION),
        (encode({"type": "Hello", "version": 7}), OTHER_VERSION),  # another shape altogether
        (greeting(token=""), NO_TOKEN),
        (greeting(token=TOKEN[:-1]), NO_TOKEN),
        (greeting(token=TOKEN + " "), NO_TOKEN),
        (greeting(token=TOKEN.upper()), NO_TOKEN),
        (greeting(token="ü" * 20), NO_TOKEN),
        (greeting(token=7), "The greeting is not valid: not a message: Expected `str`"),
        (greeting(token="x" * 129), "The greeting is not valid: not a message: Expected `str` of length"),
        (greeting(client="short"), "The greeting is not valid"),
        (greeting(client="<script>alert(1)</script>"), "The greeting is not valid"),
        (greeting(name="x" * 65), "The greeting is not valid"),
        (greeting(admin=True), "The greeting is not valid: not a message: Object contains unknown field"),
    ],
)
def test_other_greetings_are_refused_with_a_sentence(content: bytes | str, words: str) -> None:
    answer = decode_greeting(content, KEYS)
    assert isinstance(answer, str)
    assert answer.startswith(words)


def test_a_greeting_that_names_two_types_is_not_trusted() -> None:
    both = b"\x84" + encode("type") + encode("Ping") + encode("id") + encode(1)
    both += encode("type") + encode("Hello") + encode("wire") + encode(wire())
    assert isinstance(decode_greeting(both, KEYS), str)


def test_without_a_token_nobody_gets_in_by_giving_none() -> None:
    assert token_problem("", "") == ""  # so the server must never have an empty one
    assert token_problem("", TOKEN) == NO_TOKEN


# ── Where a page comes from ──────────────────────────────────────────────────────────────────────────────────────

HERE = "127.0.0.1:8090"


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8090", HERE),
        ("http://localhost:8090", "localhost:8090"),
        ("http://[::1]:8090", "[::1]:8090"),
        (None, HERE),  # a program; it needs the token all the same
    ],
)
def test_our_own_page_may_connect(origin: str | None, host: str) -> None:
    assert origin_problem(origin, host, loopback=True) == ""


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example", HERE),
        ("http://evil.example:8090", HERE),
        ("http://127.0.0.1:8091", HERE),  # another program on this machine
        ("http://127.0.0.1", HERE),
        ("http://localhost:8090", HERE),
        ("null", HERE),
        ("", HERE),
        ("file://", HERE),
        ("http://127.0.0.1:8090.evil.example", HERE),
        ("http://evil.example/127.0.0.1:8090", HERE),
        ("http://127.0.0.1:8090@evil.example", HERE),
        ("http://[", HERE),
        ("http://[::1", HERE),
        ("http://evil.example", "evil.example"),  # a name made to point at this machine
        ("http://evil.example:8090", "evil.example:8090"),
        ("http://127.0.0.1.evil.example", "127.0.0.1.evil.example"),
        (None, "evil.example:8090"),
        (None, "[::1"),
        (None, "["),
        (None, ""),
        (None, None),
        ("http://\u2100", HERE),
        (None, "\u2100"),  # a letter that spells a slash
    ],
)
def test_other_pages_may_not(origin: str | None, host: str | None) -> None:
    assert origin_problem(origin, host, loopback=True)


@pytest.mark.parametrize(("origin", "let"), [("http://lab.example:8090", True), ("http://evil.example", False)])
def test_a_server_for_others_goes_by_the_name_it_is_called(origin: str, let: bool) -> None:
    assert (origin_problem(origin, "lab.example:8090", loopback=False) == "") == let


def test_a_long_origin_is_not_repeated_at_length() -> None:
    assert len(origin_problem("http://" + "x" * 9999, HERE, loopback=True)) < 200
    assert len(origin_problem(None, "x" * 9999, loopback=True)) < 200


# ── Hundreds of thousands of frames ──────────────────────────────────────────────────────────────────────────────


class Onlooker(Viewer):
    """A viewer whose messages are only counted."""

    told = 0

    def tell_bytes(self, content: bytes) -> None:
        self.told += bool(content)


class Storm:
    """A page without control that sends spoiled frames, beside a holder who refuses all requests for control."""

    def __init__(self, seed: int) -> None:
        self.clock, self.link = Clock(), RecordingLink()
        self.state = GatewayState([CELL], self.link, 1, no_mesh, self.clock)
        self.hub = self.state.hubs[CELL]
        self.hub.take_frame(frame())
        self.hub.take_scene(a_scene())
        self.holder, self.stranger = self.visitor(1), self.visitor(2)
        self.state.take(self.holder, Ask(robot="arm"))
        assert self.hub.control.holds(self.holder, "arm")
        self.spoil = Spoiler(seed, messages(CELL))
        self.understood: dict[type, int] = {}
        self.refused = 0

    def visitor(self, number: int) -> Onlooker:
        viewer = Onlooker(number, f"Guest {number}", Nowhere(), encode)
        self.state._viewers[number] = (viewer, None)  # type: ignore[assignment] # nothing ends here
        self.state.take(viewer, Watch(cell=CELL))
        return viewer

    def blow(self, frames: int) -> None:
        for i in range(frames):
            self.clock.now += 0.001
            self.take(self.spoil())
            if i % 50 == 0:
                self.state.sweep()
            if i % 1000 == 0:
                self.live_on()

    def take(self, content: bytes) -> None:
        try:
            message = decoding.decode(content)
        except BadMessageError as error:
            self.refused += 1
            self.state.misunderstood(self.stranger, str(error))
            return
        self.understood[type(message)] = self.understood.get(type(message), 0) + 1
        self.state.take(self.stranger, message)

    def live_on(self) -> None:
        """Check the messages that reached the link, answer them, and let the other viewers act."""
        assert self.link.hands == []
        assert all(is_anybodys(what) for what in self.link.events)
        for order in self.link.orders:
            assert not isinstance(order.content, Stop) or order.content == Stop(by="Guest 2")
            self.hub.take_done(Done(gateway=1, number=order.number))
        self.link.orders.clear()
        self.state.take(self.holder, Refuse(robot="arm", viewer=2))
        self.hub.take_frame(frame(tick=round(self.clock.now * 1000)))

    def size(self) -> int:
        """Return how much the gateway keeps."""
        hub, control = self.hub, self.hub.control
        held = (hub._orders._pending, hub.journal._entries, control._names, control._leases, control._driving)
        kept = (hub.viewers, self.state._clients, self.state._complained, self.state._viewers)
        return sum(len(part) for part in (*held, *kept)) + len(control._leases["arm"].askers)


def test_spoiled_frames_change_nothing_and_leave_nothing() -> None:
    storm = Storm(seed=20)
    storm.blow(160_000)
    before = storm.size()
    gc.collect()
    tracemalloc.start()
    storm.blow(10_000)
    gc.collect()
    start = tracemalloc.get_traced_memory()[0]
    storm.blow(40_000)
    storm.live_on()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - start
    tracemalloc.stop()
    assert storm.refused > 100_000
    assert {kind for kind, count in storm.understood.items() if count > 100} == set(get_args(FromPage))
    assert storm.hub.control._leases["arm"].holder == 1
    assert storm.hub.control._leases["arm"].epoch == 1
    assert storm.size() <= before + 1000  # orders of the last second that wait for an answer
    assert grown < 300_000
    assert storm.stranger.told < 200_000  # a flood of nonsense is not answered one by one


def test_spoiled_greetings_let_nobody_in() -> None:
    spoil = Spoiler(21, (HELLO,))
    let_in = []
    for _ in range(40_000):
        answer = decode_greeting(spoil(), KEYS)
        if isinstance(answer, Hello):
            let_in.append(answer)
    assert let_in
    assert all(hello.token == TOKEN and hello.wire == wire() for hello in let_in)


def test_stop_passes_and_nothing_else_does() -> None:
    storm = Storm(seed=22)
    for i, event in enumerate(EVENTS):
        storm.take(encode(Command(id=i, event=event)))
    assert storm.link.events == [Stop(by="Guest 2")]
