"""Rigid poses as frozen values: position in metres, unit quaternion in wxyz order.

Plain scalar arithmetic, because a single numpy call costs more than a whole product of two poses. Names follow
the frames: ``T_a_c = compose(T_a_b, T_b_c)``.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from farhand.errors import CommandError

__all__ = [
    "IDENTITY",
    "Pose",
    "Quaternion",
    "Vec3",
    "angle_between",
    "compose",
    "conjugate",
    "from_matrix",
    "from_rotation_vector",
    "from_rpy",
    "interpolate",
    "inverse",
    "matrix",
    "moved",
    "multiply",
    "normalized",
    "rotate",
    "rotation_vector",
    "rows_of",
    "rpy",
    "transform_point",
]

UPRIGHT_SINE_GAP = 1e-12  # below 1: from here on a pitch counts as a quarter turn
Vec3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class Pose(Struct, frozen=True):
    """A pose of one frame in another.

    Args:
        position: Metres.
        rotation: Unit quaternion (w, x, y, z).
    """

    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)


IDENTITY = Pose()


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the Hamilton product a·b: first turn by b, then by a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """Return the inverse turn of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q: Quaternion, v: Vec3) -> Vec3:
    """Return v turned by q: v + 2w(u×v) + 2u×(u×v), with q = (w, u)."""
    w, x, y, z = q
    vx, vy, vz = v
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


def normalized(q: Quaternion) -> Quaternion:
    """Return q with length one.

    Raises:
        CommandError: If q has no direction (zero or not finite).
    """
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if not 1e-12 < length < math.inf:
        raise CommandError(f"{q} is not a rotation: expected a quaternion (w, x, y, z) of length one")
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def compose(a: Pose, b: Pose) -> Pose:
    """Return T_x_z = T_x_y · T_y_z."""
    x, y, z = rotate(a.rotation, b.position)
    return Pose(
        (a.position[0] + x, a.position[1] + y, a.position[2] + z),
        normalized(multiply(a.rotation, b.rotation)),
    )


def inverse(pose: Pose) -> Pose:
    """Return T_b_a for T_a_b."""
    turn = conjugate(pose.rotation)
    x, y, z = rotate(turn, pose.position)
    return Pose((-x, -y, -z), turn)


def transform_point(pose: Pose, point: Vec3) -> Vec3:
    """Return the point's coordinates in the pose's parent frame."""
    x, y, z = rotate(pose.rotation, point)
    return (pose.position[0] + x, pose.position[1] + y, pose.position[2] + z)


def from_rotation_vector(v: Vec3) -> Quaternion:
    """Return the quaternion that turns by |v| radians about v (the exponential map)."""
    angle = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    # sin(angle/2)/angle, by its series where the quotient would lose digits
    k = math.sin(angle / 2) / angle if angle > 1e-6 else 0.5 - angle * angle / 48
    return (math.cos(angle / 2), v[0] * k, v[1] * k, v[2] * k)


def rotation_vector(q: Quaternion) -> Vec3:
    """Return the shortest rotation vector of q (the logarithm), |v| ≤ π."""
    w, x, y, z = q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])
    sine = math.sqrt(x * x + y * y + z * z)
    k = 2 * math.atan2(sine, w) / sine if sine > 1e-9 else 2.0
    return (x * k, y * k, z * k)


def moved(pose: Pose, linear: Vec3, angular: Vec3) -> Pose:
    """Return the pose after a shift and a turn, both given in the parent frame's axes.

    The turn is about the pose's own origin: R' = exp(angular)·R, p' = p + linear.
    """
    x, y, z = pose.position
    turn = from_rotation_vector(angular)
    return Pose(
        (x + linear[0], y + linear[1], z + linear[2]),
        normalized(multiply(turn, pose.rotation)),
    )


def angle_between(a: Quaternion, b: Quaternion) -> float:
    """Return the angle in radians of the shortest turn from a to b."""
    x, y, z = rotation_vector(multiply(conjugate(a), b))
    return math.sqrt(x * x + y * y + z * z)


def interpolate(a: Pose, b: Pose, share: float) -> Pose:
    """Return the pose at `share` (0…1) between a and b, straight and by the shortest turn."""
    x, y, z = rotation_vector(multiply(conjugate(a.rotation), b.rotation))
    turn = from_rotation_vector((x * share, y * share, z * share))
    ax, ay, az = a.position
    bx, by, bz = b.position
    return Pose(
        (ax + (bx - ax) * share, ay + (by - ay) * share, az + (bz - az) * share),
        normalized(multiply(a.rotation, turn)),
    )


def from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Return R = Rz(yaw)·Ry(pitch)·Rx(roll), the convention of URDF."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


def rpy(q: Quaternion) -> Vec3:
    """Return roll, pitch and yaw (rad) of a turn, as `from_rpy` takes them; pitch is within ±π/2.

    At a pitch of ±π/2 roll and yaw turn about the same axis; the whole turn is then yaw.
    """
    w, x, y, z = q
    sine = 2.0 * (w * y - z * x)
    if abs(sine) > 1.0 - UPRIGHT_SINE_GAP:
        return 0.0, math.copysign(0.5 * math.pi, sine), -2.0 * math.copysign(1.0, sine) * math.atan2(x, w)
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return roll, math.asin(sine), yaw


def rows_of(pose: Pose) -> tuple[float, ...]:
    """Return the upper three rows of the homogeneous matrix, one after the other."""
    w, x, y, z = pose.rotation
    px, py, pz = pose.position
    return (
        *(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px),
        *(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz),
    )


def matrix(pose: Pose) -> NDArray[np.float64]:
    """Return the 4×4 homogeneous matrix."""
    return np.array((*rows_of(pose), 0.0, 0.0, 0.0, 1.0)).reshape(4, 4)


def from_matrix(T: ArrayLike) -> Pose:
    """Return the pose of a 4×4 (or 3×4) homogeneous matrix.

    Raises:
        CommandError: If the matrix has another shape, is not finite, or its left block is not a rotation.
    """
    M = np.asarray(T, dtype=np.float64)
    if M.shape not in {(4, 4), (3, 4)}:
        raise CommandError(f"a pose is a 4×4 or 3×4 matrix, found shape {M.shape}")
    R = M[:3, :3]
    if not np.isfinite(M).all() or np.abs(R @ R.T - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
        raise CommandError("the upper left 3×3 block of a pose must be a rotation matrix")
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    # Shepperd: divide by the largest of the four components, so that no digits are lost.
    trace = a + e + i
    if trace >= max(a, e, i):
        q = (1 + trace, h - f, c - g, d - b)
    elif a >= max(e, i):
        q = (h - f, 1 + a - e - i, b + d, c + g)
    elif e >= i:
        q = (c - g, b + d, 1 - a + e - i, f + h)
    else:
        q = (d - b, c + g, f + h, 1 - a - e + i)
    px, py, pz = M[:3, 3].tolist()
    return Pose((px, py, pz), normalized(q))
