"""Processes, messages and the operator page: the only package with sockets and asyncio."""
