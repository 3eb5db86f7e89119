"""The cameras of one robot inside the physics: heads that turn towards a target, and lenses that zoom."""

from __future__ import annotations

import math
from typing import Any

from farhand.formats.model import CameraSpec, HeadSpec
from farhand.types import CameraState
from farhand.world.index import CameraIndex
from farhand.world.user_data import HEAD

__all__ = ["Cameras"]

FIXED = CameraState()
SPIN_UP_S = 0.15  # time in which a head reaches its top rate
ZOOM_S = 2.0  # time from no zoom to full zoom
SETTLED = 1e-6  # rad, or zoom factor


class Cameras:
    """The cameras of one robot.

    Args:
        specs: Their data.
        indices: Their places in MuJoCo's arrays.
        data: MuJoCo's data.
        dt: Seconds of a tick.
    """

    def __init__(self, specs: tuple[CameraSpec, ...], indices: tuple[CameraIndex, ...], data: Any, dt: float) -> None:
        self._names = [spec.name for spec in specs]
        self._heads = {
            spec.name: _Head(spec.head, index, data, dt)
            for spec, index in zip(specs, indices, strict=True)
            if spec.head is not None
        }
        self._fixed = None if self._heads else (FIXED,) * len(specs)

    def step(self) -> None:
        """Turn the heads a tick further towards their targets."""
        for head in self._heads.values():
            head.step()

    def aim(self, name: str, pan: float, tilt: float, zoom: float) -> None:
        """Set the target of a camera's head; targets beyond its limits are clipped."""
        self._heads[name].aim(pan, tilt, zoom)

    def zooms(self) -> dict[str, float]:
        """Return the zoom of each camera that has a head."""
        return {name: head.state().zoom for name, head in self._heads.items()}

    def hold(self, zooms: dict[str, float] | None = None) -> None:
        """Stop the heads in their present positions; with zooms, set the zoom at once."""
        for name, head in self._heads.items():
            head.hold(None if zooms is None else zooms.get(name, 1.0))

    def inherit(self, other: Cameras) -> None:
        """Copy the targets of the same cameras in another compiled world."""
        for name, head in self._heads.items():
            if name in other._heads:
                head.kept[:] = other._heads[name].kept
                head.write()

    def measure(self) -> tuple[CameraState, ...]:
        """Return pan, tilt and zoom of each camera."""
        if self._fixed is not None:
            return self._fixed
        heads = self._heads
        return tuple([heads[name].state() if name in heads else FIXED for name in self._names])


class _Head:
    """One head. Pan, tilt and zoom speed up to the top rate and brake before their targets."""

    def __init__(self, spec: HeadSpec, index: CameraIndex, data: Any, dt: float) -> None:
        self.kept = data.userdata[index.kept_at : index.kept_at + HEAD]
        self._qpos, self._ctrl, self._joints = data.qpos, data.ctrl, index.head
        turned = [limits != (0.0, 0.0) for limits in (spec.pan, spec.tilt)]
        self._axes = [i for i in (0, 1) if turned[i]]  # the axes of this head, in the order of its joints
        self._limits = (spec.pan, spec.tilt, (1.0, spec.zoom))
        self._rates = (spec.rate, spec.rate, (spec.zoom - 1.0) / ZOOM_S)
        self._dt = dt
        if self.kept[2] == 0.0:  # new data: without zoom the factor is 1
            self.kept[2] = self.kept[5] = 1.0

    def aim(self, pan: float, tilt: float, zoom: float) -> None:
        for i, (value, (lower, upper)) in enumerate(zip((pan, tilt, zoom), self._limits, strict=True)):
            self.kept[i] = min(max(value, lower), upper)

    def step(self) -> None:
        kept = self.kept.tolist()
        if kept[:3] == kept[3:6]:
            return
        for i, rate in enumerate(self._rates):
            kept[3 + i], kept[6 + i] = _step_towards(kept[i], kept[3 + i], kept[6 + i], rate, self._dt)
        self.kept[3:] = kept[3:]
        self.write()

    def write(self) -> None:
        """Write the set-points of the drives."""
        self._ctrl[self._joints.actuators] = self.kept[[3 + i for i in self._axes]]

    def hold(self, zoom: float | None) -> None:
        at = self._qpos[self._joints.qpos]
        for i, position in zip(self._axes, at.tolist(), strict=True):
            self.kept[i] = self.kept[3 + i] = position
        self.kept[5] = self.kept[2] = self.kept[5] if zoom is None else min(max(zoom, 1.0), self._limits[2][1])
        self.kept[6:] = 0.0
        self._ctrl[self._joints.actuators] = at

    def state(self) -> CameraState:
        at = [0.0, 0.0]
        for i, position in zip(self._axes, self._qpos[self._joints.qpos].tolist(), strict=True):
            at[i] = position
        return CameraState(at[0], at[1], float(self.kept[5]))


def _step_towards(target: float, at: float, rate: float, most: float, dt: float) -> tuple[float, float]:
    """Return position and rate after a tick on the way to a target: v² ≤ 2·a·d."""
    left = target - at
    if abs(left) <= SETTLED:
        return target, 0.0
    acceleration = most / SPIN_UP_S
    wanted = math.copysign(min(most, math.sqrt(2.0 * acceleration * abs(left)), abs(left) / dt), left)
    change = acceleration * dt
    rate = min(max(wanted, rate - change), rate + change)
    if abs(rate) * dt >= abs(left) and rate * left > 0.0:
        return target, 0.0
    return at + rate * dt, rate
