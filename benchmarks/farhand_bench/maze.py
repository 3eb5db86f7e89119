"""A driver in a maze, who knows its plan and sees the robot's position with a small error and delay.

The driver keeps to the middle of the corridors and takes corners in arcs about their inner edge: the robot cannot turn
in place there.
"""

from __future__ import annotations

import math
from collections import deque
from itertools import pairwise
from random import Random

from msgspec import Struct

from farhand.config import convert
from farhand.types import Load
from farhand.world.pieces.maze import Maze, walls_of
from farhand_bench.courts import ROBOT, court
from farhand_bench.driver import Driver

__all__ = ["PLAN", "MazeRun", "drive_through", "route_through", "try_maze"]

# the plan of the cell telemax-maze
PLAN = (
    "+--+--+--+--+",
    "   |     |  |",
    "+  +  +  +  +",
    "|  |  |     |",
    "+  +  +--+  +",
    "|     |      ",
    "+--+--+--+--+",
)
FOLDED = math.radians(105.0)  # flippers, for the shortest robot
SPEED, AHEAD = 0.35, 0.10  # m/s, and m of look-ahead
STEER, SQUARE = 2.2, 1.8  # rad/s per metre beside the path, and per radian off its direction
HAND, LATE = 0.02, 0.1  # s: interval and delay of the driver's reaction
BLURRED, TURNED, FORGETS = 0.008, 0.01, 1.0  # m, rad: error of the driver's view; s: its correlation time
PUSH, PUSHED = 20.0, 0.7  # N at the arm's tip, s between two pushes
FINE = 0.01  # m between two points of the path
TIME_OUT_S = 90.0

Point = tuple[float, float]
Place = tuple[int, int]


class MazeRun(Struct, frozen=True):
    """Result of a drive through a maze.

    Args:
        through: True if the robot came out.
        touched: Number of ticks in which it touched a wall.
        seconds: Duration.
    """

    through: bool
    touched: int
    seconds: float


def route_through(plan: tuple[str, ...]) -> list[Place]:
    """Return the shortest route from the open left side of a plan to its open right side: row and column of each cell.

    The first and the last cell are outside.
    """
    along, down = walls_of(plan)
    rows, columns = len(plan) // 2, max(column for _, column in down)
    start = next((row, -1) for row in range(rows) if (row, 0) not in down)
    came: dict[Place, Place] = {start: start}
    waiting = deque([start])
    while waiting:
        row, column = place = waiting.popleft()
        if column == columns:
            return _back(place, came)
        ways = [(row, column + 1, (row, column + 1) in down), (row, column - 1, (row, column) in down)]
        if column >= 0:
            ways += [(row + 1, column, (row + 1, column) in along), (row - 1, column, (row, column) in along)]
        for r, c, wall in ways:
            inside = 0 <= r < rows and (0 <= c < columns or (c == columns and not wall))
            if inside and not wall and (r, c) not in came:
                came[r, c] = place
                waiting.append((r, c))
    raise ValueError("the plan has no route through")


def _back(place: Place, came: dict[Place, Place]) -> list[Place]:
    found = [place]
    while came[found[-1]] != found[-1]:
        found.append(came[found[-1]])
    return found[::-1]


def _way(maze: Maze) -> list[Point]:
    """Return points along the middle of the corridors, with quarter circles at corners."""
    pitch, (x, y, _) = maze.corridor + maze.wall, maze.position
    middles = [(x + (column + 0.5) * pitch, y - (row + 0.5) * pitch) for row, column in route_through(maze.plan)]
    borders = [_mean(a, b) for a, b in pairwise(middles)]
    found = _line((middles[0][0] - pitch, middles[0][1]), borders[0])
    for (enters, leaves), middle in zip(pairwise(borders), middles[1:-1], strict=True):
        straight = math.dist(_mean(enters, leaves), middle) < 1e-9
        found += _line(enters, leaves) if straight else _arc(enters, leaves, middle)
    out = borders[-1]
    return found + _line(out, (out[0] + 1.5 * pitch, out[1]))


def _mean(a: Point, b: Point) -> Point:
    return (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))


def _line(a: Point, b: Point) -> list[Point]:
    count = max(1, round(math.dist(a, b) / FINE))
    return [(a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count) for i in range(count)]


def _arc(a: Point, b: Point, corner: Point) -> list[Point]:
    """Return a quarter circle from a to b about the inner edge of the corner."""
    centre = (a[0] + b[0] - corner[0], a[1] + b[1] - corner[1])
    first, last = ((p[0] - centre[0], p[1] - centre[1]) for p in (a, b))
    count = max(1, round(0.5 * math.pi * math.hypot(*first) / FINE))
    turns = [0.5 * math.pi * i / count for i in range(count)]
    return [
        tuple(centre[k] + math.cos(t) * first[k] + math.sin(t) * last[k] for k in (0, 1))  # type: ignore[misc]
        for t in turns
    ]


class _Eyes:
    """The driver's view of the robot's position, with a slowly varying error and a delay.

    Args:
        driver: The driver.
        random: Source of the error.
    """

    def __init__(self, driver: Driver, random: Random) -> None:
        self._driver, self._random = driver, random
        self._wrong = [0.0, 0.0, 0.0]
        self._seen: deque[tuple[float, float, float]] = deque(maxlen=max(1, round(LATE / HAND)))

    def look(self) -> tuple[float, float, float]:
        """Return x, y and heading as seen now."""
        base = self._driver.robot.T_world_base
        assert base is not None
        keep = math.exp(-HAND / FORGETS)
        noise = math.sqrt(1.0 - keep * keep)
        for i, wide in enumerate((BLURRED, BLURRED, TURNED)):
            self._wrong[i] = keep * self._wrong[i] + noise * self._random.gauss(0.0, wide)
        w, x, y, z = base.rotation
        heading = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        now = (base.position[0], base.position[1], heading)
        self._seen.append((now[0] + self._wrong[0], now[1] + self._wrong[1], now[2] + self._wrong[2]))
        return self._seen[0]


def drive_through(driver: Driver, maze: Maze, random: Random) -> MazeRun:
    """Drive through a maze, while random forces push at the arm.

    Args:
        driver: Driver of the robot, in front of the maze.
        maze: The maze.
        random: Source of the pushes and of the driver's error.
    """
    driver.pose(FOLDED, FOLDED)
    way, eyes, at, touched, since = _way(maze), _Eyes(driver, random), 0, 0, driver.tick.time
    next_push, every = since, round(HAND / driver.cell.dt)
    while driver.tick.time - since < TIME_OUT_S:
        if driver.tick.time >= next_push:
            angle, next_push = random.uniform(0.0, 2.0 * math.pi), next_push + PUSHED
            force = (PUSH * math.cos(angle), PUSH * math.sin(angle), 0.0)
            driver.send(Load(ROBOT, force))
        x, y, heading = eyes.look()
        at = _nearest(way, at, (x, y))
        if at >= len(way) - 2:
            break
        steered = _steered(way, at, x, y, heading)
        for _ in range(every):
            driver.step(*steered, (0.0,) * 4)
            touched += any(name.startswith(maze.name) for name in driver.cell.world.touched_by(ROBOT))
    driver.drive(0.5)
    place = driver.robot.T_world_base
    assert place is not None
    return MazeRun(math.dist(place.position[:2], way[-1]) < 0.3, touched, driver.tick.time - since)


def _nearest(way: list[Point], at: int, place: Point) -> int:
    """Return the index of the nearest point of the path, near the last one."""
    near = range(at, min(at + 30, len(way)))
    return min(near, key=lambda i: math.dist(way[i], place))


def _steered(way: list[Point], at: int, x: float, y: float, heading: float) -> tuple[float, float]:
    """Return speed and turn rate: along the path, and back to its middle."""
    ahead = min(at + round(AHEAD / FINE), len(way) - 2)
    towards = [_direction(way, i) for i in (max(ahead - 5, 0), min(ahead + 5, len(way) - 2))]
    bend = _wrapped(towards[1] - towards[0]) / (10 * FINE)
    along = _direction(way, min(at, len(way) - 2))
    across = -math.sin(along) * (x - way[at][0]) + math.cos(along) * (y - way[at][1])
    turn = SPEED * bend - STEER * across - SQUARE * _wrapped(heading - along)
    return SPEED, turn


def _direction(way: list[Point], i: int) -> float:
    return math.atan2(way[i + 1][1] - way[i][1], way[i + 1][0] - way[i][0])


def _wrapped(angle: float) -> float:
    return math.remainder(angle, 2.0 * math.pi)


def try_maze(random: Random, plan: tuple[str, ...] = PLAN) -> MazeRun:
    """Return the result of a drive through a maze, from a slightly displaced start."""
    settings = {"name": "maze", "position": (0.8, 0.43, 0.0), "plan": plan}
    driver = Driver(
        court({"kind": "maze"} | settings, x=-0.5, y=random.uniform(-0.05, 0.05), heading=random.uniform(-0.05, 0.05))
    )
    driver.drive(0.3)
    return drive_through(driver, convert(settings, Maze), random)
