"""The gateway's process: the page and its sockets, permissions, leases, and updates to all viewers. No physics."""
