"""Systems of foreign FMUs for tests of `run` and `resume`, and their results."""

import pathlib

import h5py
import numpy
from conftest import TENON, read_csv, read_json, tenon

FMUS = TENON.parent / "fmus"  # made by the build from tests/fmus

RUN_KEYS = [
    "status", "message", "version", "model", "master", "step", "stop", "end_time", "steps", "iterations", "wall_seconds",
    "max_position_violation", "max_velocity_violation", "energy_start", "energy_end", "max_energy_error", "rank_deficiency",
    "dosteps", "rollbacks", "joints", "fmus",
]  # fmt: skip


def fmu(name, file, more=""):
    return f'[[fmu]]\nname = "{name}"\nfile = "{FMUS / file}"\n{more}\n'


def connection(start, end, more=""):
    return f'[[connection]]\nfrom = "{start}"\nto = "{end}"\n{more}\n'


# Two oscillators that drive each other, one of each version of FMI: no closed form, and every digit depends on all others.
PAIR = (
    '[system]\nname = "pair"\n'
    + fmu("a", "vanderpol.2.fmu", "set = { mu = 1.5 }")
    + fmu("b", "vanderpol.3.fmu")
    + connection("a.x0", "b.u")
    + connection("b.x1", "a.u", "factor = 0.5")
    + "[master]\nstep = 0.01\nstop = 1.0\n"
)


def write(folder, text, name="system.toml"):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    return path


def run(path, *words, **keywords):
    return tenon("run", path, *words, **keywords)


def run_summary(path):
    """A summary of `run`, with every key of the contract."""
    summary = read_json(path)
    missing = [key for key in RUN_KEYS if key not in summary]
    assert not missing
    return summary


def csv_columns(path):
    names, rows = read_csv(path)
    table = numpy.array(rows, dtype=float)
    return dict(zip(names, table.T))


def hdf5_table(path):
    """Names, and a table whose first column is the time; also while it is written or after a kill."""
    with h5py.File(path, "r", swmr=True) as file:
        times = file["time"][:]
        values = file["values"][: len(times)]
        return list(file["names"].asstr()[:]), numpy.column_stack([times, values])


def complete_rows(path):
    """The lines of a CSV file that end."""
    text = pathlib.Path(path).read_text()
    return text[: text.rfind("\n") + 1].splitlines()
