"""Plans: motions of an arm that are proven free of collisions and timed within its limits.

A planner runs in a worker process, never in the cell; a plan is a plain value that comes in as an input.
"""

from farhand.planning.planner import Planner
from farhand.planning.values import Piece, Plan, Profile
from farhand.planning.worker import Found, Job, PlanningWorker

__all__ = ["Found", "Job", "Piece", "Plan", "Planner", "PlanningWorker", "Profile"]
