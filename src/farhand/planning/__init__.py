"""Plans: motions of an arm that are proven free of collisions and timed within its limits.

A planner runs in a worker process, never in the cell; a plan is a plain value that enters the cell as an input.

The public API is the names in ``__all__``; the modules below are internal and may change.
"""

from farhand.planning.jobs import Found, PlanJob, do_plan
from farhand.planning.plan import Piece, Plan, Profile
from farhand.planning.planner import Planner
from farhand.planning.proof import prove

__all__ = ["Found", "Piece", "Plan", "PlanJob", "Planner", "Profile", "do_plan", "prove"]
