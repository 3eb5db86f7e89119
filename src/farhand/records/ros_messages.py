"""Joint states and frames as the messages of ROS 2, for tools that know those: Foxglove, rerun, PlotJuggler, rosbag.

Encoded by hand: CDR, little-endian, as the schemas below say.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from farhand.poses import Pose

__all__ = ["JOINT_STATE", "JOINT_STATE_SCHEMA", "TF", "TF_SCHEMA", "joint_state", "transforms"]

JOINT_STATE, TF = "sensor_msgs/msg/JointState", "tf2_msgs/msg/TFMessage"
_LINE = "=" * 80
_HEADER = f"""{_LINE}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
{_LINE}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
JOINT_STATE_SCHEMA = f"""std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
{_HEADER}"""
TF_SCHEMA = f"""geometry_msgs/TransformStamped[] transforms
{_LINE}
MSG: geometry_msgs/TransformStamped
std_msgs/Header header
string child_frame_id
geometry_msgs/Transform transform
{_LINE}
MSG: geometry_msgs/Transform
geometry_msgs/Vector3 translation
geometry_msgs/Quaternion rotation
{_LINE}
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
{_LINE}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w
{_HEADER}"""


class _Cdr:
    """Builds a message; numbers are aligned to their size, counted after the four bytes of the head."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def number(self, code: str, value: float) -> None:
        size = struct.calcsize(code)
        self._bytes += b"\0" * (-len(self._bytes) % size) + struct.pack(f"<{code}", value)

    def text(self, value: str) -> None:
        content = value.encode() + b"\0"
        self.number("I", len(content))
        self._bytes += content

    def doubles(self, values: Sequence[float]) -> None:
        self.number("I", len(values))
        for value in values:
            self.number("d", value)

    def header(self, time: int, frame: str) -> None:
        self.number("i", time // 10**9)
        self.number("I", time % 10**9)
        self.text(frame)

    def result(self) -> bytes:
        return b"\x00\x01\x00\x00" + bytes(self._bytes)


def joint_state(
    time: int, names: Sequence[str], positions: Sequence[float], rates: Sequence[float], efforts: Sequence[float]
) -> bytes:
    """Return a JointState.

    Args:
        time: Nanoseconds since 1970.
        names: Names of the joints.
        positions: Radians or metres.
        rates: Likewise per second.
        efforts: Newton metres or newtons.
    """
    cdr = _Cdr()
    cdr.header(time, "")
    cdr.number("I", len(names))
    for name in names:
        cdr.text(name)
    for values in (positions, rates, efforts):
        cdr.doubles(values)
    return cdr.result()


def transforms(time: int, frames: Iterable[tuple[str, str, Pose]]) -> bytes:
    """Return a TFMessage of (parent, child, pose of the child in the parent)."""
    found, cdr = list(frames), _Cdr()
    cdr.number("I", len(found))
    for parent, child, pose in found:
        cdr.header(time, parent)
        cdr.text(child)
        w, x, y, z = pose.rotation
        for value in (*pose.position, x, y, z, w):
            cdr.number("d", value)
    return cdr.result()
