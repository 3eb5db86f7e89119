"""From set-points to what the actuators are told: one file for each kind of drive.

All drives add the same feed-forward, the torques that the model says the wanted motion needs: bias(q, q̇) (gravity and
Coriolis) + M(q)·q̈ + what springs, dampers and dry friction take. What remains for the feedback is what the model does
not know: loads and contacts.

- *position* (default): a spring and damper that MuJoCo integrates implicitly, so it can be stiff at 2 ms.
- *pid*: the explicit torque loop of the published systems.
- *velocity*: the controller of the hydraulic arm among them: a position loop that asks for a velocity.

Two things saturate in every one of them. Torque: no actuator gives more than its joint's effort. Velocity: no feedback
asks for more than the joint's top velocity, however far its set-point is ahead.
"""

from farhand.world.drives.drive import HEADROOM, Drive, Wires, inertia_matrix
from farhand.world.drives.holding import check_holding, weights
from farhand.world.drives.kinds import Tuned, drive_of, tuned_for, wire_actuators
from farhand.world.drives.pid_drive import check_pid
from farhand.world.drives.position_drive import position_gains
from farhand.world.drives.velocity_drive import check_velocity

__all__ = [
    "HEADROOM",
    "Drive",
    "Tuned",
    "Wires",
    "check_holding",
    "check_pid",
    "check_velocity",
    "drive_of",
    "inertia_matrix",
    "position_gains",
    "tuned_for",
    "weights",
    "wire_actuators",
]
