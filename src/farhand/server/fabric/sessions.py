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
    "MasterCredentials",
    "answer_key",
    "checkpoint_key",
    "connect_master",
    "feedback_key",
    "frame_key",
    "from_master_key",
    "greeting_key",
    "log_key",
    "master_feedback_key",
    "mesh_key",
    "open_fabric",
    "open_master_port",
    "open_recorder",
    "order_key",
    "reading_key",
    "record_answer_key",
    "record_key",
    "recorder_news_key",
    "run_source_key",
    "scene_key",
    "to_master_key",
]

LEASE_MS = 400  # after which a silent peer counts as gone; Zenoh's default is 10 s
CELLS = "cells"  # login of a server's own cells, where they connect by TCP
ACCEPT_MS = 5000  # within which a remote master must have shown its login and secret


class MasterCredentials(msgspec.Struct, frozen=True):
    """Credentials of one remote master: the port for masters, and a login and a secret of its own."""

    port: int
    login: str
    secret: str


def open_fabric(folder: Path, *, listen: bool, record: bool = False) -> Any:
    """Open a Zenoh session: the gateway's, which listens, or a cell's, which connects as soon as it can.

    Args:
        folder: Private folder of the server.
        listen: It is the gateway's.
        record: Connect to the recorder too.
    """
    address = read_address(folder)
    TypedChannel.secret = bytes.fromhex(address.secret)
    if listen:
        auth = _accepted(folder / "cells", {CELLS: address.secret}) if address.secret else None
        return _open(listen=address.endpoint, auth=auth)
    endpoints = [address.endpoint, *([address.recorder] if record else [])]
    return _open(connect=_patiently(*endpoints), auth=_login(address.secret))


def open_recorder(folder: Path) -> Any:
    """Open the recorder's session: it listens for cells, and connects to the gateway.

    Cells reach it without the gateway, so recording goes on while the gateway restarts.
    """
    address = read_address(folder)
    TypedChannel.secret = bytes.fromhex(address.secret)
    auth = None
    if address.secret:
        accepted = _accepted(folder / "recorded", {CELLS: address.secret})["usrpwd"]
        auth = {"usrpwd": {**accepted, "user": CELLS, "password": address.secret}}
    return _open(listen=address.recorder, connect=_patiently(address.endpoint), auth=auth)


def _patiently(*endpoints: str) -> dict[str, Any]:
    """Return Zenoh's settings to connect to each endpoint as soon as it answers."""
    return {"endpoints": [*endpoints], "timeout_ms": -1, "exit_on_failure": False}


def _login(secret: str) -> dict[str, Any] | None:
    return {"usrpwd": {"user": CELLS, "password": secret}} if secret else None


def open_master_port(host: str, port: int, logins: Mapping[str, str], folder: Path, sessions: int) -> Any:
    """Open a session apart from the fabric, at which masters on other machines connect.

    Each master writes and reads its own keys only.

    Args:
        host: Address to listen at.
        port: Port to listen at.
        logins: Secrets by login; Zenoh accepts no further ones later.
        folder: Private folder, into which logins and secrets are written.
        sessions: Most sessions at a time.
    """
    auth = _accepted(folder / "masters", logins)
    unicast = {"max_sessions": sessions, "accept_pending": sessions, "accept_timeout": ACCEPT_MS}
    return _open(listen=_tcp(host, port), auth=auth, access=_access(logins), unicast=unicast)


def _accepted(file: Path, logins: Mapping[str, str]) -> dict[str, Any]:
    """Return Zenoh's settings for a listener that accepts only these logins, and write them to a file.

    The other end proves that it knows its secret without sending it. The listener's own password is never used.
    """
    file.touch(mode=0o600)
    file.write_text("".join(f"{login}:{secret}\n" for login, secret in logins.items()))
    return {"usrpwd": {"user": "gateway", "password": secrets.token_hex(), "dictionary_file": str(file)}}


def _access(logins: Collection[str]) -> dict[str, Any]:
    """Return Zenoh's access rules for masters: a message that no rule allows is not passed on, in either direction."""
    rules = [_rule("all learn of the gateway's subscription", "egress", "declare_subscriber", from_master_key("*"))]
    policies = []
    for login in logins:
        own = [
            _rule(f"{login} sends", "ingress", "put", from_master_key(login)),
            _rule(
                f"{login} subscribes", "ingress", "declare_subscriber", to_master_key(login), master_feedback_key(login)
            ),
            _rule(f"{login} receives", "egress", "put", to_master_key(login), master_feedback_key(login)),
        ]
        policies.append({"subjects": [login], "rules": [rule["id"] for rule in (rules[0], *own)]})
        rules += own
    subjects = [{"id": login, "usernames": [login]} for login in logins]
    return {"enabled": True, "default_permission": "deny", "rules": rules, "subjects": subjects, "policies": policies}


def _rule(name: str, flow: str, message: str, *keys: str) -> dict[str, Any]:
    return {"id": name, "permission": "allow", "flows": [flow], "messages": [message], "key_exprs": list(keys)}


def connect_master(host: str, port: int, login: str, secret: str) -> Any:
    """Open a master's session with a server.

    Raises:
        zenoh.ZError: If no server answers, or it rejects the login.
    """
    connect = {"endpoints": [_tcp(host, port)], "timeout_ms": 2000, "exit_on_failure": True}
    return _open(connect=connect, auth={"usrpwd": {"user": login, "password": secret}})


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


def frame_key(cell: str) -> str:
    """Return the key of a cell's frames."""
    return f"farhand/cell/{_part(cell)}/frame"


def answer_key(cell: str) -> str:
    """Return the key of a cell's answers to orders."""
    return f"farhand/cell/{_part(cell)}/done"


def order_key(cell: str) -> str:
    """Return the key of the orders to a cell."""
    return f"farhand/cell/{_part(cell)}/order"


def reading_key(cell: str, master: str) -> str:
    """Return the key of a master's readings."""
    return f"farhand/cell/{_part(cell)}/hand/{_part(master)}"


def scene_key(cell: str) -> str:
    """Return the key at which a cell answers queries for its scene."""
    return f"farhand/cell/{_part(cell)}/scene"


def mesh_key(cell: str, name: str) -> str:
    """Return the key at which a cell answers queries for one of its meshes."""
    return f"farhand/cell/{_part(cell)}/mesh/{name}"  # a hash, or "*" for all of them


def log_key(cell: str) -> str:
    """Return the key at which a cell answers queries for its log from a number on."""
    return f"farhand/cell/{_part(cell)}/log"


def checkpoint_key(cell: str) -> str:
    """Return the key of a cell's checkpoints."""
    return f"farhand/cell/{_part(cell)}/checkpoint"


def record_key(cell: str) -> str:
    """Return the key of a cell's batches for the recorder."""
    return f"farhand/cell/{_part(cell)}/record"


def record_answer_key(cell: str) -> str:
    """Return the key of the recorder's acknowledgements to a cell."""
    return f"farhand/recorder/safe/{_part(cell)}"


def run_source_key(cell: str) -> str:
    """Return the key at which a cell answers queries for the description of its run."""
    return f"farhand/cell/{_part(cell)}/run"


def recorder_news_key() -> str:
    """Return the key of the recorder's news for the gateway."""
    return "farhand/recorder/news"


def greeting_key(cell: str) -> str:
    """Return the key at which the gateway answers a cell that starts."""
    return f"farhand/gateway/greeting/{_part(cell)}"


def feedback_key(cell: str, master: str) -> str:
    """Return the key of the feedback to a master, one message per tick."""
    return f"farhand/cell/{_part(cell)}/feel/{_part(master)}"


def from_master_key(login: str) -> str:
    """Return the key of messages from a remote master; "*" for all of them."""
    return f"farhand/master/{login}/up"


def to_master_key(login: str) -> str:
    """Return the key of messages to a remote master."""
    return f"farhand/master/{login}/down"


def master_feedback_key(login: str) -> str:
    """Return the key of the force feedback to a remote master."""
    return f"farhand/master/{login}/felt"
