"""Machines on roads cut into parts, exported as FMUs and placed elsewhere in the importer's world."""

import fmpy
import numpy
import pytest
from conftest import ROOT, done, tenon
from systems import csv_columns, run

WHEEL = ROOT / "examples" / "braked_wheel.toml"

# An arm between stops, moved by an actuator; on it, at a bearing, a body that slides on a plane.
MACHINE = """[model]
name = "sweeper"

[[road]]
name = "floor"

[[body]]
name = "arm"
mass = 20.0
inertia = [0.5, 5.0, 5.0]
position = [0.5, 0.0, 0.3]

[[body]]
name = "shoe"
mass = 5.0
inertia = [0.05, 0.05, 0.05]
position = [1.0, 0.0, 0.2]

[[joint]]
name = "shoulder"
type = "revolute"
bodies = ["world", "arm"]
at = [0.0, 0.0, 0.3]
axis = [0, 1, 0]

[[joint]]
name = "wrist"
type = "revolute"
bodies = ["arm", "shoe"]
at = [1.0, 0.0, 0.3]
axis = [0, 1, 0]

[[force]]
name = "stop"
type = "joint_limit"
joint = "shoulder"
lower = -0.05
upper = 0.3
stiffness = 1e4
damping = 100.0

[[force]]
name = "motor"
type = "actuator"
joint = "shoulder"
effort = { time = [0.0, 0.2, 0.25, 0.5], value = [-300.0, -300.0, 100.0, 100.0] }

[[force]]
name = "sole"
type = "contact"
bodies = ["world", "shoe"]
road = "floor"
at = [1.0, 0.0, 0.2]
radius = 0.2
stiffness = 2e4
damping = 200.0

[solver]
integrator = "projection"
step = 5e-4
stop = 0.5
"""


def names_of(file, table):
    """Names in the [[tables]] of a model file."""
    lines = file.read_text().split("\n")
    return [lines[i + 1].split('"')[1] for i, line in enumerate(lines) if line == f"[[{table}]]"]


def glued_and_whole(model, joint, tmp_path, step):
    """Columns of a model cut at a joint and of the model in one piece, at the same times, and the folder of the parts."""
    parts = tmp_path / "parts"
    done(tenon("cut", model, "--at", joint, "-o", parts, "--step", repr(step), "--quiet"))
    done(run(parts / "system.toml", "--stop", "0.4", "--out", tmp_path / "glued.csv", "--quiet"))
    every = str(round(step / 5e-4))
    done(tenon("simulate", model, "--step", "5e-4", "--stop", "0.4", "--every", every, "--out", tmp_path / "whole.csv", "--quiet"))
    return csv_columns(tmp_path / "glued.csv"), csv_columns(tmp_path / "whole.csv"), parts


def test_a_braked_wheel_is_cut_at_its_bearing_and_takes_tyre_and_road_with_it(tmp_path):
    model = tmp_path / "wheel.toml"
    model.write_text(WHEEL.read_text().replace("step = 0.001", "step = 0.0005"))
    glued, whole, parts = glued_and_whole(model, "bearing", tmp_path, 0.002)
    assert names_of(parts / "wheel.toml", "road") == ["track"] and names_of(parts / "slider.toml", "road") == []
    assert names_of(parts / "wheel.toml", "force") == ["brake", "tyre"]
    assert names_of(parts / "slider.toml", "force") == ["suspension"]
    assert whole["hub.r_0[3]"].max() - whole["hub.r_0[3]"].min() > 0.03  # over the first bump
    for coordinate in [1, 3]:
        name = f"wheel.r_0[{coordinate}]"
        assert numpy.abs(glued[f"wheel.{name}"] - whole[name]).max() < 1e-6
        assert numpy.abs(glued[f"slider.car.r_0[{coordinate}]"] - whole[f"car.r_0[{coordinate}]"]).max() < 1e-6


def test_contacts_actuators_and_limits_go_with_their_bodies_and_joints(tmp_path):
    model = tmp_path / "sweeper.toml"
    model.write_text(MACHINE)
    glued, whole, parts = glued_and_whole(model, "wrist", tmp_path, 0.002)
    assert names_of(parts / "arm.toml", "force") == ["stop", "motor"] and names_of(parts / "arm.toml", "road") == []
    assert names_of(parts / "shoe.toml", "force") == ["sole"] and names_of(parts / "shoe.toml", "road") == ["floor"]
    for name in ["arm", "shoe"]:
        assert numpy.abs(glued[f"{name}.{name}.r_0[3]"] - whole[f"{name}.r_0[3]"]).max() < 1e-6
    angle = whole["shoulder.angle"]
    assert angle.min() < -0.05 and whole["shoe.r_0[3]"].min() < 0.1999  # it meets the stop, then the floor


@pytest.mark.parametrize("version", ["2", "3"])
def test_an_fmu_on_a_road_runs_as_the_model_and_its_world_carries_the_road(tmp_path, version):
    stop, step = 0.3, 0.001
    fmu = tmp_path / "wheel.fmu"
    done(tenon("export", WHEEL, "--fmi", version, "-o", fmu, "--quiet"))
    done(tenon("simulate", WHEEL, "--stop", repr(stop), "--out", tmp_path / "whole.csv", "--quiet"))
    whole = csv_columns(tmp_path / "whole.csv")

    def outputs(**start):
        options = dict(stop_time=stop, step_size=step, output_interval=step)
        return fmpy.simulate_fmu(str(fmu), start_values=start, **options)

    def position(result):
        if version == "3":
            return result["wheel.r_0"]
        return numpy.stack([result[f"wheel.r_0[{i}]"] for i in (1, 2, 3)], axis=1)

    here = position(outputs())
    inside = numpy.stack([whole[f"wheel.r_0[{i}]"] for i in (1, 2, 3)], axis=1)
    assert numpy.array_equal(here, inside)
    assert numpy.ptp(inside[:, 2]) > 0.01  # the bump is met
    # Turned by 90 degrees about z and lifted: gravity stays, the road comes along.
    turn, shift = numpy.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], dtype=float), numpy.array([3.0, -2.0, 0.5])
    if version == "3":
        start = {"world_r": shift, "world_R": turn.ravel()}
    else:
        start = {f"world_r[{i + 1}]": shift[i] for i in range(3)}
        start |= {f"world_R[{i + 1},{j + 1}]": turn[i, j] for i in range(3) for j in range(3)}
    there = position(outputs(**start))
    assert numpy.abs(there - (inside @ turn.T + shift)).max() < 1e-9
