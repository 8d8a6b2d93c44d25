"""The Iltis vehicle as its users have it: files that the generator writes, the FMU with a powertrain, axles glued to the chassis."""

import subprocess
import sys

import numpy
import pytest
from conftest import ROOT, done, tenon
from systems import csv_columns, run, run_summary, write

EXAMPLES = ROOT / "examples"
FILES = {
    "bump": "iltis.toml", "profile-1": "iltis_profile_1.toml", "profile-2": "iltis_profile_2.toml", "drive": "iltis_drive.toml",
    "axles": "glue/iltis/whole.toml",
}  # fmt: skip

@pytest.mark.parametrize("variant", FILES)
def test_the_file_is_what_the_generator_writes(variant):
    words = [sys.executable, "-B", EXAMPLES / "generate.py", "iltis", variant]
    assert (EXAMPLES / FILES[variant]).read_text() == subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    """Six seconds of examples/systems/iltis_powertrain.toml."""
    folder = tmp_path_factory.mktemp("iltis")
    build = EXAMPLES / "powertrain" / "build.sh"
    subprocess.run([build, ROOT / "build" / "fmi", folder / "powertrain.fmu"], check=True, capture_output=True)
    done(tenon("export", EXAMPLES / "iltis_drive.toml", "-o", folder / "vehicle.fmu", "--quiet"))
    text = (EXAMPLES / "systems" / "iltis_powertrain.toml").read_text()
    assert text.count("../../build/iltis/") == 2
    system = write(folder, text.replace("../../build/iltis/", ""), "iltis_powertrain.toml")
    out = folder / "drive.csv"
    done(run(system, "--out", out, "--stop", "6"))
    return csv_columns(out)


def test_the_powertrain_drives_the_iltis_by_the_slip_of_its_rear_tyres(drive):
    speed = drive["vehicle.speed"]
    assert speed[0] == 0 and speed[-1] > 5
    moving = speed > 2
    for side in ["left", "right"]:
        # 0.355 m: the radius under load. The front wheels roll, the rear ones slip by 1 % and more.
        rolling = 0.355 * drive[f"vehicle.front_{side}_drive.w"][moving] / speed[moving]
        driven = 0.355 * drive[f"vehicle.rear_{side}_drive.w"][moving] / speed[moving]
        assert numpy.abs(rolling - 1).max() < 0.02
        assert (driven - rolling).min() > 0.005


def test_the_work_of_the_powertrain_is_the_energy_of_the_iltis_and_what_slips(drive):
    work = sum(drive[f"vehicle.rear_{side}_drive.aux.work"] for side in ["left", "right"])
    gained = drive["vehicle.energy.kinetic"] - drive["vehicle.energy.kinetic"][0]
    late = drive["time"] > 2  # the vehicle has settled on its springs by then
    assert (gained[late] < work[late]).all() and (gained[late] > 0.8 * work[late]).all()


def test_three_parts_glued_at_the_axles_move_as_the_iltis_in_one_piece(tmp_path):
    glued, whole = tmp_path / "glued.csv", tmp_path / "whole.csv"
    summary = tmp_path / "run.json"
    folder = EXAMPLES / "glue" / "iltis"
    done(run(folder / "system.toml", "--stop", "0.3", "--out", glued, "--json", summary))
    every = round(run_summary(summary)["step"] / 0.0005)
    done(tenon("simulate", folder / "whole.toml", "--stop", "0.3", "--every", every, "--out", whole, "--quiet"))
    a, b = csv_columns(glued), csv_columns(whole)
    assert numpy.allclose(a["time"], b["time"])
    for body, part in [("chassis", "chassis"), ("front_left_wheel", "front_frame"), ("rear_right_wheel", "rear_frame")]:
        for i in (1, 2, 3):
            assert numpy.abs(a[f"{part}.{body}.r_0[{i}]"] - b[f"{body}.r_0[{i}]"]).max() < 3e-5
