"""The car of docs/running-systems.md: a powertrain written in C and a vehicle that `tenon export` made, run together."""

import subprocess

import numpy
import pytest
from conftest import ROOT, done, tenon
from systems import csv_columns, run, write

# Of examples/powertrain/car.toml: what the rear wheels have to set in motion, seen as a mass.
RADIUS = 0.3
MASS = 820 + 4 * (20 + 0.9 / RADIUS**2)


@pytest.fixture(scope="module")
def car(tmp_path_factory):
    """The system file of the example, with the FMUs beside it."""
    folder = tmp_path_factory.mktemp("car")
    build = ROOT / "examples" / "powertrain" / "build.sh"
    subprocess.run([build, ROOT / "build" / "fmi", folder / "powertrain.fmu"], check=True, capture_output=True)
    done(tenon("export", ROOT / "examples" / "powertrain" / "car.toml", "-o", folder / "vehicle.fmu", "--quiet"))
    text = (ROOT / "examples" / "systems" / "car.toml").read_text()
    assert text.count("../../build/car/") == 2
    return write(folder, text.replace("../../build/car/", ""), "car.toml")


@pytest.fixture(scope="module")
def drive(car):
    out = car.parent / "car.csv"
    done(run(car, "--out", out, "--stop", "8"))
    return csv_columns(out)


def test_the_car_drives_off_and_changes_up(drive):
    assert drive["vehicle.speed"][0] == 0 and drive["vehicle.speed"][-1] > 10
    assert drive["powertrain.gear"][0] == 1 and drive["powertrain.gear"][-1] >= 2
    assert set(numpy.diff(drive["powertrain.gear"])) <= {0, 1}
    assert (numpy.diff(drive["powertrain.fuel"]) > 0).all()


def test_the_momentum_of_the_car_is_the_impulse_of_the_powertrain(drive):
    force = (drive["powertrain.left.tau"] + drive["powertrain.right.tau"]) / RADIUS
    # Torques are constant over a step, at the value of its start.
    impulse = numpy.concatenate([[0], numpy.cumsum(force[:-1] * numpy.diff(drive["time"]))])
    # The vehicle's own integrator is of second order: 7.6e-5 at its step of 2 ms (1.9e-5 at 1 ms, 4.7e-6 at 0.5 ms).
    assert numpy.abs(MASS * drive["vehicle.speed"] - impulse).max() < 1e-4 * impulse.max()


def test_both_sides_of_a_connection_have_the_same_speed(drive):
    assert numpy.allclose(drive["vehicle.drive_left.w"] * RADIUS, drive["vehicle.speed"], rtol=1e-9, atol=1e-9)


def test_half_the_step_gives_half_the_error(car, drive):
    """Against a step eight times smaller: values that are constant over a step are of first order."""
    ends = {}
    for step in ["0.004", "0.002", "0.00025"]:
        out = car.parent / f"car-{step}.csv"
        done(run(car, "--out", out, "--stop", "2", "--step", step, "--every", "1000", "--vars", "vehicle.speed"))
        ends[step] = csv_columns(out)["vehicle.speed"][-1]
    coarse, fine = (abs(ends[step] - ends["0.00025"]) for step in ["0.004", "0.002"])
    assert 1.6 < coarse / fine < 2.6
