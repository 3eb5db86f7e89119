"""Remote masters: each reads and writes its own messages only, in real Zenoh sessions."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zenoh
from frames import HELLO, TOKEN
from gateways import CELL, Gateway, in_loop
from msgspec.structs import replace

from farhand.server.fabric import sessions
from farhand.server.fabric.sessions import MasterCredentials
from farhand.server.gateway import remote_masters as masters_module
from farhand.server.gateway.decoding import LinkTokens
from farhand.server.gateway.exam import FROM_THE_PAGE
from farhand.server.gateway.remote_masters import RemoteMasters
from farhand.server.protocol.messages import Answer, Ask, Command, FromPage, Refused, Scene, ToPage, Watch, Welcome
from farhand.types import ResetObjects, Stop

HERE, TRAINEE = "127.0.0.1", "a-token-of-a-trainee"
PATIENCE = 20.0  # seconds, for work that takes no time on an idle machine
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToPage] = msgspec.msgpack.Decoder(ToPage)


class Guest:
    """A remote master with a session of its own: its subscriptions, and the messages that came under each key."""

    def __init__(self, given: MasterCredentials, *keys: str) -> None:
        self.given = given
        self.heard: list[tuple[str, ToPage]] = []
        self.session = sessions.connect_master(HERE, given.port, given.login, given.secret)
        self._ears = [
            self.session.declare_subscriber(key, self._take) for key in (sessions.to_master_key(given.login), *keys)
        ]

    def _take(self, sample: Any) -> None:
        key = str(sample.key_expr)
        if key.endswith("/down"):  # its own messages come back too, if it subscribes to them
            self.heard.append((key, _decode.decode(sample.payload.to_bytes())))

    def say(self, message: FromPage, name: str = "") -> None:
        self.session.put(sessions.from_master_key(name or self.given.login), _encode(message))

    def got(self, kind: type[ToPage]) -> bool:
        return any(isinstance(message, kind) for _, message in self.heard)

    async def says_until(self, message: FromPage, true: Callable[[], bool]) -> None:
        """Send a message until it has an effect: messages before both ends have discovered each other are lost."""
        for _ in range(int(PATIENCE / 0.1)):
            self.say(message)
            await asyncio.sleep(0.1)
            if true():
                return
        raise AssertionError(f"{message} had no effect")


@contextmanager
def opened(gateway: Gateway, keys: LinkTokens) -> Iterator[RemoteMasters]:
    with tempfile.TemporaryDirectory() as folder:
        masters = RemoteMasters(gateway.state, None, keys, HERE, 0, Path(folder))
        try:
            yield masters
        finally:
            masters.close()


@in_loop
async def test_no_guest_hears_or_speaks_for_another() -> None:
    gateway, another = Gateway(), replace(HELLO, client="another-client-0123456789")
    gateway.start()
    with opened(gateway, LinkTokens(TOKEN)) as masters:
        first = Guest(masters.open())
        name = first.given.login
        spy = Guest(
            masters.open(),
            "**",
            "farhand/**",
            sessions.to_master_key("*"),
            sessions.to_master_key(name),
            sessions.from_master_key("*"),
        )
        try:
            await first.says_until(HELLO, lambda: first.got(Welcome))
            await spy.says_until(another, lambda: spy.got(Welcome))
            await first.says_until(Watch(cell=CELL), lambda: first.got(Scene))
            for key in (name, "*"):
                spy.say(Command(id=7, event=Stop()), key)
                spy.say(Command(id=8, event=ResetObjects()), key)
            spy.session.put(sessions.to_master_key(name), _encode(Refused(reason="A lie.")))
            # A later message has come, so a missing one was not forwarded.
            await spy.says_until(Watch(cell=CELL), lambda: spy.got(Scene))
            assert gateway.link.events == []
            assert not first.got(Refused)
            hers = [message for key, message in spy.heard if key == sessions.to_master_key(name)]
            assert [m for m in hers if not isinstance(m, Refused)] == []  # only the liar gets its own message
        finally:
            first.session.close()
            spy.session.close()


@in_loop
async def test_who_asks_for_control_before_choosing_a_cell_is_told_so_and_breaks_nothing() -> None:
    gateway, broken = Gateway(), list[str]()
    gateway.start()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: broken.append(str(context)))
    with opened(gateway, LinkTokens(TOKEN)) as masters:
        guest = Guest(masters.open())
        try:
            await guest.says_until(HELLO, lambda: guest.got(Welcome))
            await guest.says_until(Ask(robot="arm"), lambda: guest.got(Answer))
            await guest.says_until(Watch(cell=CELL), lambda: guest.got(Scene))
        finally:
            guest.session.close()
    assert broken == []


@in_loop
async def test_a_name_needs_its_own_secret() -> None:
    with opened(Gateway(), LinkTokens(TOKEN)) as masters:
        first, second = masters.open(), masters.open()
        assert first.port == second.port
        for guest, secret in ((first.login, second.secret), ("somebody", first.secret)):
            with pytest.raises(zenoh.ZError):
                sessions.connect_master(HERE, first.port, guest, secret)


@in_loop
async def test_names_are_given_in_turn_and_none_that_is_in_use() -> None:
    gateway = Gateway()
    with opened(gateway, LinkTokens(TOKEN)) as masters:
        guest = Guest(masters.open())
        try:
            await guest.says_until(HELLO, lambda: guest.got(Welcome))
            given = []
            for _ in range(2 * (masters_module.LOGINS - 1)):
                given.append(masters.open())
                guest.say(HELLO)  # it is still there
                await asyncio.sleep(0)
            half = masters_module.LOGINS - 1
            assert len({one.login for one in given[:half]}) == half
            assert given[:half] == given[half:]
            assert guest.given not in given
        finally:
            guest.session.close()


@in_loop
async def test_a_trainee_does_not_come_in_whatever_he_knows() -> None:
    gateway = Gateway()
    gateway.start()
    with opened(gateway, LinkTokens(TOKEN, TRAINEE)) as masters:
        guest = Guest(masters.open())
        try:
            await guest.says_until(replace(HELLO, token=TRAINEE), lambda: bool(guest.heard))
            assert {message for _, message in guest.heard} == {Refused(reason=FROM_THE_PAGE)}
            guest.heard.clear()
            await guest.says_until(Watch(cell=CELL), lambda: bool(guest.heard))
            assert all(isinstance(message, Refused) for _, message in guest.heard)
        finally:
            guest.session.close()
