"""The configurations of a cell's robots: from the cell file, with all changes made since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.cell.limit_conflicts import check_clear, check_limits, check_noise
from farhand.cell.robot_setup import around_of, setup_of
from farhand.config import ConfigError
from farhand.devices import Device
from farhand.errors import CellFileError
from farhand.filters.wrist_wrench import Mount, Wrist
from farhand.formats.model import RobotModel
from farhand.lane import Lane, RobotConfig
from farhand.lane.lane_setup import LaneSetup
from farhand.mapping import DrivenRobot
from farhand.surroundings import Arenas
from farhand.types import ObjectSpec
from farhand.world import Compiled, Placement, World

__all__ = ["RobotConfigs", "RobotMaker"]


class RobotConfigs(Struct, frozen=True):
    """The configurations of all robots, as one value.

    Args:
        specs: The robots' tables, changes included.
        lanes: The lanes, by robot; each has the arena of its arm.
        arenas: The maker of arenas for arms with `avoid`; it also remakes them after edits of the world.
    """

    specs: dict[str, RobotSpec]
    lanes: dict[str, Lane]
    arenas: Arenas

    def among(self, compiled: Compiled) -> RobotConfigs:
        """Return the same robots with the arenas of a world."""
        made = self.arenas.made(compiled, {name: lane.filters for name, lane in self.lanes.items()})
        lanes = {
            name: lane.among(made.get(name)) if name in made or lane.arena else lane
            for name, lane in self.lanes.items()
        }
        return replace(self, lanes=lanes)


class RobotMaker:
    """Makes the configurations of robots, and remakes them when a table or the world changes.

    Args:
        spec: The content of the cell file.
        path: The cell file.
        devices: The devices of masters that have joints, by master.
    """

    def __init__(self, spec: CellSpec, path: Path, devices: Mapping[str, Device]) -> None:
        self._spec, self._path = spec, path
        self._devices = {
            name: devices.get(robot.master or next(iter(spec.masters), "")) for name, robot in spec.robots.items()
        }

    def first(self, world: World) -> RobotConfigs:
        """Return the robots of the cell file.

        Raises:
            CellFileError: If a mapping's or filter's settings do not fit, or limits contradict each other.
        """
        lanes = {name: self._lane(name, robot, world) for name, robot in self._spec.robots.items()}
        for name, lane in lanes.items():
            try:
                check_limits(lane, around_of(name, world))
                check_noise(lane.setup.filters.values(), world.rig(name).placement.wrist)
            except ConfigError as error:
                raise error.within(f"robots.{name}").in_file(self._path, CellFileError) from error
        arenas = self._arenas(self._spec.robots, world.compiled, named=True)
        configs = RobotConfigs(self._spec.robots, lanes, arenas).among(world.compiled)
        for name in configs.lanes:
            self.check_clear(configs, name, world)
        return configs

    def altered(
        self,
        configs: RobotConfigs,
        name: str,
        after: RobotSpec,
        world: World,
        objects: tuple[ObjectSpec, ...] | None = None,
    ) -> RobotConfigs:
        """Return the robots with a changed table of one of them.

        Args:
            configs: The present robots.
            name: The robot whose table changes.
            after: Its new table.
            world: The world that they stand in.
            objects: The objects around them, if not those of the world.

        Raises:
            ConfigError: If the table does not fit.
        """
        lane, now = configs.lanes[name], configs.specs[name]
        setup = self._setup(name, after, lane.config.driven, world, objects, (now, lane.setup))
        check_noise(setup.filters.values(), world.rig(name).placement.wrist)
        return replace(
            configs, specs={**configs.specs, name: after}, lanes={**configs.lanes, name: lane.altered(setup)}
        )

    def remade(
        self, configs: RobotConfigs, names: Iterable[str], world: World, specs: Mapping[str, RobotSpec] | None = None
    ) -> RobotConfigs:
        """Return the robots in a world in which some have another tool or drive; those get new lanes.

        Args:
            configs: The present robots.
            names: The robots with another tool or drive.
            world: The world that they stand in.
            specs: The robots' tables, if they changed.

        Raises:
            CellFileError: If a mapping's or filter's settings do not fit.
        """
        said = dict(specs or configs.specs)
        fresh = {name: self._lane(name, said[name], world) for name in names}
        arenas = self._arenas(said, world.compiled)
        return RobotConfigs(said, {**configs.lanes, **fresh}, arenas).among(world.compiled)

    def keeping_clear(self, configs: RobotConfigs, compiled: Compiled) -> RobotConfigs:
        """Return the robots with the arenas that their tables ask for now.

        Raises:
            CellFileError: If `avoid` does not suit an arm, or names an unknown body.
        """
        return replace(configs, arenas=self._arenas(configs.specs, compiled, named=True)).among(compiled)

    def check_clear(self, configs: RobotConfigs, name: str, world: World) -> None:
        """Check that an arm with `avoid` keeps its clearance at home.

        Raises:
            CellFileError: If it does not.
        """
        lane = configs.lanes[name]
        try:
            if lane.arena:
                check_clear(lane, lane.arena, world.state)
        except ConfigError as error:
            raise error.within(f"robots.{name}").in_file(self._path, CellFileError) from error

    def _arenas(self, specs: Mapping[str, RobotSpec], compiled: Compiled, *, named: bool = False) -> Arenas:
        try:
            arenas = Arenas({name: robot.avoid for name, robot in specs.items() if robot.avoid}, compiled)
            if named:
                arenas.check_names(compiled)
        except ConfigError as error:
            raise error.in_file(self._path, CellFileError) from error
        return arenas

    def _lane(self, name: str, robot: RobotSpec, world: World) -> Lane:
        try:
            return Lane(self._config(name, robot, world))
        except ConfigError as error:
            raise error.within(f"robots.{name}").in_file(self._path, CellFileError) from error

    def _config(self, name: str, robot: RobotSpec, world: World) -> RobotConfig:
        """Return the configuration of a robot in a world."""
        rig, dt = world.rig(name), self._spec.timestep
        driven = _driven(rig.placement.model, self._devices[name], dt)
        return RobotConfig(
            name=name,
            model=rig.placement.model,
            chain=rig.chain,
            dt=dt,
            home=rig.placement.home_joints(),
            leads=rig.leads(),
            grip_lead=rig.grip_lead(),
            flipper_leads=rig.flipper_leads(),
            base=world.compiled.bases[name].rotation,
            driven=driven,
            setup=self._setup(name, robot, driven, world),
            power=robot.power,
            wrist=_wrist(rig.placement, world, dt),
        )

    def _setup(
        self,
        name: str,
        robot: RobotSpec,
        driven: DrivenRobot,
        world: World,
        objects: tuple[ObjectSpec, ...] | None = None,
        before: tuple[RobotSpec, LaneSetup] | None = None,
    ) -> LaneSetup:
        return setup_of(robot, self._spec, driven, around_of(name, world, objects), before)


def _wrist(placement: Placement, world: World, dt: float) -> Wrist | None:
    """Return the reader of a robot's wrist sensor, or None."""
    if placement.wrist is None:
        return None
    tool, base = world.rig(placement.name).tool_on_sensor(), world.compiled.bases[placement.name].rotation
    payload, gripper = placement.wrist.payload, placement.model.gripper
    mount = Mount(tool.T_tip_sensor, tool.mass, tool.centre, payload, base, gripper, tool.solid)
    return Wrist(mount, dt)


def _driven(model: RobotModel, device: Device | None, dt: float) -> DrivenRobot:
    """Return the figures of a robot that mappings need."""
    joints, gripper = model.arm.joints, model.gripper
    return DrivenRobot(
        velocity=tuple(joint.velocity for joint in joints),
        opening=gripper.opening if gripper else 0.0,
        grip_speed=gripper.speed if gripper else 0.0,
        joints=tuple(joint.name for joint in joints),
        device=device,
        dt=dt,
        tracks=model.tracks,
        slides=tuple(joint.name for joint in joints if joint.kind == "slide"),
    )
