"""A gateway with a recogniser whose result a test sets."""

from __future__ import annotations

import asyncio

from gateways import CELL, GATEWAY, Clock, Gateway, Page, RecordingLink, a_robot, a_scene, no_mesh, settle
from msgspec.structs import replace

from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.speech import SpeechError
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Confirm, MappingInfo, Speech, SpeechResult
from farhand.voice.speech_messages import Verdict

__all__ = ["PCM", "FakeRecogniser", "SpeechGateway", "heard"]

PCM = bytes(16_000)


class FakeRecogniser:
    """A recogniser that returns the phrase that a test sets, once the test permits it."""

    def __init__(self) -> None:
        self.phrase = ""
        self.problem = ""
        self.prepared = 0
        self.heard: list[bytes] = []
        self.free = asyncio.Event()
        self.free.set()

    def prepare(self) -> None:
        self.prepared += 1

    async def hear(self, pcm: bytes) -> Verdict:
        self.heard.append(pcm)
        await self.free.wait()
        if self.problem:
            raise SpeechError(self.problem)
        return Verdict(self.phrase)


class SpeechGateway(Gateway):
    """A gateway that listens."""

    def __init__(self) -> None:
        super().__init__()
        self.link, self.clock, self.recogniser = RecordingLink(), Clock(), FakeRecogniser()
        self.state = GatewayState([CELL], self.link, GATEWAY, no_mesh, self.clock, recogniser=self.recogniser)
        ways = tuple(MappingInfo(name=name, kind="", feel="", axes=("x",)) for name in ("base axes", "tool axes"))
        led = MappingInfo(name="pointer", kind="", feel="")
        robot = replace(a_robot(), mappings=(*ways, led), scales=(2.0, 1.0, 0.5, 0.2), speeds=(0.1, 0.5, 1.0))
        self.start(a_scene(robot))

    async def say(self, viewer: Viewer, phrase: str, pcm: bytes = PCM, id_: int = 5) -> None:
        self.recogniser.phrase = phrase
        self.state.take(viewer, Speech(id=id_, robot="arm", pcm=pcm[:9000]))
        self.state.take(viewer, Speech(id=id_, robot="arm", pcm=pcm[9000:], last=True))
        await settle()

    def confirm(self, viewer: Viewer, id_: int = 5) -> None:
        self.state.take(viewer, Confirm(id=id_))


def heard(page: Page) -> SpeechResult:
    return page.last(SpeechResult)
