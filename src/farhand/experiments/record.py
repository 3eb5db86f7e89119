"""The record of a run, tick by tick, as columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from farhand.kernels import Floats
from farhand.loop import Run
from farhand.masters import Modelled
from farhand.types import Tick

__all__ = ["Record"]


class Record:
    """Runs a cell with one robot, "arm", and its modelled master, and records both.

    Args:
        run: The run.
        master: The master's name.

    Attributes:
        time: (m,) time, s.
        intended: (m, 3) intended position of the hand, relative to its start, m, master's axes.
        hand: (m, 3) position of the hand, likewise.
        tip: (m, 3) position of the robot's tip, relative to its start, m, base axes.
        joints: (m, n) joint positions of the robot.
        rates: (m, n) joint rates of the robot.
        leading: (m, k) joint positions of the master.
        contact: (m, 3) contact force on the robot's tip, N, world axes.
        feedback: (m, 3) force on the hand, N, master's axes.
        energy: (m,) energy that the hand has put into its port, J.
        driving: (m,) whether the robot follows the master.
    """

    def __init__(self, run: Run, master: str) -> None:
        found = run.masters[master]
        assert isinstance(found, Modelled)
        self.run, self.master = run, found
        self._hand = np.array(found.pose.position)
        self._tip = np.array(run.cell.state.robots["arm"].T_base_tip.position)
        self.home = np.array(run.cell.state.robots["arm"].groups["arm"].positions)

    def take(self, seconds: float, watch: Callable[[Tick], None] | None = None) -> Record:
        """Run for some virtual seconds, record it, and return the record."""
        count = round(seconds / self.run.cell.dt)
        n, k = len(self.home), len(self.master.joints)
        self.time, self.energy, self.driving = np.zeros(count), np.zeros(count), np.zeros(count, dtype=bool)
        self.intended, self.hand, self.tip, self.contact, self.feedback = (np.zeros((count, 3)) for _ in range(5))
        self.joints, self.rates, self.leading = np.zeros((count, n)), np.zeros((count, n)), np.zeros((count, k))
        for i in range(count):
            tick = self.run.tick()
            self._keep(i, tick)
            if watch:
                watch(tick)
        self.intended -= self._hand
        self.hand -= self._hand
        self.tip -= self._tip
        return self

    def _keep(self, i: int, tick: Tick) -> None:
        robot, master = tick.state.robots["arm"], self.master
        self.time[i], self.driving[i] = tick.time, tick.lanes["arm"].mode == "teleoperation"
        self.intended[i], self.hand[i] = master.intended.position, master.pose.position
        self.tip[i], self.contact[i] = robot.T_base_tip.position, robot.contact.force
        self.joints[i], self.rates[i] = robot.groups["arm"].positions, robot.groups["arm"].rates
        self.leading[i], self.feedback[i], self.energy[i] = master.joints, master.felt.force, master.memory.energy

    def columns(self, thin: int = 1) -> dict[str, Floats]:
        """Return every `thin`-th tick as columns for a file."""
        found: dict[str, Floats] = {"time (s)": self.time}
        for name, values in (("intended", self.intended), ("hand", self.hand), ("tip", self.tip)):
            found |= {f"{name} {axis} (m)": values[:, i] for i, axis in enumerate("xyz")}
        found |= {f"contact {axis} (N)": self.contact[:, i] for i, axis in enumerate("xyz")}
        found |= {f"hand force {axis} (N)": self.feedback[:, i] for i, axis in enumerate("xyz")}
        found["port energy (J)"] = self.energy
        for i, joint in enumerate(self.run.cell.lanes["arm"].model.arm.joints):
            found[f"{joint.name} ({_unit(joint.kind)})"] = self.joints[:, i]
            found[f"{joint.name} ({_unit(joint.kind)}/s)"] = self.rates[:, i]
        found |= {f"master joint {i + 1}": self.leading[:, i] for i in range(self.leading.shape[1])}
        return {name: values[::thin] for name, values in found.items()}


def _unit(kind: str) -> str:
    return "rad" if kind == "hinge" else "m"
