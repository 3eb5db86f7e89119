"""A tip target that a jog moves by a twist, and that is kept close to the tip that follows it."""

from __future__ import annotations

import math

from farhand.kernels import Floats, kernel

__all__ = ["limit_target_lead", "push_target"]


@kernel()
def turn_by(R: Floats, x: float, y: float, z: float) -> None:
    """Turn the rotation in the left block of a 3×4 pose in place: R ← exp([x y z])·R, kept orthonormal."""
    # angle of the turn
    angle = math.sqrt(x * x + y * y + z * z)
    # Rodrigues: exp = 1 + s·K + c·K², with series where the quotients would lose digits
    if angle > 1e-6:
        s, c = math.sin(angle) / angle, (1.0 - math.cos(angle)) / (angle * angle)
    else:
        s, c = 1.0, 0.5
    # turn each column
    for j in range(3):
        a, b, d = R[0, j], R[1, j], R[2, j]
        kx, ky, kz = y * d - z * b, z * a - x * d, x * b - y * a
        R[0, j] = a + s * kx + c * (y * kz - z * ky)
        R[1, j] = b + s * ky + c * (z * kx - x * kz)
        R[2, j] = d + s * kz + c * (x * ky - y * kx)
    # rounding would add up over hours: make the first two columns a right angle again, the third follows
    length = math.sqrt(R[0, 0] ** 2 + R[1, 0] ** 2 + R[2, 0] ** 2)
    for i in range(3):
        R[i, 0] /= length
    dot = R[0, 0] * R[0, 1] + R[1, 0] * R[1, 1] + R[2, 0] * R[2, 1]
    for i in range(3):
        R[i, 1] -= dot * R[i, 0]
    length = math.sqrt(R[0, 1] ** 2 + R[1, 1] ** 2 + R[2, 1] ** 2)
    for i in range(3):
        R[i, 1] /= length
    R[0, 2] = R[1, 0] * R[2, 1] - R[2, 0] * R[1, 1]
    R[1, 2] = R[2, 0] * R[0, 1] - R[0, 0] * R[2, 1]
    R[2, 2] = R[0, 0] * R[1, 1] - R[1, 0] * R[0, 1]


@kernel("void(f8[:, ::1], f8[::1], b1, b1, f8)")
def push_target(target: Floats, twist: Floats, tool: bool, tool_turn: bool, dt: float) -> None:
    """Move a target by a constant twist for a tick, exactly, and turn the twist into base axes.

    R ← exp(w·dt)·R, and p ← p + v·dt; a velocity in tool axes turns along with the tip, so its mean in the tick counts:
    v ← (1 + (1 − cos φ)/φ²·Φ + (φ − sin φ)/φ³·Φ²)·R·v with Φ = [w·dt] and φ = ‖w·dt‖.

    Args:
        target: (3, 4) pose, changed in place.
        twist: (6,) velocity and turn rate, changed in place: the mean velocity of the tick, the turn rate.
        tool: True if the velocity is in tool axes.
        tool_turn: True if the turn rate is in tool axes.
        dt: Seconds of a tick.
    """
    # tool axes to base axes
    for first, inside in ((0, tool), (3, tool_turn)):
        if inside:
            x, y, z = twist[first], twist[first + 1], twist[first + 2]
            for i in range(3):
                twist[first + i] = target[i, 0] * x + target[i, 1] * y + target[i, 2] * z
    # a velocity that turns along: its mean over the tick
    turns = twist[3] != 0.0 or twist[4] != 0.0 or twist[5] != 0.0
    if turns and tool:
        mean_over_turn(twist, dt)
    # shift, then turn
    for i in range(3):
        target[i, 3] += twist[i] * dt
    if turns:
        turn_by(target, twist[3] * dt, twist[4] * dt, twist[5] * dt)


@kernel()
def mean_over_turn(twist: Floats, dt: float) -> None:
    """Replace a velocity by its mean over a tick in which it turns along with the tip."""
    # angle of the turn
    a, b, c = twist[3] * dt, twist[4] * dt, twist[5] * dt
    angle = math.sqrt(a * a + b * b + c * c)
    # series where the quotients would lose digits
    if angle > 1e-3:
        first, second = (1.0 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    else:
        first, second = 0.5 - angle**2 / 24.0, 1.0 / 6.0 - angle**2 / 120.0
    # v plus first and second cross product
    x, y, z = twist[0], twist[1], twist[2]
    kx, ky, kz = b * z - c * y, c * x - a * z, a * y - b * x
    twist[0] = x + first * kx + second * (b * kz - c * ky)
    twist[1] = y + first * ky + second * (c * kx - a * kz)
    twist[2] = z + first * kz + second * (a * ky - b * kx)


@kernel("void(f8[:, ::1], f8[::1], f8[::1], b1, b1, f8, f8, f8, f8[::1])")
def limit_target_lead(
    target: Floats, error: Floats, twist: Floats, on_line: bool, begins: bool, lead: float, leash: float,
    turn_lead: float, dropped: Floats,
) -> None:  # fmt: skip
    """Pull a target back to within reach of its follower: error = target minus follower.

    Args:
        target: (3, 4) pose, changed in place.
        error: (6,) shift and turn from the follower to the target, base axes; its shift is changed likewise.
        twist: (6,) velocity of the target, base axes.
        on_line: True if the target stays on its own path; see `keep_on_line`.
        begins: True if that path begins here.
        lead: Largest lead, along its path if it stays on that, metres.
        leash: Largest distance in all if it stays on its path, metres.
        turn_lead: Largest lead, radians.
        dropped: (6,) result: shift and turn by which it was pulled back.
    """
    # nothing dropped so far
    for i in range(6):
        dropped[i] = 0.0
    # along the path first, then in any direction
    if on_line:
        keep_on_line(target, error, twist, lead, leash, begins, dropped)
        lead = leash
    keep_close(target, error, lead, turn_lead, dropped)


@kernel()
def keep_close(target: Floats, error: Floats, lead: float, turn_lead: float, dropped: Floats) -> None:
    """Pull a target back where it leads its follower by too much: error = target minus follower.

    Args:
        target: (3, 4) pose, changed in place.
        error: (6,) shift and turn from the follower to the target, base axes.
        lead: Largest lead, metres.
        turn_lead: Largest lead, radians.
        dropped: (6,) shift and turn that it is pulled back by are added here.
    """
    # shift
    ahead = math.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    if ahead > lead:
        share = 1.0 - lead / ahead
        for i in range(3):
            target[i, 3] -= share * error[i]
            dropped[i] += share * error[i]
    # turn
    turned = math.sqrt(error[3] ** 2 + error[4] ** 2 + error[5] ** 2)
    if turned > turn_lead:
        share = 1.0 - turn_lead / turned
        turn_by(target, -share * error[3], -share * error[4], -share * error[5])
        for i in range(3, 6):
            dropped[i] += share * error[i]


@kernel()
def keep_on_line(
    target: Floats, error: Floats, twist: Floats, lead: float, leash: float, begins: bool, dropped: Floats
) -> None:
    """Pull a target back along its own path where it leads its follower by too much; see `keep_close`.

    The follower may be beside the path: the target stays on it, and draws the follower back there. The further beside,
    the less it leads, so that it does not drag a follower that is stuck. A path begins at the target, within `lead` of
    the follower: a path that bends all the time, such as a circle, loses nothing.

    Args:
        target: (3, 4) pose, changed in place.
        error: (6,) shift and turn from the follower to the target, base axes; its shift is changed likewise.
        twist: (6,) velocity of the target, base axes.
        lead: Largest lead along its path, metres.
        leash: Largest distance in all, metres.
        begins: True if its path begins here.
        dropped: (6,) the shift that it is pulled back by is added here.
    """
    # a target at rest has no path
    speed = math.sqrt(twist[0] ** 2 + twist[1] ** 2 + twist[2] ** 2)
    if speed == 0.0:
        return
    # distance ahead along the path, and beside it
    ahead = (error[0] * twist[0] + error[1] * twist[1] + error[2] * twist[2]) / speed
    aside = 0.0
    for i in range(3):
        aside += (error[i] - ahead * twist[i] / speed) ** 2
    aside, over = math.sqrt(aside), 0.0
    # a path that begins may not begin too far beside
    if begins and aside > lead:
        aside, over = lead, 1.0 - lead / aside
    # the lead that is left at this distance beside the path
    most = min(lead, math.sqrt(max(leash**2 - aside**2, 0.0)))
    # pull back along the path, and towards it where it begins
    for i in range(3):
        direction = twist[i] / speed
        back = max(ahead - most, 0.0) * direction + over * (error[i] - ahead * direction)
        target[i, 3] -= back
        error[i] -= back
        dropped[i] += back
