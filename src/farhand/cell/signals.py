"""Interim: replaced by the signals work."""
from collections.abc import Callable
from msgspec import Struct
from farhand.types import Tick
class Signal(Struct, frozen=True):
    name: str
    label: str
    unit: str
    group: str
    read: Callable[[Tick], float]
def signals_of(cell):
    out=[]
    for r, lane in cell.lanes.items():
        for i,j in enumerate(lane.model.arm.joints):
            out.append(Signal(f"{r}/joint {i+1}/position", f"Joint {i+1}", "°", r, lambda t,i=i,r=r: t.state.robots[r].groups["arm"].positions[i]*57.29578))
    return tuple(out)
