"""Inputs of a model: one value in one unit moves the machine alike in `simulate`, in FMUs of both versions and in `run`."""

import subprocess

import fmpy
import pytest
from conftest import TENON, done, read_csv, read_json, refused, tenon

CART = """\
[[body]]
name = "cart"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "way"
type = "%s"
bodies = ["world", "cart"]
at = [0, 0, 0]
axis = [1, 0, 0]
%s
[[input]]
name = "in"
to = "%s"
%s
[solver]
integrator = "%s"
stop = 0.1
"""
PUSH = '[[force]]\nname = "push"\ntype = "force"\nbody = "cart"\nat = [0, 0, 0]\ninput = true'
TWIST = '[[force]]\nname = "twist"\ntype = "torque"\nbody = "cart"\ninput = true'
MOTOR = '[[driver]]\nname = "motor"\njoint = "way"\ninput = true'
FLANGE = '[[flange]]\nname = "flange_with_a_long_name"\njoint = "way"'

# What is set, in which unit, and where the cart is after 0.1 s: 1/2 (F/m) t2, or where its driver holds it.
CASES = {
    "kN": ("prismatic", PUSH, "push.f[1]", "kN", 0.02, "way.distance", 0.05),
    "N.mm": ("revolute", TWIST, "twist.t[1]", "N.mm", 20000, "way.angle", 0.1),
    "deg": ("revolute", MOTOR, "motor", "deg", 0.5, "way.angle", 0.008726646259971648),
    "mm": ("prismatic", MOTOR, "motor", "mm", 5, "way.distance", 0.005),
    "flange": ("prismatic", FLANGE, "flange_with_a_long_name.f", None, 20, "way.distance", 0.05),
}


@pytest.mark.parametrize("integrator", ["projection", "munthe-kaas"])
@pytest.mark.parametrize("joint, element, to, unit, value, result, expected", CASES.values(), ids=CASES.keys())
def test_a_value_in_the_unit_of_the_input_moves_alike_everywhere(
    tmp_path, joint, element, to, unit, value, result, expected, integrator
):
    (tmp_path / "cart.toml").write_text(CART % (joint, element, to, f'unit = "{unit}"' if unit else "", integrator))
    (tmp_path / "system.toml").write_text(
        '[system]\nname = "s"\n[[fmu]]\nname = "a"\nfile = "cart.toml"\n[master]\nstep = 0.01\nstop = 0.1\n'
    )

    def last(file, name):
        names, rows = read_csv(tmp_path / file)
        return float(rows[-1][names.index(name)])

    answer = done(tenon("simulate", "cart.toml", "--set", f"in={value}", "-o", "cart.csv", cwd=tmp_path))
    assert answer.stderr == ""  # a cart at rest, held by its driver, is no doubt
    assert last("cart.csv", result) == pytest.approx(expected, rel=1e-6)
    done(tenon("run", "system.toml", "--set", f"a.in={value}", "-o", "run.csv", cwd=tmp_path))
    assert last("run.csv", "a." + result) == last("cart.csv", result)
    for version in "23":
        done(tenon("export", "cart.toml", "--fmi", version, "-o", "cart.fmu", cwd=tmp_path))
        fmu = fmpy.simulate_fmu(str(tmp_path / "cart.fmu"), stop_time=0.1, output_interval=0.01,
                                start_values={"in": value}, output=[result])  # fmt: skip
        assert fmu[result][-1] == last("cart.csv", result)


DRIVEN = """\
[[body]]
name = "base"
mass = 2
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "arm"
mass = 1
com = [0.2, 0, 0]
inertia = [0.01, 0.01, 0.01]
[[joint]]
name = "turn"
type = "revolute"
bodies = ["world", "base"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "elbow"
type = "revolute"
bodies = ["base", "arm"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[driver]]
name = "turning"
joint = "turn"
motion = { amplitude = 0.3, frequency = 0.5 }
[[driver]]
name = "bending"
joint = "elbow"
input = true
[solver]
step = 0.01
stop = 0.1
"""


def test_an_fmu_whose_joints_are_driven_by_formulas_and_inputs_passes_its_checks(tmp_path):
    (tmp_path / "arm.toml").write_text(DRIVEN)
    done(tenon("export", "arm.toml", "-o", "arm.fmu", cwd=tmp_path))
    summary = tmp_path / "check.json"
    words = ["check", "arm.fmu", "--only", "derivatives", "--only", "dependencies", "--json", summary]
    done(tenon(*words, cwd=tmp_path))
    assert read_json(summary)["errors"] == 0


def test_a_machine_at_rest_is_no_doubt(tmp_path):
    text = CART % ("prismatic", PUSH, "push.f[1]", "", "projection")
    (tmp_path / "cart.toml").write_text(text + "step = 1e-4\n")
    answer = done(tenon("simulate", "cart.toml", cwd=tmp_path))
    assert answer.stderr == "" and "warning" not in answer.stdout


def test_a_full_disk_under_hdf5_is_one_line(model):
    def limited():
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    words = ["simulate", model.path, "--stop", "10", "--out", model.folder / "out.h5", "--quiet"]
    result = subprocess.run([TENON, *words], preexec_fn=limited, capture_output=True, text=True, timeout=300)
    assert "kept in" in refused(result, 73)


def test_a_file_that_cannot_be_written_is_not_begun(tmp_path):
    def limited():
        import resource
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    result = subprocess.run(
        [TENON, "new", "swing"], preexec_fn=limited, restore_signals=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert "swing.toml: cannot be written" in refused(result, 73)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", ["simulate", "run", "export", "info"])
def test_a_result_for_a_model_is_called_that(model, verb):
    done(tenon("simulate", model.path, "--out", "a.csv", cwd=model.folder))
    done(tenon("simulate", model.path, "--out", "a.h5", cwd=model.folder))
    for name in ["a.csv", "a.h5"]:
        assert f"{name}: this is a result; 'tenon plot'" in refused(tenon(verb, name, cwd=model.folder), 65)
    assert "this is JSON" in refused(tenon(verb, "a.scene.json", cwd=model.folder), 65)
