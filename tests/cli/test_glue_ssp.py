"""Glued systems saved as SSP: other tools run them with couplers in the place of the joints, Tenon runs them exactly."""

import pathlib
import zipfile

import fmpy.ssp
import numpy
import pytest
from conftest import ROOT, done, tenon
from fmpy.ssp.simulation import simulate_ssp
from fmpy.ssp.ssd import read_ssd, read_ssv
from fmpy.validation import validate_fmu
from lxml import etree
from systems import csv_columns, run, write
from test_glue import ARM, HAND, SYSTEM, WHOLE

GLUE = ROOT / "examples" / "glue"
FMPY_STEP = 1e-3  # couplers follow one step late: their gap falls with its square


@pytest.fixture
def arm_and_hand(tmp_path):
    """A system of two model files, which become FMUs of FMI 2.0."""
    write(tmp_path, ARM, "arm.toml")
    write(tmp_path, HAND, "hand.toml")
    return write(tmp_path, SYSTEM.replace(".fmu", ".toml"))


def saved(system, folder, *words):
    """The SSP of a system, not run."""
    file = folder / "saved.ssp"
    done(run(system, "--save", file, "--no-run", "--quiet", *words))
    return file


def content(ssp, name):
    with zipfile.ZipFile(ssp) as archive:
        return archive.read(name)


def test_the_description_is_valid_ssp_1_0(tmp_path):
    schemas = pathlib.Path(fmpy.ssp.__file__).parent / "schema"
    schema = etree.XMLSchema(etree.parse(str(schemas / "SystemStructureDescription.xsd")))
    for name in ("four_bar", "bricard", "road_train"):
        document = etree.fromstring(content(saved(GLUE / name / "system.toml", tmp_path), "SystemStructure.ssd"))
        assert schema.validate(document), schema.error_log
        assert document.get("version") == "1.0"


def test_every_joint_has_a_coupler_that_is_connected_and_the_truth_is_an_annotation(tmp_path):
    ssp = saved(GLUE / "four_bar" / "system.toml", tmp_path)
    system = read_ssd(str(ssp)).system
    assert [component.name for component in system.elements] == ["crank", "coupler", "rocker", "left_coupler", "right_coupler"]
    for joint, sides in {"left": ("crank", "coupler"), "right": ("coupler", "rocker")}.items():
        for side in sides:
            to = [c for c in system.connections if c.startElement == side and c.endElement == f"{joint}_coupler"]
            back = [c for c in system.connections if c.startElement == f"{joint}_coupler" and c.endElement == side]
            assert (len(to), len(back)) == (18, 6)  # r_0, R, v_0, w_0; f_0, t_0
    text = content(ssp, "SystemStructure.ssd").decode()
    assert 'type="dev.tenon.glue"' in text and 'xmlns:g="urn:dev.tenon.glue:1"' in text
    assert '<g:Joint name="left" type="revolute" a="crank/tip" b="coupler/left" axis="0 0 1" coupler="left_coupler"/>' in text
    assert "LinearTransformation" not in text  # each side's force is an output with its own sign


def test_couplers_are_good_fmus(arm_and_hand, tmp_path):
    coupler = tmp_path / "wrist.fmu"
    coupler.write_bytes(content(saved(arm_and_hand, tmp_path), "resources/wrist_coupler.fmu"))
    assert validate_fmu(str(coupler)) == []
    done(tenon("check", coupler))
    # A joint that is closed needs no force; one that is open pulls both sides together, with opposite forces.
    names = [f"{side}.{member}" for side in ("a", "b") for member in ("f_0[1]", "f_0[2]", "f_0[3]", "t_0[1]")]
    closed = fmpy.simulate_fmu(str(coupler), output=names, stop_time=0.1, step_size=0.01)
    assert all(numpy.abs(closed[name]).max() < 1e-9 for name in names)
    apart = fmpy.simulate_fmu(str(coupler), output=names, start_values={"b.r_0[3]": 0.01}, stop_time=0.1, step_size=0.01)
    assert apart["a.f_0[3]"][-1] > 0.1 and apart["b.f_0[3]"][-1] == -apart["a.f_0[3]"][-1]


def test_fmpy_runs_the_couplers_near_the_exact_motion(arm_and_hand, tmp_path):
    found = simulate_ssp(str(saved(arm_and_hand, tmp_path, "--step", FMPY_STEP)), stop_time=0.5, step_size=FMPY_STEP)
    whole = write(tmp_path, WHOLE, "whole.toml")
    done(tenon("simulate", whole, "--stop", "0.5", "--every", "4", "--out", tmp_path / "whole.csv", "--quiet"))
    exact = csv_columns(tmp_path / "whole.csv")
    for i in (1, 2, 3):  # the hand's frame is at its port; row k is at the end of step k + 1
        name = f"[{i}]"
        assert numpy.abs(found["hand.root.r_0" + name] - exact["hand.r_0" + name][1:]).max() < 0.01
        assert numpy.abs(found["hand.root.r_0" + name] - found["arm.tip.r_0" + name]).max() < 0.005
    assert numpy.abs(exact["hand.r_0[3]"]).max() > 0.5  # it has moved


@pytest.mark.parametrize("name, gap, error", [("four_bar", 0.05, 0.3), ("bricard", 0.01, 0.05), ("road_train", 1e-3, 1e-2)])
def test_fmpy_runs_the_examples_near_the_exact_motion(tmp_path, name, gap, error):
    system = GLUE / name / "system.toml"
    ssp = saved(system, tmp_path, "--step", FMPY_STEP)
    found = simulate_ssp(str(ssp), stop_time=1.0, step_size=FMPY_STEP, parameter_set=parameters(ssp))
    joints = etree.fromstring(content(ssp, "SystemStructure.ssd")).findall(".//{urn:dev.tenon.glue:1}Joint")
    ports = [[joint.get(side).replace("/", ".") for side in "ab"] for joint in joints]
    for a, b in ports:
        assert distance(found, a, found, b).max() < gap
    done(run(system, "--out", tmp_path / "exact.csv", "--stop", "1", "--quiet"))
    exact = csv_columns(tmp_path / "exact.csv")
    nth = round(0.01 / FMPY_STEP)  # row k is at the end of step k + 1
    rows = {variable: exact[variable][1:] for pair in ports for port in pair for variable in exact if variable.startswith(port)}
    for port in (port for pair in ports for port in pair):
        assert distance(found[nth - 1 :: nth], port, rows, port).max() < error


def distance(one, port, other, its_port):
    """Between the origins of two ports, row by row."""
    return sum((one[f"{port}.r_0[{i}]"] - other[f"{its_port}.r_0[{i}]"]) ** 2 for i in (1, 2, 3)) ** 0.5


def parameters(ssp):
    """FMPy's runner reads no parameter bindings by itself: those of the components, under the components' names."""
    whole = None
    with zipfile.ZipFile(ssp) as archive:
        for name in archive.namelist():
            if name.endswith(".ssv"):
                archive.extract(name, ssp.parent)
                values = read_ssv(str(ssp.parent / name))
                for parameter in values.parameters:
                    parameter.name = f"{pathlib.Path(name).stem}.{parameter.name}"
                if whole:
                    whole.parameters += values.parameters
                else:
                    whole = values
    return whole


@pytest.mark.parametrize("name", ["four_bar", "bricard", "road_train"])
def test_reloaded_it_runs_as_before_bit_for_bit(tmp_path, name):
    ssp = tmp_path / "saved.ssp"
    done(run(GLUE / name / "system.toml", "--save", ssp, "--out", tmp_path / "first.csv", "--stop", "0.5"))
    done(run(ssp, "--out", tmp_path / "again.csv", "--stop", "0.5"))
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "first.csv").read_bytes()


BOOM = """\
[model]
name = "boom"

[[body]]
name = "boom"
mass = 180.0
inertia = [2.0, 70.0, 70.0]
position = [1.0, 0.0, 1.0]

[[body]]
name = "stick"
mass = 90.0
inertia = [8.0, 8.0, 0.6]
position = [2.0, 0.0, 0.5]

[[joint]]
name = "foot"
type = "revolute"
bodies = ["world", "boom"]
at = [0.0, 0.0, 1.0]
axis = [0.0, 1.0, 0.0]

[[joint]]
name = "elbow"
type = "revolute"
bodies = ["boom", "stick"]
at = [2.0, 0.0, 1.0]
axis = [0.0, 1.0, 0.0]

[[force]]
name = "cylinder"
type = "spring_damper"
bodies = ["world", "boom"]
points = [[0.5, 0.0, 0.0], [1.0, 0.0, 1.0]]
stiffness = 4e5
damping = 2e4
free_length = 1.134

[solver]
integrator = "munthe-kaas"
step = 5e-4
"""


def test_a_boom_under_load_stays_up_in_fmpy(tmp_path):
    """The cylinder carries about 4500 N m about the foot; without the joint the stick would fall 1.2 m in half a second."""
    model = write(tmp_path, BOOM, "boom.toml")
    for at in ("elbow", "foot,elbow"):
        parts = tmp_path / at
        done(tenon("cut", model, "--at", at, "-o", parts, "--step", FMPY_STEP, "--quiet"))
        ssp = saved(parts / "system.toml", tmp_path)
        found = simulate_ssp(str(ssp), stop_time=0.5, step_size=FMPY_STEP, parameter_set=parameters(ssp))
        done(run(parts / "system.toml", "--stop", "0.5", "--out", tmp_path / "exact.csv", "--quiet"))
        exact = csv_columns(tmp_path / "exact.csv")
        rows = {name: values[1:] for name, values in exact.items()}
        assert abs(exact["stick.elbow.r_0[3]"] - 1).max() < 0.1
        assert distance(found, "stick.elbow", rows, "stick.elbow").max() < 0.01
