"""FMUs glued at joints as a user does it: parts, system file, run; against the machine in one piece; and what is refused."""

import h5py
import numpy
import pytest
from conftest import ROOT, done, read_json, refused, tenon
from systems import csv_columns, run, run_summary, write

GLUE = ROOT / "examples" / "glue"

ARM = """\
[model]
name = "arm"

[[body]]
name = "arm"
mass = 1.0
com = [0.5, 0.0, 0.0]
inertia = [0.01, 0.09, 0.09]

[[joint]]
name = "shoulder"
type = "revolute"
bodies = ["world", "arm"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.2]

[[port]]
name = "tip"
body = "arm"
at = [1.0, 0.0, 0.0]

[solver]
integrator = "munthe-kaas"
step = 2.5e-3
"""

HAND = """\
[model]
name = "hand"

[[body]]
name = "hand"
mass = 0.5
com = [0.0, 0.2, 0.0]
inertia = [0.02, 0.01, 0.02]
position = [1.0, 0.0, 0.0]

[[port]]
name = "root"
body = "hand"
at = [1.0, 0.0, 0.0]

[solver]
integrator = "munthe-kaas"
step = 2.5e-3
"""

SYSTEM = """\
[system]
name = "arm_and_hand"

[[fmu]]
name = "arm"
file = "arm.fmu"

[[fmu]]
name = "hand"
file = "hand.fmu"

[[joint]]
name = "wrist"
type = "revolute"
a = "arm/tip"
b = "hand/root"
axis = [1.0, 0.0, 0.0]

[master]
step = 0.01
stop = 0.5
"""

WHOLE = (
    ARM.split("[[port]]")[0]
    + HAND.split("[[port]]")[0].split("[model]\nname = \"hand\"\n")[1]
    + """
[[joint]]
name = "wrist"
type = "revolute"
bodies = ["arm", "hand"]
at = [1.0, 0.0, 0.0]
axis = [1.0, 0.0, 0.0]

[solver]
integrator = "munthe-kaas"
step = 2.5e-4
"""
)


@pytest.fixture
def parts(tmp_path):
    """arm.fmu, hand.fmu and the system that glues them."""
    for name, text in {"arm": ARM, "hand": HAND}.items():
        model = write(tmp_path, text, f"{name}.toml")
        done(tenon("export", model, "--fmi", "3" if name == "hand" else "2", "-o", tmp_path / f"{name}.fmu", "--quiet"))
    return write(tmp_path, SYSTEM)


def largest_difference(glued, whole, bodies, nth):
    """Of the positions of bodies {fmu.body: body}, every nth row of the whole."""
    return max(
        numpy.abs(glued[f"{a}.r_0[{i}]"] - whole[f"{b}.r_0[{i}]"][::nth]).max() for a, b in bodies.items() for i in (1, 2, 3)
    )


def test_two_exported_parts_move_as_the_machine_in_one_piece(parts, tmp_path):
    summary, out = tmp_path / "summary.json", tmp_path / "glued.csv"
    done(run(parts, "--out", out, "--json", summary))
    whole = write(tmp_path, WHOLE, "whole.toml")
    done(tenon("simulate", whole, "--stop", "0.5", "--every", "40", "--out", tmp_path / "whole.csv", "--quiet"))
    glued, one = csv_columns(out), csv_columns(tmp_path / "whole.csv")
    assert largest_difference(glued, one, {"arm.arm": "arm", "hand.hand": "hand"}, 1) < 1e-5
    content = run_summary(summary)
    assert content["status"] == "done" and content["rollbacks"] > 0
    (joint,) = content["joints"]
    assert joint["name"] == "wrist" and joint["method"] == "newton"
    assert joint["gap"] < 1e-6
    assert abs(joint["work_a"]) > 0.01 and abs(joint["work_a"] + joint["work_b"]) < 1e-4
    assert content["max_position_violation"] < 1e-6
    assert content["max_energy_error"] < 1e-4


def test_the_command_says_how_each_joint_is_glued(parts):
    result = done(run(parts))
    assert "wrist" in result.stdout and "newton" in result.stdout


def test_no_run_says_how_the_joints_would_be_glued_and_what_is_redundant(tmp_path):
    system, summary = GLUE / "four_bar" / "system.toml", tmp_path / "summary.json"
    text = done(run(system, "--no-run", "--out", tmp_path / "x.csv", "--json", summary)).stdout
    assert "joints 'left', 'right': method newton: its FMUs support rollback" in text
    assert "3 of 10 rows are redundant" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["joint", "method", "rows", "redundant"] in rows
    assert text.endswith("The system is in order; nothing was run.\n")
    assert not (tmp_path / "x.csv").exists()
    content = run_summary(summary)
    assert content["status"] == "done" and content["steps"] == 0 and content["rank_deficiency"] == 3
    assert [joint["method"] for joint in content["joints"]] == ["newton", "newton"]
    assert sum(joint["redundant"] for joint in content["joints"]) == 3


def test_no_run_of_a_joint_that_does_not_fit_is_refused(parts):
    parts.write_text(SYSTEM.replace('file = "hand.fmu"', 'file = "hand.fmu"\nset = { world_r = [0.5, 0, 0] }'))
    assert "a gap of 0.5 m" in refused(run(parts, "--no-run"), 65)


def test_columns_of_joints_and_ports_have_units_and_descriptions(parts, tmp_path):
    done(run(parts, "--stop", "0.02", "--vars", "wrist.*,arm.tip.*", "--out", tmp_path / "x.h5", "--quiet"))
    with h5py.File(tmp_path / "x.h5") as file:
        names, units, texts = (list(file[key].asstr()[:]) for key in ["names", "units", "descriptions"])
    columns = {name: (unit, text) for name, unit, text in zip(names, units, texts)}
    assert all(text for _, text in columns.values())
    assert [name for name, (unit, _) in columns.items() if not unit and ".R[" not in name] == []
    assert columns["wrist.gap"][0] == "m" and "open" in columns["wrist.gap"][1]
    assert columns["wrist.angle"] == ("rad", "angle of side b relative to side a, zero at the start")
    assert columns["wrist.rate"] == ("rad/s", "rate of the angle")
    assert columns["arm.tip.f_0[1]"] == ("N", "force on the machine at port tip")
    assert columns["arm.tip.t_0[3]"] == ("N.m", "torque on the machine at port tip")


def test_plots_of_a_csv_name_the_units_of_gaps(parts, tmp_path):
    done(run(parts, "--stop", "0.02", "--out", tmp_path / "x.csv", "--quiet"))
    done(tenon("plot", tmp_path / "x.csv", "--vars", "*.gap", "-o", tmp_path / "x.svg", "--json", tmp_path / "p.json"))
    assert [panel["label"] for panel in read_json(tmp_path / "p.json")["panels"]] == ["gap [m]"]


@pytest.mark.parametrize("method", ["newton", "difference", "dead-beat"])
def test_the_method_can_be_chosen(parts, tmp_path, method):
    summary = tmp_path / "summary.json"
    done(run(parts, "--method", method, "--step", "0.005", "--json", summary))
    (joint,) = run_summary(summary)["joints"]
    assert joint["method"] == method and joint["gap"] < 1e-3


@pytest.mark.parametrize("option", [["--threads", "2"], ["--isolate"], ["--threads", "2", "--isolate"]])
def test_threads_and_isolation_change_no_digit_of_glued_parts(parts, tmp_path, option):
    done(run(parts, "--out", tmp_path / "plain.csv"))
    done(run(parts, "--out", tmp_path / "other.csv", *option))
    assert (tmp_path / "plain.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


def test_a_system_may_name_models_instead_of_fmus(parts, tmp_path):
    done(run(parts, "--out", tmp_path / "fmus.csv"))
    done(tenon("export", tmp_path / "hand.toml", "--fmi", "2", "-o", tmp_path / "hand.fmu", "--quiet"))
    done(run(parts, "--out", tmp_path / "fmus.csv"))
    models = write(tmp_path, SYSTEM.replace(".fmu", ".toml"), "models.toml")
    done(run(models, "--out", tmp_path / "models.csv"))
    assert (tmp_path / "fmus.csv").read_bytes() == (tmp_path / "models.csv").read_bytes()
    info = done(tenon("info", models)).stdout
    assert "wrist" in info
    spoiled = write(tmp_path, HAND.replace("mass = 0.5", "mass = -1.0"), "hand.toml")
    line = refused(run(models), 65)
    assert "fmu 'hand'" in line and spoiled.name in line and "mass" in line


def test_a_run_of_glued_parts_is_resumed(parts, tmp_path):
    done(run(parts, "--out", tmp_path / "whole.csv"))
    out, checkpoint = tmp_path / "out.csv", tmp_path / "run.ckpt"
    done(run(parts, "--stop", "0.5", "--out", out, "--checkpoint", checkpoint, "--checkpoint-every", "0"))
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


@pytest.mark.parametrize(
    "old, new, part",
    [
        ("hand/root", "hand/rot", "did you mean 'root'?"),
        ("arm/tip", "arms/tip", "there is no fmu 'arms'; did you mean 'arm'?"),
        ('a = "arm/tip"', 'a = "arm.tip"', "'a' must be <fmu>/<terminal> or \"world\" (arm.tip); did you mean 'arm/tip'?"),
        ('b = "hand/root"', 'b = "wrld"', "did you mean 'world'?"),
        ('a = "arm/tip"', 'a = "arm"', "arm.fmu' lists what fmu 'arm' has"),
        ('a = "arm/tip"', 'a = "amr"', "did you mean 'arm'?"),
        ('type = "revolute"', 'type = "gear"', "gear"),
        ('type = "revolute"', 'type = "revolut"', "did you mean 'revolute'?"),
        ("axis = [1.0, 0.0, 0.0]", "axis = [0.0, 0.0, 0.0]", "axis has no direction"),
    ],
)
def test_joints_that_make_no_sense_are_refused_with_their_line(parts, old, new, part):
    parts.write_text(SYSTEM.replace(old, new))
    line = refused(run(parts), 65)
    first = SYSTEM.splitlines().index("[[joint]]") + 1  # a key's own line is better, but within the joint it must be
    assert int(line.split("system.toml:")[1].split(":")[0]) in range(first, first + 6) and part in line


def test_a_gap_that_cannot_be_closed_is_refused_with_its_size(parts, tmp_path):
    # Both sides are held: the arm by its shoulder, the other arm by its own, 3 m apart.
    write(tmp_path, ARM.replace("at = [0.0, 0.0, 0.0]", "at = [4.0, 0.0, 0.0]").replace(
        "com = [0.5", "position = [4.0, 0.0, 0.0]\ncom = [0.5").replace("at = [1.0, 0.0, 0.0]", "at = [5.0, 0.0, 0.0]"),
        "far.toml")  # fmt: skip
    done(tenon("export", tmp_path / "far.toml", "-o", tmp_path / "far.fmu", "--quiet"))
    text = SYSTEM.replace("hand.fmu", "far.fmu").replace("hand/root", "hand/tip") + 'method = "newton"\n'
    text += "\n".join(["", "[[joint]]", 'name = "bolt"', 'type = "fixed"', 'a = "world"', 'b = "hand/tip"', ""])
    line = refused(run(write(tmp_path, text)), 65)
    assert "gap" in line


@pytest.mark.parametrize("name", ["four_bar", "bricard", "road_train"])
def test_the_examples_move_as_their_twins(tmp_path, name):
    twin = ROOT / "examples" / "bricard.toml" if name == "bricard" else GLUE / name / "whole.toml"
    out, summary = tmp_path / "glued.csv", tmp_path / "summary.json"
    done(run(GLUE / name / "system.toml", "--out", out, "--stop", "1", "--json", summary))
    done(tenon("simulate", twin, "--step", "1e-3", "--every", "10", "--stop", "1", "--out", tmp_path / "whole.csv", "--quiet"))
    glued, whole = csv_columns(out), csv_columns(tmp_path / "whole.csv")
    bodies = {
        "four_bar": {"crank.crank": "crank", "coupler.coupler": "coupler", "rocker.rocker": "rocker"},
        "bricard": {"rod_1.rod_2": "rod_2", "rod_3.rod_4": "rod_4", "rod_5.rod_5": "rod_5"},
        "road_train": {"tractor.chassis": "chassis", "first.bed": "first_bed", "second.bed": "second_bed"},
    }[name]
    assert largest_difference(glued, whole, bodies, 1) < 1e-4
    assert all(joint["gap"] < 1e-6 for joint in run_summary(summary)["joints"])


@pytest.fixture
def swing(tmp_path):
    """The machine of the tutorial, cut at its elbow; its parts step by 1 ms, each of which looks at the forces once."""
    done(tenon("new", "swing", cwd=tmp_path))
    done(tenon("cut", "swing.toml", "--at", "elbow", "-o", "parts", cwd=tmp_path))
    return tmp_path / "parts" / "system.toml"


def test_a_last_step_that_would_be_too_short_is_part_of_the_one_before(swing, tmp_path):
    summary = read_json(run_with_summary(swing, tmp_path, "--step", "0.003", "--stop", "1"))
    assert summary["max_energy_error"] < 1e-3
    assert all(joint["method"] == "newton" for joint in summary["joints"])
    times = csv_columns(tmp_path / "out.csv")["time"]
    assert times[-1] == 1 and times[-2] == pytest.approx(0.996) and len(times) == 334


def test_adaptive_steps_stay_where_forces_are_looked_at_twice(swing, tmp_path):
    swing.write_text(swing.read_text().replace("[master]", "[master]\nadaptive = true"))
    result = done(run(swing, "--stop", "1", "--out", tmp_path / "out.csv", "--json", tmp_path / "run.json"))
    assert "steps stay at 0.002 s or above" in result.stderr
    assert read_json(tmp_path / "run.json")["max_energy_error"] < 1e-3


def test_a_method_for_signals_does_not_glue_and_that_is_said(swing):
    swing.write_text(swing.read_text().replace('method = "auto"', 'method = "jacobi"'))
    assert "method newton" in (text := done(run(swing, "--no-run")).stdout)
    assert "('jacobi' is a method for signals)" in text


def run_with_summary(system, folder, *words):
    done(run(system, *words, "--out", folder / "out.csv", "--json", folder / "run.json"))
    return folder / "run.json"


# A spring of 1e8 N/m, stretched by 1 cm, which a step of 1 ms does not resolve.
STIFF = """
[[body]]
name = "a"
mass = 1.0
inertia = [0.02, 0.03, 0.04]
position = [0.5, 0, 0]

[[body]]
name = "b"
mass = 1.0
inertia = [0.02, 0.03, 0.04]
position = [1.5, 0, 0]

[[joint]]
name = "hinge"
type = "revolute"
bodies = ["world", "a"]
at = [0, 0, 0]
axis = [0, 1, 0]

[[joint]]
name = "elbow"
type = "revolute"
bodies = ["a", "b"]
at = [1, 0, 0]
axis = [0, 1, 0]

[[force]]
name = "spring"
type = "spring_damper"
bodies = ["world", "a"]
points = [[0.8, 0, 1], [0.8, 0, 0]]
stiffness = 1e8
free_length = 0.99

[solver]
integrator = "energy-decaying"
step = 1e-3
stop = 0.1
"""


def test_a_glued_machine_that_loses_its_energy_fails_and_keeps_what_it_has(tmp_path):
    model, parts, out = tmp_path / "stiff.toml", tmp_path / "parts", tmp_path / "x.csv"
    model.write_text(STIFF)
    done(tenon("cut", model, "--at", "elbow", "-o", parts))
    result = run(parts / "system.toml", "--out", out, "--json", tmp_path / "x.json")
    line = result.stderr.splitlines()[-1]  # warnings of the FMUs come before
    assert result.returncode == 70 and "the motion has diverged" in line and "kept in" in line
    assert read_json(tmp_path / "x.json")["status"] == "failed" and out.exists()
    done(run(parts / "system.toml", "--out", tmp_path / "y.csv", "--accept-divergence"))
    assert csv_columns(tmp_path / "y.csv")["time"][-1] == pytest.approx(0.1)
