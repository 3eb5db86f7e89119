"""Drive your own robot: load a URDF, MJCF or robot.toml by its path."""

from pathlib import Path
from tempfile import TemporaryDirectory

from farhand import Cell, Run
from farhand.masters import Manual
from farhand.notes import render

LINK = '<link name="{0}"><visual><geometry><cylinder radius=".04" length=".4"/></geometry></visual></link>'
JOINT = """<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/>
<origin xyz="0 0 {3}"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="60" velocity="2"/></joint>"""
URDF = (
    '<robot name="twin">'
    + "".join(LINK.format(name) for name in ("base", "upper", "fore"))
    + JOINT.format("shoulder", "base", "upper", 0.4)
    + JOINT.format("elbow", "upper", "fore", 0.4)
    + "</robot>"
)

with TemporaryDirectory() as folder:
    path = Path(folder) / "twin.urdf"
    path.write_text(URDF)
    cell = Cell.for_robot(path)
for note in cell.notes()["robot"]:
    print("note:", render(note).text)

hand = Manual()
run = Run(cell, {"hand": hand})
run.tick()
hand.set(deadman=True, axes=(1.0, -0.5))
tick = run.run(1.0)
print("joints:", [round(q, 2) for q in tick.state.robots["robot"].groups["arm"].positions])
