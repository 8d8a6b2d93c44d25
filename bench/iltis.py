#!/usr/bin/env python3
"""The Iltis vehicle of Dopico et al., DETC2007-35627: the paper's tables and figures from runs of build/tenon.

    build/venv/bin/python bench/iltis.py            # prints the tables, writes docs/papers/plots/*.svg

A, B and A+B are the paper's names for `projection`, `conserving` and `conserving-projection`. Runs are with its kind of convergence
test (1e-6); iterations are those of all steps. Times are processor times of the whole command.
"""
import csv
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TENON = Path(os.environ.get("TENON", ROOT / "build" / "tenon"))
PLOTS = ROOT / "docs" / "papers" / "plots"
METHODS = {"A": "projection", "B": "conserving", "A+B": "conserving-projection"}
COLOURS = {"A": "#1f77b4", "B": "#d62728", "A+B": "#2ca02c", "reference": "black"}
STEPS = [0.005, 0.01, 0.02, 0.06]
STOP = {1: 5.0, 2: 8.0}
PENALTIES = ["", "1e8", "1e9", "1e10"]


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Run:
    """One run of a profile, its summary and its columns."""

    def __init__(self, folder, profile, method, step, *words):
        out, summary = folder / "run.csv", folder / "run.json"
        before = processor_time()
        done = subprocess.run([TENON, "simulate", ROOT / "examples" / f"iltis_profile_{profile}.toml", "--integrator", METHODS.get(method, method),
                               "--step", str(step), "--stop", str(STOP[profile]), "--set", "solver.tolerance=1e-6", "--set",
                               "solver.start=equilibrium", *words,
                               "--vars", "chassis.r_0*,*wheel.r_0*,constraint.velocity", "--out", out, "--json", summary, "--quiet"],
                              capture_output=True, text=True)
        self.seconds = processor_time() - before
        self.summary = json.loads(summary.read_text())
        self.done = done.returncode == 0
        with open(out, newline="") as file:
            names, *rows = list(csv.reader(file))
        self.columns = {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}

    def z(self, time):
        """Of the chassis at the row nearest to a time."""
        times = self.columns["time"]
        return self.columns["chassis.r_0[3]"][min(range(len(times)), key=lambda i: abs(times[i] - time))]

    def cells(self):
        s = self.summary
        outcome = f"{s['iterations']}" if self.done else f"stops at {s['end_time']:.2f} s"
        return f"{outcome} | {s['halvings']} | {s['iterations'] / max(s['steps'], 1):.2f} | {s['max_velocity_violation']:.1e} | {1e3 * self.seconds:.0f}"


def tables(folder):
    times = {1: [1, 1.25, 1.5, 2, 3, 4], 2: [2, 4, 5, 6, 7, 8]}
    for profile in (1, 2):
        print(f"\n### Profile {'I' * profile}, {STOP[profile]:g} s\n")
        print("| method | step, ms | iterations | halved steps | per step | velocities | ms | " + " | ".join(f"z({t:g} s)" for t in times[profile]) + " |")
        print("|---" * (7 + len(times[profile])) + "|")
        for step in STEPS:
            for method in METHODS:
                run = Run(folder, profile, method, step)
                print(f"| {method} | {1e3 * step:g} | {run.cells()} | " + " | ".join(f"{run.z(t):.4f}" for t in times[profile]) + " |")
    print("\n### Penalty, profile I, 10 ms: iterations (halved steps)\n")
    print("| penalty | " + " | ".join(METHODS) + " |\n|---" + "|---" * len(METHODS) + "|")
    for penalty in PENALTIES:
        runs = [Run(folder, 1, m, 0.01, *(["--set", f"solver.penalty={penalty}"] if penalty else [])).summary for m in METHODS]
        print(f"| {penalty or 'automatic'} | " + " | ".join(f"{s['iterations']} ({s['halvings']})" for s in runs) + " |")


# ---- figures -----------------------------------------------------------------------------------------------------------


def bump(x, start):
    from math import cos, pi
    return 0.05 * (1 - cos(pi * (x - start))) if start < x < start + 2 else 0.0


def stairs(x):
    z = min(max((x - 10) / 10, 0), 1)
    for k in range(10):
        u = min(max((x - 20.3 - 0.6 * k) / 0.08 + 0.5, 0), 1)
        z -= 0.1 * u * u * (3 - 2 * u)
    return z


def figures(folder):
    import matplotlib
    matplotlib.use("Agg")
    # The same numbers give the same file, as in bench/run.py.
    matplotlib.rcParams.update({"svg.hashsalt": "tenon", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                                "lines.linewidth": 1.2, "axes.titlesize": 10, "font.family": "sans-serif"})
    import matplotlib.pyplot as plt

    def figure(name, panels, height=2.6):
        """A column of panels: title, curves (label, x, y, colour, dashes), axis labels."""
        drawing, axes = plt.subplots(len(panels), 1, figsize=(8, height * len(panels)), squeeze=False)
        for axis, (title, curves, xlabel, ylabel) in zip(axes.flat, panels):
            for label, x, y, colour, dashes in curves:
                axis.plot(x, y, color=colour, linestyle=dashes, label=label)
            axis.set(title=title, xlabel=xlabel, ylabel=ylabel)
            if len(curves) > 1:
                axis.legend(frameon=False)
        drawing.tight_layout()
        path = PLOTS / f"{name}.svg"
        drawing.savefig(path, metadata={"Date": None, "Creator": None})
        path.write_text(re.sub(r"(?m)^ +", "", re.sub(r"(\d\.\d\d)\d+", r"\1", path.read_text())))
        plt.close(drawing)

    def curve(run, label, column, dashes="-"):
        return label, run.columns["time"], run.columns[column], COLOURS[label.split(",")[0]], dashes

    def compared(name, profile, labels, columns):
        runs = {label: Run(folder, profile, label, 0.01) for label in labels}
        fine = Run(folder, profile, "explicit-correction", 0.0001, "--every", "20")
        figure(name, [(title, [curve(fine, "reference", column)] + [curve(runs[m], m, column, "--") for m in labels], "time (s)", "z (m)")
                      for title, column in columns])

    x = [0.01 * i for i in range(4000)]
    figure("road_1", [(f"Profile I, {side} wheels", [("", x, [bump(p, start) for p in x], "black", "-")], "x (m)", "z (m)")
                      for side, start in (("right", 5), ("left", 12))], 1.6)
    figure("road_2", [("Profile II", [("", x, [stairs(p) for p in x], "black", "-")], "x (m)", "z (m)")], 2.0)
    chassis = ("Chassis, 10 ms", "chassis.r_0[3]")
    compared("profile_1_chassis", 1, ["A", "B"], [chassis])
    compared("profile_1_wheels", 1, ["A", "B"], [(f"{side} wheel, 10 ms", f"{side.replace(' ', '_').lower()}_wheel.r_0[3]")
                                                 for side in ("Front right", "Front left")])
    compared("profile_2_a_b", 2, ["A", "B"], [chassis])
    compared("profile_2_a_ab", 2, ["A", "A+B"], [chassis])


def main():
    if not TENON.exists():
        sys.exit(f"iltis: {TENON} is not there; build it first")
    PLOTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tables(Path(folder))
        figures(Path(folder))


if __name__ == "__main__":
    main()
