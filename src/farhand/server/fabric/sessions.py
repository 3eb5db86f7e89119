"""The Zenoh sessions of a server, and the keys of their channels.

On one machine the session runs over a Unix socket in a private folder: no ports to clash, no access for other users.
Where there are no Unix sockets it runs over loopback TCP with a secret (see `address`). The gateway listens; cells
connect, and retry until they can. A session opens even if no gateway answers, so a cell greets the gateway before it
starts. Zenoh is never the watchdog: the cell's own clock is.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import zenoh

from farhand.server.fabric.address import read_address
from farhand.server.fabric.typed_channel import TypedChannel

__all__ = [
    "Pass",
    "answers",
    "checkpoint",
    "down",
    "feel",
    "felt",
    "frames",
    "greeting",
    "hands",
    "log",
    "mesh",
    "open_door",
    "open_fabric",
    "open_way",
    "orders",
    "scene",
    "up",
]

LEASE_MS = 400  # after which a silent peer counts as gone; Zenoh's default is 10 s
CELLS = "cells"  # login of a server's own cells, where they connect by TCP
ACCEPT_MS = 5000  # within which a remote master must have shown its login and secret


class Pass(msgspec.Struct, frozen=True):
    """Credentials of one remote master: the port for masters, and a login and a secret of its own."""

    port: int
    guest: str
    secret: str


def open_fabric(folder: Path, *, listen: bool) -> Any:
    """Open a Zenoh session: the gateway's, which listens, or a cell's, which connects as soon as it can."""
    address = read_address(folder)
    TypedChannel.secret = bytes.fromhex(address.secret)
    if listen:
        auth = _accepted(folder / "cells", {CELLS: address.secret}) if address.secret else None
        return _open(listen=address.endpoint, auth=auth)
    connect = {"endpoints": [address.endpoint], "timeout_ms": -1, "exit_on_failure": False}
    return _open(
        connect=connect, auth={"usrpwd": {"user": CELLS, "password": address.secret}} if address.secret else None
    )


def open_door(host: str, port: int, guests: Mapping[str, str], folder: Path, sessions: int) -> Any:
    """Open a session apart from the fabric, at which masters on other machines connect.

    Each master writes and reads its own keys only.

    Args:
        host: Address to listen at.
        port: Port to listen at.
        guests: Secrets by login; Zenoh accepts no further ones later.
        folder: Private folder, into which logins and secrets are written.
        sessions: Most sessions at a time.
    """
    auth = _accepted(folder / "door", guests)
    unicast = {"max_sessions": sessions, "accept_pending": sessions, "accept_timeout": ACCEPT_MS}
    return _open(listen=_tcp(host, port), auth=auth, access=_access(guests), unicast=unicast)


def _accepted(file: Path, logins: Mapping[str, str]) -> dict[str, Any]:
    """Return Zenoh's settings for a listener that accepts only these logins, and write them to a file.

    The other end proves that it knows its secret without sending it. The listener's own password is never used.
    """
    file.touch(mode=0o600)
    file.write_text("".join(f"{login}:{secret}\n" for login, secret in logins.items()))
    return {"usrpwd": {"user": "gateway", "password": secrets.token_hex(), "dictionary_file": str(file)}}


def _access(guests: Collection[str]) -> dict[str, Any]:
    """Return Zenoh's access rules for masters: a message that no rule allows is not passed on, in either direction."""
    rules = [_rule("all learn of the gateway's subscription", "egress", "declare_subscriber", up("*"))]
    policies = []
    for guest in guests:
        own = [
            _rule(f"{guest} sends", "ingress", "put", up(guest)),
            _rule(f"{guest} subscribes", "ingress", "declare_subscriber", down(guest), felt(guest)),
            _rule(f"{guest} receives", "egress", "put", down(guest), felt(guest)),
        ]
        policies.append({"subjects": [guest], "rules": [rule["id"] for rule in (rules[0], *own)]})
        rules += own
    subjects = [{"id": guest, "usernames": [guest]} for guest in guests]
    return {"enabled": True, "default_permission": "deny", "rules": rules, "subjects": subjects, "policies": policies}


def _rule(name: str, flow: str, message: str, *keys: str) -> dict[str, Any]:
    return {"id": name, "permission": "allow", "flows": [flow], "messages": [message], "key_exprs": list(keys)}


def open_way(host: str, port: int, guest: str, secret: str) -> Any:
    """Open a master's session with a server.

    Raises:
        zenoh.ZError: If no server answers, or it rejects the login.
    """
    connect = {"endpoints": [_tcp(host, port)], "timeout_ms": 2000, "exit_on_failure": True}
    return _open(connect=connect, auth={"usrpwd": {"user": guest, "password": secret}})


def _tcp(host: str, port: int) -> str:
    return f"tcp/{f'[{host}]' if ':' in host else host}:{port}"


def _open(
    listen: str = "",
    connect: dict[str, Any] | None = None,
    auth: dict[str, Any] | None = None,
    access: dict[str, Any] | None = None,
    unicast: dict[str, Any] | None = None,
) -> Any:
    retry = {"period_init_ms": 100, "period_max_ms": 300, "period_increase_factor": 1.5}
    config = {
        "mode": "peer",
        "scouting": {"multicast": {"enabled": False}, "gossip": {"enabled": False}},
        "listen": {"endpoints": [listen] if listen else []},
        "connect": {"endpoints": [], **(connect or {}), "retry": retry},
        "transport": {
            "link": {"tx": {"lease": LEASE_MS, "keep_alive": 4}},
            "auth": auth or {},
            "unicast": unicast or {},
        },
        "access_control": access or {"enabled": False},
    }
    zenoh.init_log_from_env_or("off")
    return zenoh.open(zenoh.Config.from_json5(json.dumps(config)))


def _part(name: str) -> str:
    """Return a name, which may have any characters, as one part of a Zenoh key."""
    return quote(name, safe="")


def frames(cell: str) -> str:
    """Return the key of a cell's frames."""
    return f"farhand/cell/{_part(cell)}/frame"


def answers(cell: str) -> str:
    """Return the key of a cell's answers to orders."""
    return f"farhand/cell/{_part(cell)}/done"


def orders(cell: str) -> str:
    """Return the key of the orders to a cell."""
    return f"farhand/cell/{_part(cell)}/order"


def hands(cell: str, master: str) -> str:
    """Return the key of a master's readings."""
    return f"farhand/cell/{_part(cell)}/hand/{_part(master)}"


def scene(cell: str) -> str:
    """Return the key at which a cell answers queries for its scene."""
    return f"farhand/cell/{_part(cell)}/scene"


def mesh(cell: str, name: str) -> str:
    """Return the key at which a cell answers queries for one of its meshes."""
    return f"farhand/cell/{_part(cell)}/mesh/{name}"  # a hash, or "*" for all of them


def log(cell: str) -> str:
    """Return the key at which a cell answers queries for its log from a number on."""
    return f"farhand/cell/{_part(cell)}/log"


def checkpoint(cell: str) -> str:
    """Return the key of a cell's checkpoints."""
    return f"farhand/cell/{_part(cell)}/checkpoint"


def greeting(cell: str) -> str:
    """Return the key at which the gateway answers a cell that starts."""
    return f"farhand/gateway/greeting/{_part(cell)}"


def feel(cell: str, master: str) -> str:
    """Return the key of the feedback to a master, one message per tick."""
    return f"farhand/cell/{_part(cell)}/feel/{_part(master)}"


def up(guest: str) -> str:
    """Return the key of messages from a remote master; "*" for all of them."""
    return f"farhand/door/{guest}/up"


def down(guest: str) -> str:
    """Return the key of messages to a remote master."""
    return f"farhand/door/{guest}/down"


def felt(guest: str) -> str:
    """Return the key of the force feedback to a remote master."""
    return f"farhand/door/{guest}/felt"
