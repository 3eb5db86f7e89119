"""Belts: the moving surfaces of a robot's tracks, with the limited force of their motors.

A belt has a speed of its own. Its motor pulls it towards the wanted speed, the load on it holds it back::

    m·v̇ = clip(k·(v* − v), ±F) − load

So a belt with more load than its motor can pull slows down, stalls, or is pulled back. At the wanted speed 0 a brake
holds it by dry friction: the parking brake is automatic.

MuJoCo's friction would resist a turn of the robot along the whole length of its belts. Real belts scrub sideways
easily, so most of the wanted turn is added to the surfaces, as if they gave way sideways.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from farhand.formats.model import TracksSpec
from farhand.kernels import Floats, Ints, kernel
from farhand.types import GroupState, Setpoint
from farhand.world.index import TracksIndex
from farhand.world.user_data import BELTS

__all__ = ["Tracks"]

BRAKE = 3.0  # force of the brake, times that of the motor
TURN_RADPS, TURN_SHARE = 0.2, 0.5  # smallest wanted turn that counts; share of it that must be measured
FADE_OUT_S, FADE_IN_S = 0.2, 0.05  # of the sideways motion
TOP_SHARE = 1.5  # greatest speed of a dragged belt, as a share of its top speed


@kernel(
    "void(i4[:, ::1], f8[:, ::1], f8[:, ::1], i4[::1], f8[::1], f8[:, ::1], f8[:, ::1], i8[::1], f8[:, ::1], f8[::1])"
)
def belt_loads(
    geoms: Ints, points: Floats, frames: Floats, rows: Ints, forces: Floats,
    centres: Floats, turns: Floats, side_of: Ints, field: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add up the loads on the belts of each side, N.

    Args:
        geoms: (k, 2) shapes in contact.
        points: (k, 3) contact points.
        frames: (k, 9) normal from the first shape to the second, and two tangents.
        rows: (k,) start of each contact's forces, -1 for none.
        forces: Along normal and tangents.
        centres: (g, 3) positions of all shapes.
        turns: (g, 9) their rotation matrices.
        side_of: (g,) side of the belt that a shape belongs to, -1 for none.
        field: (g, 6) surface velocity at a belt speed of 1 m/s, in each shape's own axes.
        out: (2,) result, for left and right.
    """
    out[:] = 0.0
    for k in range(geoms.shape[0]):
        if rows[k] < 0:
            continue
        # each shape of the contact that is part of a belt
        for which in range(2):
            geom = geoms[k, which]
            if side_of[geom] < 0:
                continue
            # surface velocity at the contact, in world axes, then along its two tangents
            R, sign = turns[geom], 1.0 if which == 1 else -1.0
            x, y, z = points[k, 0] - centres[geom, 0], points[k, 1] - centres[geom, 1], points[k, 2] - centres[geom, 2]
            a, b, c = R[0] * x + R[3] * y + R[6] * z, R[1] * x + R[4] * y + R[7] * z, R[2] * x + R[5] * y + R[8] * z
            wx, wy, wz = field[geom, 3], field[geom, 4], field[geom, 5]
            u = field[geom, 0] + wy * c - wz * b
            v = field[geom, 1] + wz * a - wx * c
            w = field[geom, 2] + wx * b - wy * a
            x, y, z = R[0] * u + R[1] * v + R[2] * w, R[3] * u + R[4] * v + R[5] * w, R[6] * u + R[7] * v + R[8] * w
            along = frames[k, 3] * x + frames[k, 4] * y + frames[k, 5] * z
            across = frames[k, 6] * x + frames[k, 7] * y + frames[k, 8] * z
            # friction along the belt's motion is its load
            size = math.sqrt(along * along + across * across)
            if size > 1e-9:
                pull = forces[rows[k] + 1] * along + forces[rows[k] + 2] * across
                out[side_of[geom]] -= sign * pull / size


@kernel("void(f8[::1], f8[::1], f8[::1], f8[::1], f8)")
def run_belts(kept: Floats, wanted: Floats, loads: Floats, motor: Floats, dt: float) -> None:
    """Advance the belts' speeds and travels by a tick.

    Args:
        kept: (6 or more,) speeds of left and right, then their travels; the rest is not used.
        wanted: (2,) wanted speeds.
        loads: (2,) loads, N.
        motor: (5,) force, gain, inertia, force of the brake, and greatest speed.
        dt: Seconds.
    """
    force, gain, inertia, brake, fastest = motor
    for i in range(2):
        # speed under the load alone
        ahead = kept[i] - dt / inertia * loads[i]
        if wanted[i] == 0.0:
            # brake: dry friction stops the belt if it can, and never reverses it
            pull = min(max(-ahead * inertia / dt, -brake), brake)
        else:
            # motor: solved for the speed at the end of the tick, so that a stiff motor does not oscillate
            pull = gain * (wanted[i] - ahead) / (1.0 + dt * gain / inertia)
            pull = min(max(pull, -force), force)
        # new speed and travel
        kept[i] = min(max(ahead + dt / inertia * pull, -fastest), fastest)
        kept[2 + i] += dt * kept[i]


@kernel("void(f8[:, ::1], f8[:, ::1], i8[::1], i8[::1], f8[::1], f8[:, ::1], f8[:, ::1], f8[::1], f8[::1], f8)")
def move_surfaces(
    surface: Floats, field: Floats, belts: Ints, sides: Ints, speeds: Floats,
    centres: Floats, turns: Floats, base: Floats, axes: Floats, turn: float,
) -> None:  # fmt: skip
    """Write the surface velocity of each belt, in its shape's own axes.

    Args:
        surface: (g, 6) result.
        field: (g, 6) surface velocity at a belt speed of 1 m/s.
        belts: Shapes that are belts.
        sides: Side of each of them.
        speeds: Of left and right.
        centres: (g, 3) positions of all shapes.
        turns: (g, 9) their rotation matrices.
        base: (3,) position of the base.
        axes: (9,) its rotation matrix.
        turn: Turn to the left for which the surfaces give way sideways, rad/s.
    """
    for i in range(belts.shape[0]):
        g = belts[i]
        R = turns[g]
        # distance of the shape ahead of the base
        ahead = 0.0
        for k in range(3):
            ahead += (centres[g, k] - base[k]) * axes[3 * k]
        # surface velocity at the belt's speed
        for k in range(3):
            surface[g, k] = field[g, k] * speeds[sides[i]]
            surface[g, 3 + k] = field[g, 3 + k] * speeds[sides[i]]
            # a turn to the left moves the front to the left, so the surface there moves to the right
            for j in range(3):
                surface[g, k] -= turn * ahead * R[3 * j + k] * axes[3 * j + 1]
                surface[g, 3 + k] -= turn * R[3 * j + k] * axes[3 * j + 2]


class Tracks:
    """The belts and flippers of one robot inside the physics.

    Args:
        spec: Their dimensions and motors.
        index: Their places in MuJoCo's arrays.
        model: MuJoCo's model; only the surfaces' speeds in it change, in every tick.
        data: MuJoCo's data.
    """

    def __init__(self, spec: TracksSpec, index: TracksIndex, model: Any, data: Any) -> None:
        self.index, self._data, self._ctrl = index, data, data.ctrl
        self._surface, self._field = model.geom_surfacevel, np.zeros((model.ngeom, 6))
        self._field[index.belts] = index.field
        self._centres, self._turns = data.geom_xpos, data.geom_xmat
        self.kept: Floats = data.userdata[index.kept_at : index.kept_at + BELTS]
        self._sides = np.full(model.ngeom, -1, dtype=np.int64)
        self._sides[index.belts] = index.sides
        body = int(model.jnt_bodyid[model.dof_jntid[index.base_dof]])
        self._base, self._axes = data.xpos[body], data.xmat[body]
        self._motor = np.array([spec.force, spec.gain, spec.inertia, BRAKE * spec.force, TOP_SHARE * spec.speed])
        self._yaw = spec.scrub / spec.gauge
        self._wanted, self._loads = np.zeros(2), self.kept[4:6]
        self._qvel, self._yaw_at = data.qvel, index.base_dof + 5
        self._dt = float(model.opt.timestep)

    def take(self, belts: Setpoint, flippers: Setpoint) -> None:
        """Apply this tick's set-points: run the belts, turn the flippers."""
        self._wanted[:] = belts.rates
        run_belts(self.kept, self._wanted, self._loads, self._motor, self._dt)
        self._fade()
        self.move()
        self._ctrl[self.index.flippers.actuators] = flippers.positions

    def hold(self) -> None:
        """Stop the belts at once and hold the flippers in their present positions."""
        self.kept[:2], self.kept[4:], self._wanted[:] = 0.0, 0.0, 0.0
        self.move()
        self._ctrl[self.index.flippers.actuators] = self._data.qpos[self.index.flippers.qpos]

    def inherit(self, other: Tracks) -> None:
        """Copy the state of the same belts in another compiled world; call `move` once everything is in its place."""
        self.kept[:], self._wanted[:] = other.kept, other._wanted

    def measure_loads(self) -> None:
        """Measure the loads on the belts; call it right after a step, while contacts and forces belong together."""
        contact = self._data.contact
        belt_loads(
            np.ascontiguousarray(contact.geom), np.ascontiguousarray(contact.pos), np.ascontiguousarray(contact.frame),
            np.ascontiguousarray(contact.efc_address), self._data.efc_force, self._centres, self._turns,
            self._sides, self._field, self._loads,
        )  # fmt: skip

    def belts(self) -> GroupState:
        """Return travels, speeds and loads of both belts."""
        left, right, left_travel, right_travel, left_load, right_load, _ = self.kept.tolist()
        return GroupState((left_travel, right_travel), (left, right), (left_load, right_load))

    def flippers(self) -> GroupState:
        """Return the flippers' angles, rates and efforts."""
        index, data = self.index.flippers, self._data
        arrays = (data.qpos[index.qpos], data.qvel[index.dofs], data.actuator_force[index.actuators])
        positions, rates, efforts = (tuple(array.tolist()) for array in arrays)
        return GroupState(positions, rates, efforts)

    def _turn(self) -> float:
        """Return the turn for which the surfaces would give way sideways, rad/s to the left."""
        return self._yaw * float(self._wanted[1] - self._wanted[0])

    def _fade(self) -> None:
        """Fade the sideways motion out while the wanted turn is blocked, so that belts do not push on the obstacle."""
        turn = self._turn()
        held = abs(turn) > TURN_RADPS and float(self._qvel[self._yaw_at]) * turn < TURN_SHARE * turn * turn
        change = self._dt / FADE_OUT_S if held else -self._dt / FADE_IN_S
        self.kept[6] = min(max(float(self.kept[6]) + change, 0.0), 1.0)

    def move(self) -> None:
        """Write the surface velocities for the present belt speeds."""
        turn = self._turn() * (1.0 - float(self.kept[6]))
        move_surfaces(
            self._surface, self._field, self.index.belts, self.index.sides, self.kept,
            self._centres, self._turns, self._base, self._axes, turn,
        )  # fmt: skip
