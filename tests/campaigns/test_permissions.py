"""A server of a user who is not root; and other users of the same machine, who get nothing of it.

Nightly, as root: only root can act as another user.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from servers import LiveServer, OtherUser, drive_until, make_ready, turned

import farhand
from farhand.client.client import Client
from farhand.kernels import cache_folder
from farhand.types import SelectMapping

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")

OWNER, STRANGER = "nobody", "daemon"
TURN = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def nobody(tmp_path: Path) -> Iterator[OtherUser]:
    """A user with an own home and no rights; skips where no Python of this version is readable for others."""
    entry = pwd.getpwnam(OWNER)
    home = Path("/tmp") / f"farhand-home-{tmp_path.name}-{os.getpid()}"
    kernels = home / "cache" / "kernels" / cache_folder().name
    shutil.copytree(cache_folder(), kernels)
    for path in (home, *home.rglob("*")):
        os.chown(path, entry.pw_uid, entry.pw_gid)
    packages = (Path(farhand.__file__).parents[1], sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    environment = {
        "HOME": str(home),
        "FARHAND_CACHE": str(home / "cache"),
        "FARHAND_DATA": str(home / "data"),
        "PYTHONPATH": os.pathsep.join(map(str, packages)),
    }
    try:
        for python in (os.path.realpath(sys.executable), f"/usr/bin/python3.{sys.version_info.minor}"):
            user = OtherUser(entry.pw_uid, entry.pw_gid, python, environment)
            if _can_run(user):
                yield user
                return
        pytest.skip(f"the user {OWNER} can run no Python 3.{sys.version_info.minor} with the packages of this one")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _can_run(user: OtherUser) -> bool:
    try:
        command = [user.python, "-P", "-c", "import farhand.cli"]
        return not subprocess.run(
            command, env=user.environment, user=user.uid, group=user.gid, cwd="/", capture_output=True, check=False
        ).returncode
    except OSError:
        return False


@contextmanager
def acting_as(name: str) -> Iterator[None]:
    os.seteuid(pwd.getpwnam(name).pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)


def _shut_out(server: LiveServer) -> None:
    """Check that a stranger gets neither into the private folder nor to a socket in it."""
    (private,) = server.private_folders
    inside = list(private.rglob("*"))
    sockets = [path for path in inside if stat.S_ISSOCK(path.stat().st_mode)]
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert sockets
    server.folder.chmod(0o755)  # a stranger gets as far as the private folder itself
    with acting_as(STRANGER):
        with pytest.raises(PermissionError):
            list(private.iterdir())
        for path in sockets:
            with socket.socket(socket.AF_UNIX) as link, pytest.raises(PermissionError):
                link.connect(str(path))


def test_a_user_without_rights_runs_a_server_and_others_are_shut_out(nobody: OtherUser) -> None:
    with LiveServer("irb120", user=nobody) as server:
        assert {Path(f"/proc/{process.pid}").stat().st_uid for process in server.alive} == {nobody.uid}
        (private,) = server.private_folders
        assert {path.stat().st_uid for path in (private, *private.rglob("*"))} == {nobody.uid}
        _shut_out(server)
        with Client(server.address) as page:
            make_ready(page)
            assert page.command(SelectMapping("arm", "joints")).ok
            drive_until(page, lambda update: turned(update) > 0.05, TURN)
        assert "Traceback" not in server.complained
        server.process.send_signal(signal.SIGINT)
        server.wait_for_nobody()
        assert server.private_folders == []


def test_others_are_shut_out_of_roots_server() -> None:
    with LiveServer("irb120") as server:
        _shut_out(server)
