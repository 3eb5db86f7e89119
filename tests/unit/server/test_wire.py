"""The page and the cell speak the same messages."""

from paths import ROOT

from farhand.server.protocol.typescript import wire_text

WIRE = ROOT / "web" / "src" / "wire.gen.ts"


def test_the_page_has_the_messages_of_this_version() -> None:
    assert WIRE.read_text(encoding="utf-8") == wire_text(), "web/src/wire.gen.ts is out of date: run make wire"
