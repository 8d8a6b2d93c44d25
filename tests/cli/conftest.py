"""The command under test, and a small good model to spoil in one place at a time."""

import csv
import json
import os
import pathlib
import pty
import subprocess
import time
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TENON = pathlib.Path(os.environ.get("TENON", ROOT / "build" / "tenon")).resolve()

# Two arms in series and a spring: quick, and nothing in it is redundant.
MODEL = """\
[model]
name = "crank_press"
gravity = [0.0, 0.0, -9.81]

[[body]]
name = "crank"
mass = 1.0
com = [0.1, 0.0, 0.0]
inertia = [0.001, 0.004, 0.004]
position = [0.0, 0.0, 0.0]

[[body]]
name = "rod"
mass = 0.5
com = [0.25, 0.0, 0.0]
inertia = [0.0005, 0.0105, 0.0105]
position = [0.2, 0.0, 0.0]

[[joint]]
name = "bearing"
type = "revolute"
bodies = ["world", "crank"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]

[[joint]]
name = "pin"
type = "revolute"
bodies = ["crank", "rod"]
at = [0.2, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]

[[force]]
name = "coil"
type = "spring_damper"
bodies = ["world", "rod"]
points = [[0.7, 0.0, 0.5], [0.7, 0.0, 0.0]]
stiffness = 50.0
free_length = 0.4

[solver]
integrator = "projection"
step = 0.001
stop = 0.1
"""

def open_terminal():
    """Both ends of a terminal; skips the test where the system has none to give."""
    try:
        return pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal: {error}")


JSON_KEYS = [
    "status", "message", "version", "model", "integrator", "step", "stop", "end_time", "steps", "iterations",
    "wall_seconds", "max_position_violation", "max_velocity_violation", "energy_start", "energy_end",
    "max_energy_error", "rank_deficiency", "realtime",
]  # fmt: skip


def tenon(*words, cwd=None, timeout=300, **environment):
    """Runs the command; environment variables as keywords, None removes one."""
    env = {**os.environ, **{k: v for k, v in environment.items() if v is not None}}
    for name in [k for k, v in environment.items() if v is None]:
        env.pop(name, None)
    return subprocess.run(
        [str(TENON), *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=timeout, env=env
    )


def refused(result, code):
    """The command ended with this code and one line on standard error; returns the line."""
    assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("tenon: ")
    assert "\x1b" not in lines[0]
    return lines[0]


def done(result):
    assert result.returncode == 0, (result.returncode, result.stdout, result.stderr)
    return result


def wait_for(condition, what, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.02)


def read_csv(path):
    """Names, and rows of texts."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def read_json(path):
    def no_constant(word):
        raise ValueError(f"{word} is not JSON")

    return json.loads(pathlib.Path(path).read_text(), parse_constant=no_constant)


def json_summary(path):
    """A summary of `simulate`, with every key of the contract."""
    summary = read_json(path)
    missing = [key for key in JSON_KEYS if key not in summary]
    assert not missing
    return summary


@pytest.fixture
def model(tmp_path):
    """A folder with the good model in it: model.path, model.folder, model.change(old, new)."""
    path = tmp_path / "press.toml"
    path.write_text(MODEL)

    def change(old, new):
        text = path.read_text()
        assert text.count(old) >= 1, old
        path.write_text(text.replace(old, new, 1))

    def line_of(text):
        return next(i for i, line in enumerate(path.read_text().splitlines(), 1) if text in line)

    return types.SimpleNamespace(path=path, folder=tmp_path, change=change, line_of=line_of)
