"""The supervisor: starts, watches and restarts the gateway and the cells, and ends all of them when it ends."""
