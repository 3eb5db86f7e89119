"""The gateway's process: the page, its sockets, who may do what, and the fan-out to viewers. No physics."""
