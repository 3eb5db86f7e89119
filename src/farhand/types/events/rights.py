"""The roles of people, and the rights that each role has."""

from __future__ import annotations

from typing import Literal

__all__ = ["GRANTS", "ROLES", "Grant", "Right", "Role"]

Right = Literal["stop", "drive", "reset", "task", "inside"]
"""Stop; drive a robot and choose how; clear a stop; set the task (change the world, its faults and the set-up); and
events that only the program itself sends."""
Role = Literal["guest", "user", "superuser", "trainee", "observer", "instructor", "owner"]
Grant = Literal["always", "control", "never"]
"""With or without control of the robot; only in control of it; not at all."""

GRANTS: dict[Role, dict[Right, Grant]] = {
    "guest": {"stop": "always", "drive": "control", "reset": "control", "task": "never", "inside": "never"},
    "user": {"stop": "always", "drive": "control", "reset": "control", "task": "control", "inside": "never"},
    "superuser": {"stop": "always", "drive": "control", "reset": "control", "task": "control", "inside": "never"},
    "trainee": {"stop": "always", "drive": "control", "reset": "control", "task": "never", "inside": "never"},
    "observer": {"stop": "always", "drive": "never", "reset": "never", "task": "never", "inside": "never"},
    "instructor": {"stop": "always", "drive": "control", "reset": "always", "task": "always", "inside": "never"},
    "owner": {"stop": "always", "drive": "control", "reset": "always", "task": "always", "inside": "never"},
}
"""The grant of each right to each role. One person drives a robot at a time, so even the owner drives in control."""
ROLES: tuple[Role, ...] = tuple(GRANTS)
