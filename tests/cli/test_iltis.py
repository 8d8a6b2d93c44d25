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
WHEELS = ["rear_left", "rear_right"]


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


def test_the_powertrain_drives_the_iltis_by_the_slip_of_its_tyres(drive):
    assert drive["vehicle.speed"][0] == pytest.approx(0, abs=1e-9) and drive["vehicle.speed"][-1] > 5
    assert drive["powertrain.gear"][-1] >= 2
    moving = drive["vehicle.speed"] > 2
    for wheel in WHEELS:
        assert (drive[f"vehicle.{wheel}_tyre.longitudinal"][moving].max()) > 500


def test_what_the_road_pushes_is_what_the_iltis_gains(drive):
    """Momentum along x of all bodies against the impulse of the four tyres on a flat road."""
    force = sum(drive[f"vehicle.{axle}_{side}_tyre.longitudinal"] for axle in ["front", "rear"] for side in ["left", "right"])
    time = drive["time"]
    impulse = numpy.concatenate([[0], numpy.cumsum((force[1:] + force[:-1]) / 2 * numpy.diff(time))])
    assert numpy.abs(1513.4 * drive["vehicle.speed"] - impulse).max() < 0.02 * impulse.max()


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
            assert numpy.abs(a[f"{part}.{body}.r_0[{i}]"] - b[f"{body}.r_0[{i}]"]).max() < 1e-5
