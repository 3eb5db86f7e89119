"""Processes, messages and the operator page: the only package with sockets and asyncio."""

from farhand.extras import require_extra

require_extra("server", "farhand.server needs the server's packages")
