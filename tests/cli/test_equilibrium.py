"""tenon equilibrium: closed forms, the model at rest, and what is refused."""

import pytest
from conftest import done, read_json, refused, tenon

HUNG = """\
[[body]]
name = "mass"
mass = 3.0
inertia = [0.01, 0.01, 0.01]
position = [0.0, 0.0, -1.0]

[[joint]]
name = "guide"
type = "prismatic"
bodies = ["world", "mass"]
at = [0.0, 0.0, -1.0]
axis = [0.0, 0.0, 1.0]

[[force]]
name = "coil"
type = "spring_damper"
bodies = ["world", "mass"]
points = [[0.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
stiffness = 200.0

[solver]
step = 0.001
stop = 0.05
"""

SWING = """\
[[body]]
name = "rod"
mass = 2.0
inertia = [0.01, 0.01, 0.01]
position = [1.0, 0.0, 0.0]

[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "rod"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]

[[force]]
name = "twist"
type = "torsion_spring"
joint = "pin"
stiffness = 5.0
free_angle = 0.2

[solver]
step = 0.001
stop = 0.05
"""


def write(folder, text, name="model.toml"):
    path = folder / name
    path.write_text(text)
    return path


def result(words, folder):
    summary = folder / "summary.json"
    done(tenon(*words, "--json", summary))
    return read_json(summary)


def test_a_mass_on_a_spring_hangs_lower_by_its_weight_over_the_stiffness(tmp_path):
    found = result(["equilibrium", write(tmp_path, HUNG)], tmp_path)
    assert found["bodies"][0]["shift"][2] == pytest.approx(-3 * 9.81 / 200, rel=1e-9)
    assert found["stability"] == "stable"
    assert found["force"] < 1e-6
    forces = {reading["name"]: reading["value"] for reading in found["forces"]}
    assert forces["coil.force"] == pytest.approx(3 * 9.81, rel=1e-9)


@pytest.mark.parametrize("text", [HUNG, SWING], ids=["hung", "swing"])
def test_the_model_at_rest_is_at_rest_with_the_same_forces(tmp_path, text):
    rest = tmp_path / "rest.toml"
    first = result(["equilibrium", write(tmp_path, text), "-o", rest], tmp_path)
    again = result(["equilibrium", rest], tmp_path)
    for body in again["bodies"]:
        assert max(map(abs, body["shift"] + body["turn"])) < 1e-9
    for before, after in zip(first["forces"], again["forces"], strict=True):
        assert after["value"] == pytest.approx(before["value"], rel=1e-9, abs=1e-9)
    assert again["least_stiffness"] == pytest.approx(first["least_stiffness"], rel=1e-6)


def test_a_simulation_that_starts_at_equilibrium_stays_there(tmp_path):
    model = write(tmp_path, HUNG.replace("[solver]", '[solver]\nstart = "equilibrium"'))
    out = tmp_path / "out.csv"
    done(tenon("simulate", model, "--out", out))
    lines = out.read_text().splitlines()
    column = lines[0].split(",").index("mass.r_0[3]")
    heights = [float(line.split(",")[column]) for line in lines[1:]]
    assert heights[0] == pytest.approx(-1 - 3 * 9.81 / 200, rel=1e-9)
    assert max(heights) - min(heights) < 1e-9
    assert "equilibrium" in done(tenon("info", model)).stdout


def test_a_body_that_nothing_holds_is_named_with_its_weight(tmp_path):
    model = write(tmp_path, HUNG[: HUNG.index("[[joint]]")])
    message = refused(tenon("equilibrium", model), 70)
    assert "'mass'" in message and "29.4 N" in message


def test_the_model_at_rest_replaces_no_file(tmp_path):
    model = write(tmp_path, HUNG)
    other = write(tmp_path, "precious", "rest.toml")
    refused(tenon("equilibrium", model, "-o", other), 73)
    assert other.read_text() == "precious"
    refused(tenon("equilibrium", model, "-o", model), 64)


def test_an_unknown_start_is_refused_with_what_there_is(tmp_path):
    model = write(tmp_path, HUNG.replace("[solver]", '[solver]\nstart = "rest"'))
    assert "equilibrium" in refused(tenon("equilibrium", model), 65)


ONE_WHEEL = """\
[[body]]
name = "wheel"
mass = 20.0
inertia = [0.6, 1.0, 0.6]
position = [0.0, 0.0, 0.3]

[[joint]]
name = "hub"
type = "planar"
bodies = ["world", "wheel"]
at = [0.0, 0.0, 0.3]
axis = [0.0, 1.0, 0.0]

[[force]]
name = "tyre"
type = "tyre"
bodies = ["world", "wheel"]
at = [0.0, 0.0, 0.3]
axis = [0.0, 1.0, 0.0]
radius = 0.3
stiffness = 1e4
damping = 200.0
longitudinal = { type = "linear", stiffness = 5e4, mu = 1.0 }
"""


def test_a_wheel_sinks_by_its_weight_over_the_stiffness_and_its_tyre_is_redrawn_with_it(tmp_path):
    model, rest = write(tmp_path, ONE_WHEEL), tmp_path / "rest.toml"
    found = result(["equilibrium", model, "-o", rest], tmp_path)
    assert found["bodies"][0]["shift"][2] == pytest.approx(-20 * 9.81 / 1e4, rel=1e-9)
    assert result(["equilibrium", rest], tmp_path)["bodies"][0]["shift"] == pytest.approx([0, 0, 0], abs=1e-9)


def test_slips_that_lag_are_settled_at_rest_and_in_modes(tmp_path):
    model = write(tmp_path, ONE_WHEEL + "relaxation_length = 0.3\n")
    at_once = result(["equilibrium", write(tmp_path, ONE_WHEEL, "at_once.toml")], tmp_path)
    assert result(["equilibrium", model], tmp_path)["forces"] == at_once["forces"]
    assert result(["modes", model], tmp_path)["status"] == "done"


def test_forces_at_rest_are_those_without_velocities(tmp_path):
    moving = ONE_WHEEL.replace("position = [0.0, 0.0, 0.3]", "position = [0.0, 0.0, 0.3]\nvelocity = [5.0, 0.0, 0.0]")
    forces = {f["name"]: f["value"] for f in result(["equilibrium", write(tmp_path, moving)], tmp_path)["forces"]}
    assert forces["tyre.longitudinal"] == pytest.approx(0, abs=1e-9)
    assert forces["tyre.normal"] == pytest.approx(20 * 9.81, rel=1e-9)
