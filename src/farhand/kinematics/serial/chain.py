"""Serial chains of joints that turn or slide: forward kinematics, Jacobian, inverse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics.argument_checks import check_pose, check_vector
from farhand.kinematics.arithmetic.descent import work_size
from farhand.kinematics.arithmetic.dh_tables import ChainArrays, Convention, Row, arrays_from_dh
from farhand.kinematics.arithmetic.inverse import solve
from farhand.kinematics.arithmetic.link_frames import SLIDES, frames_into, tip_and_jacobian, tip_pose_into
from farhand.kinematics.closed.closed_forms import closed_form_of
from farhand.kinematics.contract import Reason, Solution
from farhand.kinematics.serial.compiled_chain import chain_of_model
from farhand.kinematics.serial.fold_search import find_folds, is_stretched
from farhand.kinematics.servo.follow import follow_step
from farhand.kinematics.servo.scratch import scratch_size

__all__ = ["SerialChain"]

# One radian counts as this share of the arm's length: translation and rotation weigh the same on small and large arms.
LENGTH_SHARE = 0.3


class SerialChain:
    """Joints in series from a base to a tip.

    Args:
        arrays: The constant transforms between the joints.
        lower: (n,) lower joint limits, radians or metres; minus infinity for a continuous joint.
        upper: (n,) upper joint limits.
        names: Names of the joints; numbered by default.

    Raises:
        CommandError: If the limits do not match the joints in number or are crossed.
    """

    def __init__(self, arrays: ChainArrays, lower: ArrayLike, upper: ArrayLike, names: Sequence[str] = ()) -> None:
        self.arrays = arrays
        self.n = len(arrays.kinds)
        self.names = tuple(names) or tuple(f"joint{i + 1}" for i in range(self.n))
        self.lower, self.upper = _limits(lower, upper, self.n)
        self._limits = np.array([self.lower, self.upper])
        self.reach = self._furthest()
        self.length = LENGTH_SHARE * self.reach if 1e-6 < self.reach < np.inf else 1.0
        self._shoulder = arrays.fixed[0, :, 3].tolist()
        self._scratch_size = scratch_size(self.n, 0)
        # closed forms do not handle joints that follow others
        plain = self.links is self
        self._closed = closed_form_of(arrays, self.lower, self.upper, self.reach, self.length) if plain else None
        self._work_size = work_size(self.n) if self._closed is None else self._closed.scratch

    @classmethod
    def from_dh(
        cls,
        rows: Sequence[Row],
        lower: ArrayLike,
        upper: ArrayLike,
        convention: Convention = "standard",
        base: ArrayLike | None = None,
        tool: ArrayLike | None = None,
    ) -> SerialChain:
        """Return the chain of a Denavit–Hartenberg table.

        Standard: T_i = Rz(θ)·Tz(d)·Tx(a)·Rx(α); modified (Craig): T_i = Rx(α)·Tx(a)·Rz(θ)·Tz(d).

        Args:
            rows: (a, α, d, θ offset) or (a, α, d, θ offset, "revolute" | "prismatic"), metres and radians.
            lower: (n,) lower joint limits, radians or metres.
            upper: (n,) upper joint limits.
            convention: "standard" or "modified".
            base: (4, 4) transform before the first row; None for none.
            tool: (4, 4) transform after the last row; None for none.

        Raises:
            CommandError: If a row, a limit or a transform is malformed.
        """
        before = _square(np.eye(4) if base is None else check_pose(base, "the base"))
        after = _square(np.eye(4) if tool is None else check_pose(tool, "the tool"))
        return cls(arrays_from_dh(rows, convention, before, after), lower, upper)

    @classmethod
    def from_model(cls, model: Any, base: str, tip: str) -> SerialChain:
        """Return the chain of a compiled MuJoCo model from a body to a site or body below it.

        Args:
            model: The compiled model (``mujoco.MjModel``).
            base: Body whose frame is the base frame.
            tip: Site or body whose frame is the tip.

        Raises:
            UnknownNameError: If there is no such body or site.
            CommandError: If the tip is not below the base, or a ball or free joint is between them.
        """
        arrays, names, lower, upper = chain_of_model(model, base, tip)
        return cls(arrays, lower, upper, names)

    @classmethod
    def from_mjcf(cls, path: Path | str, base: str | None = None, tip: str | None = None) -> SerialChain:
        """Return the chain of an MJCF file.

        Args:
            path: The file.
            base: Body to start from; None: detected.
            tip: Site or body to end at; None: detected.

        Raises:
            RobotFileError: If the file cannot be read as a robot.
        """
        import mujoco

        from farhand.formats import read_robot

        robot = read_robot(Path(path), base=base, tip=tip)
        model = mujoco.MjSpec.from_string(robot.mjcf, assets=robot.assets).compile()
        return cls.from_model(model, robot.arm.base, robot.arm.tip)

    @classmethod
    def from_urdf(cls, path: Path | str, base: str | None = None, tip: str | None = None) -> SerialChain:
        """Return the chain of a URDF file; arguments and errors as for `from_mjcf`, with links in place of bodies.

        Args:
            path: The file.
            base: Link to start from; None: detected.
            tip: Link to end at; None: detected.
        """
        return cls.from_mjcf(path, base, tip)

    @property
    def links(self) -> SerialChain:
        """The chain of all joints, each taken as driven; the chain itself, unless some joints follow others."""
        return self

    def joints(self, q: ArrayLike) -> Floats:
        """Return the positions of all joints, given the driven ones; the same, unless some joints follow others.

        Args:
            q: (n,) positions of the driven joints, radians or metres.
        """
        return check_vector(q, self.n, "joint positions")

    def forward(self, q: ArrayLike) -> Floats:
        """Return the tip's pose (4, 4) in the base frame: T_base_tip = Π (fixed_i · Z(q_i)) · tool.

        Args:
            q: (n,) joint positions, radians or metres.

        Raises:
            CommandError: If q is not n finite numbers.
        """
        T = np.empty((4, 4))
        tip_pose_into(*self.arrays, check_vector(q, self.n, "joint positions"), T)
        return T

    def frames(self, q: ArrayLike) -> Floats:
        """Return the frames (n + 1, 4, 4) of every joint, moved by it, and of the tip, in the base frame.

        Args:
            q: (n,) joint positions, radians or metres.

        Raises:
            CommandError: If q is not n finite numbers.
        """
        rows = np.empty((self.n + 1, 3, 4))
        frames_into(*self.arrays, check_vector(q, self.n, "joint positions"), rows)
        frames = np.zeros((self.n + 1, 4, 4))
        frames[:, :3], frames[:, 3, 3] = rows, 1.0
        return frames

    def jacobian(self, q: ArrayLike) -> Floats:
        """Return J (6, n) with (linear, angular) velocity of the tip = J·q̇, in base axes, at the tip.

        Args:
            q: (n,) joint positions, radians or metres.

        Raises:
            CommandError: If q is not n finite numbers.
        """
        J = np.empty((6, self.n))
        joints = check_vector(q, self.n, "joint positions")
        tip_and_jacobian(*self.arrays, joints, np.empty((self.n + 1, 3, 4)), J)
        return J

    def inverse(self, T: ArrayLike, seed: ArrayLike, tolerance: float = 1e-5) -> Solution:
        """Return joints that bring the tip to a pose, near the seed; or those of the nearest pose, position first.

        An arm with a closed form gets the posture nearest to the seed. An arm of seven joints that has a closed form
        with one joint held gets the nearest posture for several values of that joint around the seed, or, if the target
        is near, the result of a descent from the seed. Otherwise, and out of reach, this minimises
        ‖e_position‖² + w²·‖e_rotation‖² within the joint limits, from the seed and then from random joints, under a
        budget of iterations; of several solutions found from random joints, the nearest to the seed counts. The same
        call always gives the same answer.

        Args:
            T: (4, 4) or (3, 4) pose of the tip in the base frame.
            seed: (n,) joint positions to start from, radians or metres.
            tolerance: Metres and radians within which the pose counts as reached.

        Raises:
            CommandError: If T is no pose, the seed is not n finite numbers, or the tolerance is not positive.
        """
        target, start = check_pose(T), check_vector(seed, self.n, "the seed")
        if not 0.0 < tolerance < np.inf:
            raise CommandError(f"the tolerance must be positive, found {tolerance}")
        q, arrays, scratch = np.empty(self.n), self.arrays, np.empty(self._work_size)
        if self._closed is not None:
            reached, distance, angle = self._closed.solve(
                self._closed.constants, target, start, tolerance, self.length, q, scratch
            )
            if reached:
                return Solution(q, True, distance, angle)  # noqa: FBT003  reached
        too_far = math.dist(target[:3, 3].tolist(), self._shoulder) > self.reach + tolerance
        # a pose that a complete closed form does not reach is out of reach: look for the nearest pose only
        hopeless = too_far or self.closed_form
        reached, distance, angle = solve(
            *arrays, self.lower, self.upper, target, start, tolerance, self.length, hopeless, q, scratch,
        )  # fmt: skip
        reason = "" if reached else self._reason(q, distance, tolerance, too_far)
        return Solution(q, bool(reached), float(distance), float(angle), reason)

    @property
    def closed_form(self) -> bool:
        """Whether `inverse` needs no search: a spherical wrist behind parallel shoulder and elbow axes."""
        return self._closed is not None and self._closed.complete

    def follow(self, T: ArrayLike, q: ArrayLike) -> Floats:
        """Return the joints after one step towards a pose that moves: continuous, also where it is out of reach.

        A stretched elbow keeps its side.

        Args:
            T: (4, 4) or (3, 4) pose of the tip in the base frame.
            q: (n,) present joint positions, radians or metres.

        Raises:
            CommandError: If T is no pose or q not n finite numbers.
        """
        target, start = check_pose(T), check_vector(q, self.n, "joint positions")
        arrays, moved = self.arrays, np.empty(self.n)
        scratch = np.empty(self._scratch_size)
        follow_step(*arrays, self._limits, self._folds, target, start, self.length, moved, scratch)
        return moved

    def folds(self, weights: Floats | None = None) -> Floats:
        """Return (2, n) angles that no tip motion carries a joint through, such as a stretched elbow; see `folds`.

        Args:
            weights: (6,) of the tip's dimensions; None for equal weights.
        """
        return self._folds if weights is None else find_folds(self, weights)

    def is_stretched(self, joint: int, angle: float) -> bool:
        """Return whether a fold stretches the arm, rather than folds it back.

        Args:
            joint: Index of the driven joint.
            angle: Its fold, radians.
        """
        return is_stretched(self, joint, angle)

    @cached_property
    def _folds(self) -> Floats:
        return find_folds(self, np.ones(6))

    def _furthest(self) -> float:
        return _reach(self.arrays, self.lower, self.upper)

    def _reason(self, q: Floats, distance: float, tolerance: float, too_far: bool) -> Reason:
        if distance <= tolerance:
            return "orientation"
        at_limit = (q <= self.lower + 1e-9) | (q >= self.upper - 1e-9)
        return "too far" if too_far or not at_limit.any() else "joint limit"


def _limits(lower: ArrayLike, upper: ArrayLike, n: int) -> tuple[Floats, Floats]:
    low, high = np.array(lower, dtype=np.float64), np.array(upper, dtype=np.float64)
    if low.shape != (n,) or high.shape != (n,):
        raise CommandError(f"{n} joints need {n} lower and upper limits, found shapes {low.shape} and {high.shape}")
    if not (low <= high).all():
        raise CommandError(f"each lower limit must be at most the upper one, found {low.tolist()} and {high.tolist()}")
    return low, high


def _reach(arrays: ChainArrays, lower: Floats, upper: Floats) -> float:
    """Return the largest distance of the tip from the first joint: the sum of all links, slides extended."""
    links = np.linalg.norm(arrays.fixed[1:, :, 3], axis=1).sum() + np.linalg.norm(arrays.tool[:, 3])
    slides = np.maximum(np.abs(lower), np.abs(upper))[arrays.kinds == SLIDES].sum()
    return float(links + slides)


def _square(M: Floats) -> Floats:
    return np.vstack((M[:3], (0.0, 0.0, 0.0, 1.0)))
