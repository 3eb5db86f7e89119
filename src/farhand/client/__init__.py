"""Drive a running server from a program: a client, a remote master, and a server of your own to test against.

::

    from farhand.client import Client, running_server

    with running_server("irb120") as server, Client(server.address) as client:
        client.take_control()
"""

from farhand.extras import has_extra, require_extra

try:
    from farhand.client.client import Client
    from farhand.client.connection import LinkError, MasterConnection
    from farhand.client.joining import JoinedMaster, join
    from farhand.client.servers import RunningServer, running_server
    from farhand.client.standalone_pictures import StandalonePictures
except ModuleNotFoundError:
    if has_extra("server"):
        raise
    require_extra("server", "farhand.client needs the server's packages")

__all__ = [
    "Client",
    "JoinedMaster",
    "LinkError",
    "MasterConnection",
    "RunningServer",
    "StandalonePictures",
    "join",
    "running_server",
]
