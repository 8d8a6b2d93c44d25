"""Runs a machine with `tenon simulate`, and says what is true of its motion.

Truth: the twin of the machine (no redundant rows), run by two methods at fine steps, as far as both agree to `agreed` of the motion.
A run is compared with it at the same times: centres of mass and directions of all bodies (directions on the machine's size).

    good       nearer than `limit` of the motion, or than `times` the change that half the step makes (an error the step explains:
               counted apart as "coarse" where it is beyond `limit`)
    refused    exit code other than 0
    wrong      otherwise; with a warning on the terminal or without
"""

import csv
import json
import os
import subprocess
import tempfile

import numpy as np

from machine import matrix

TENON = os.environ.get("TENON", "build/tenon")
agreed, limit, times = 1e-3, 0.03, 10
rows = 50


class Motion:
    """Times, and for each of them points of all bodies: centre of mass, and the ends of its axes times `size`."""

    def __init__(self, time, points, size):
        self.time, self.points, self.size = time, points, size

    def extent(self, until=np.inf):
        """The way of the point that goes farthest from its start."""
        kept = self.points[self.time <= until + 1e-9]
        return float(np.linalg.norm(kept - kept[0], axis=-1).max())

    def error(self, other):
        """Largest distance at each time that both have."""
        n = min(len(self.time), len(other.time))
        if n and abs(self.time[n - 1] - other.time[n - 1]) > 1e-7:
            n -= 1  # the last row of a run that ended early stands between two of the others
        assert np.allclose(self.time[:n], other.time[:n], atol=1e-7), "times do not match"
        return np.linalg.norm(self.points[:n] - other.points[:n], axis=-1).max(axis=1)


class Run:
    def __init__(self, code, message, warnings, summary, motion):
        self.code, self.message, self.warnings, self.summary, self.motion = code, message, warnings, summary, motion


def size_of(machine):
    """The same in every drawing, and for the twin: of bodies alone."""
    at = np.array([p for b in machine.bodies.values() for p in (b["position"], b["position"] + b["R"] @ b["com"])])
    return max(0.2, float(np.linalg.norm(at - at.mean(axis=0), axis=1).max()))


def simulate(machine, stop, step, options=(), back=None, timeout=120, **solver):
    """`back`: the rotation in which the machine is drawn, undone in the motion."""
    back = np.eye(3) if back is None else back
    # A row every stop / rows; steps are chosen so that they hit these times.
    every = max(1, round(stop / rows / step))
    with tempfile.TemporaryDirectory() as folder:
        file, out, info = (os.path.join(folder, n) for n in ("m.toml", "m.csv", "m.json"))
        with open(file, "w") as f:
            f.write(machine.toml(step=step, stop=stop, **solver))
        try:
            done = subprocess.run([TENON, "simulate", file, "--quiet", "--out", out, "--json", info, "--every", str(every),
                                   *options], capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return Run(-1, f"took more than {timeout} s", [], {}, None)
        said = done.stderr.replace(folder + "/", "").strip().splitlines()
        warnings = [line for line in said if "warning" in line]
        message = next((line for line in said if "warning" not in line), "")
        summary = json.load(open(info)) if os.path.exists(info) else {}
        motion = read(out, machine, back) if os.path.exists(out) else None
        return Run(done.returncode, message, warnings, summary, motion)


def read(file, machine, back, glued=False):
    """`glued`: columns have the name of an FMU before that of the body."""
    with open(file) as f:
        lines = list(csv.reader(f))
    place = {name.split(".", 1)[1] if glued and name != "time" else name: i for i, name in enumerate(lines[0])}
    data = np.array([[float(x) for x in line] for line in lines[1:]]).reshape(-1, len(lines[0]))
    size = size_of(machine)
    points = []
    for name, body in machine.bodies.items():
        r = data[:, [place[f"{name}.r_0[{i}]"] for i in (1, 2, 3)]]
        q = data[:, [place[f"{name}.q[{i}]"] for i in (1, 2, 3, 4)]]
        R = np.array([matrix(x) for x in q])
        com = r + R @ body["com"]
        # directions of the drawing, not of the axes that the body happens to have
        reach = 0.3 * size
        for e in (np.zeros(3), *np.eye(3)):
            points.append((com + reach * R @ (body["R"].T @ (back @ e))) @ back)
    return Motion(data[:, 0], np.stack(points, axis=1), size)


class Truth:
    """`until`: 0 where the two references never agree, or do not run."""

    def __init__(self, machine, stop, step, methods=(("explicit-correction", 4), ("munthe-kaas", 4))):
        twin = machine.twin()
        self.runs = [simulate(twin, stop, step / finer, integrator=method, accept_divergence=True) for method, finer in methods]
        self.until, self.motion, self.note = 0.0, None, ""
        for run, (method, _) in zip(self.runs, methods):
            if run.motion is None or len(run.motion.time) < 3:
                self.note = f"{method}: {run.message}"
                return
        one, two = self.runs[0].motion, self.runs[1].motion
        error = one.error(two)
        self.extent = max(one.extent(), 1e-3 * one.size)
        bad = np.nonzero(error > agreed * self.extent)[0]
        n = len(error) if not len(bad) else bad[0]
        self.motion = one
        self.until = float(one.time[n - 1]) if n > 2 else 0.0
        self.extent = max(one.extent(self.until), 1e-3 * one.size)
        self.note = f"references agree to {error[:n].max() / self.extent:.1e} until {self.until:g} s"

    def error(self, run):
        """Largest error as a part of the motion, over the time in which the truth is known."""
        error = self.motion.error(run.motion)
        known = run.motion.time[:len(error)] <= self.until + 1e-9
        return float(error[known].max()) / self.extent if known.any() else 0.0


def judge(machine, truth, stop, step, method, R, options=()):
    """Runs the machine drawn by R; returns (verdict, error, run)."""
    drawn = machine.drawn(R)
    run = simulate(drawn, stop, step, back=R, integrator=method, options=options)
    if run.code != 0:
        early = truth.error(run) if run.motion is not None and len(run.motion.time) > 1 else 0.0
        return "refused", early, run
    error = truth.error(run)
    if error <= limit:
        return "good", error, run
    half = simulate(drawn, stop, step / 2, back=R, integrator=method, options=options)
    said = "warned" if run.warnings else "silent"
    if half.code == 0:
        change = half.motion.error(run.motion)
        known = run.motion.time[:len(change)] <= truth.until + 1e-9
        if error <= times * float(change[known].max()) / truth.extent:
            return f"coarse {said}", error, run
    return f"wrong {said}", error, run
