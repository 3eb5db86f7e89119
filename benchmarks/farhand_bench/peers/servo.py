"""Servo steps of peers: each a function of the number of a sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from farhand.distances import Clearance
from farhand.kernels import Floats
from farhand_bench.peers.ik import _file
from farhand_bench.peers.robots import mjcf_of, mjcf_with_capsules, urdf_of

__all__ = ["avoiding_makers", "makers"]

DT, TOP = 0.002, 3.0
Step = Callable[[int], Any]


def makers(clearance: Clearance, Q: Floats, targets: Floats) -> dict[str, Callable[[], Step]]:
    """Return how to build each peer's step with position and velocity limits, to targets (k, 4, 4) from Q (k, n).

    A step is a function of k; k goes up by one from each call to the next.
    """
    return {
        "placo": lambda: _placo(clearance, Q, targets),
        "mink (daqp)": lambda: _mink(clearance, Q, targets, avoid=False),
        "pink (daqp)": lambda: _pink(clearance, Q, targets),
    }


def avoiding_makers(clearance: Clearance, Q: Floats, targets: Floats) -> dict[str, Callable[[], Step]]:
    """Return how to build each peer's step that also keeps clear of all solids and of itself."""
    return {"mink (daqp)": lambda: _mink(clearance, Q, targets, avoid=True)}


def _placo(clearance: Clearance, Q: Floats, targets: Floats) -> Step:
    import placo

    chain = clearance.chain
    robot = placo.RobotWrapper(_file(urdf_of(chain, TOP), "robot.urdf"), placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(robot)
    solver.mask_fbase(True)  # noqa: FBT003  its own signature
    task = solver.add_frame_task("tip", np.eye(4))
    task.configure("tip", "soft", 1.0, 1.0)
    solver.enable_joint_limits(True)  # noqa: FBT003
    solver.enable_velocity_limits(True)  # noqa: FBT003
    solver.dt = DT
    solver.add_regularization_task(1e-4)
    robot.set_velocity_limits(TOP)
    for i in range(chain.n):
        robot.set_joint(f"j{i + 1}", float(Q[0, i]))
    robot.update_kinematics()

    def step(k: int) -> None:
        # it keeps its own joints, which follow the target from one step to the next
        task.T_world_frame = targets[k]
        solver.solve(True)  # noqa: FBT003
        robot.update_kinematics()

    return step


def _mink(clearance: Clearance, Q: Floats, targets: Floats, *, avoid: bool) -> Step:
    import mink
    import mujoco

    chain = clearance.chain
    model = mujoco.MjModel.from_xml_string(mjcf_with_capsules(clearance) if avoid else mjcf_of(chain))
    configuration = mink.Configuration(model)
    task = mink.FrameTask("tip", "site", 1.0, 1.0, lm_damping=1e-3)
    tops = {f"j{i + 1}": TOP for i in range(chain.n)}
    limits: list[Any] = [mink.ConfigurationLimit(model), mink.VelocityLimit(model, tops)]
    if avoid:
        moved = [f"c{k}" for k, c in enumerate(clearance.capsules) if c.link >= 0]
        solids = [f"s{k}" for k in range(len(clearance.solids))]
        groups = [(moved, solids), *(([f"c{i}"], [f"c{j}"]) for i, j in clearance.pairs.tolist())]
        limits.append(
            mink.CollisionAvoidanceLimit(
                model, groups, minimum_distance_from_collisions=0.005, collision_detection_distance=0.05
            )
        )

    def step(k: int) -> Any:
        configuration.update(Q[k])
        task.set_target(mink.SE3.from_matrix(targets[k]))
        return mink.solve_ik(configuration, [task], DT, "daqp", damping=1e-4, limits=limits)

    return step


def _pink(clearance: Clearance, Q: Floats, targets: Floats) -> Step:
    import pink
    import pinocchio

    model = pinocchio.buildModelFromXML(urdf_of(clearance.chain, TOP))
    data = model.createData()
    task = pink.tasks.FrameTask("tip", 1.0, 1.0, lm_damping=1e-3)

    def step(k: int) -> Any:
        task.set_target(pinocchio.SE3(targets[k][:3, :3].copy(), targets[k][:3, 3].copy()))
        configuration = pink.Configuration(model, data, Q[k])
        return pink.solve_ik(configuration, [task], DT, "daqp", damping=1e-4, safety_break=False)

    return step
