"""Random machines cut at random joints and glued, against the truth of the whole machine (docs/trials.md).

    build/venv/bin/python tests/trials/glued.py [--classes A,B] [--machines N] [--stop T] [--seed S] [--processes P] [--out DIR]

Machines and truth are those of trials.py. Each is cut at one to four joints; integrator and step inside the FMUs, macro step, method and
threads are random, too. Verdicts are the same, with one difference: coarse is what is off by no more than ten times the error of the
machine in one piece, by the same integrator at the same internal step.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import trials
import truth
from parts import ORIENTATIONS

INSIDE = ("projection", "projection", "conserving-projection", "energy-preserving", "energy-decaying", "explicit-correction", "munthe-kaas")
METHODS = ("auto", "auto", "auto", "newton", "difference", "dead-beat")
CUTTABLE = ("fixed", "revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "distance", "point_on_line", "point_on_plane")
attempts = 5  # sets of joints: some fall into one piece, or into pieces that are no machines


def settings(rng):
    H = float(rng.choice([1e-3, 2e-3, 5e-3, 1e-2]))
    return dict(inside=str(rng.choice(INSIDE)), H=H, step=H / float(rng.choice([4, 8])), method=str(rng.choice(METHODS)),
                threads=int(rng.choice([1, 2])))


def call(*words, timeout=300):
    try:
        return subprocess.run([truth.TENON, *map(str, words)], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, -1, "", f"took more than {timeout} s")


def glued(machine, rng, how, stop, folder, back):
    """Cut and run; None where no set of joints can be cut."""
    model, parts = os.path.join(folder, "m.toml"), os.path.join(folder, "parts")
    with open(model, "w") as file:
        file.write(machine.toml(integrator=how["inside"], step=how["step"], stop=stop))
    joints = [name for name, joint in machine.joints.items() if joint["type"] in CUTTABLE]
    for _ in range(attempts if joints else 0):
        at = rng.choice(joints, size=min(len(joints), int(rng.integers(1, 5))), replace=False)
        how["at"] = ",".join(at)
        if call("cut", model, "--at", how["at"], "-o", parts, "--step", how["H"], "--quiet").returncode == 0:
            break
    else:
        return None
    out, info = os.path.join(folder, "out.csv"), os.path.join(folder, "run.json")
    done = call("run", os.path.join(parts, "system.toml"), "--stop", stop, "--method", how["method"], "--threads", how["threads"],
                "--out", out, "--json", info, "--every", max(1, round(stop / truth.rows / how["H"])), "--quiet")
    said = done.stderr.replace(folder + "/", "").strip().splitlines()
    summary = json.load(open(info)) if os.path.exists(info) else {}
    motion = truth.read(out, machine, back, glued=True) if os.path.exists(out) else None
    return truth.Run(done.returncode, next((line for line in said if "warning" not in line), ""),
                     [line for line in said if "warning" in line], summary, motion)


def trial(job):
    name, number, seed, stop, out = job
    machine, _ = trials.machine_of(name, number, seed)
    rng = np.random.default_rng([seed, number, 1, *name.encode()])
    how = settings(rng)
    R = ORIENTATIONS[number % len(ORIENTATIONS)]
    line = dict(name=name, number=number, bodies=len(machine.bodies), **how)
    with tempfile.TemporaryDirectory() as folder:
        run = glued(machine.drawn(R), rng, how, stop, folder, R)
        line.update(how)
        if run is None:
            return dict(line, verdict="not cut")
        line.update(code=run.code, message=run.message, warnings=run.warnings, end=run.summary.get("end_time"),
                    gap=run.summary.get("max_position_violation"), wall=run.summary.get("wall_seconds"),
                    estimate=(run.summary.get("position_error") or {}).get("metres"))
        if run.code != 0:
            return dict(line, verdict="refused")
        true = truth.Truth(machine, stop, 2e-3)
        if true.until < 0.1:
            return dict(line, verdict="no truth", note=true.note)
        error = true.error(run)
        line.update(error=error, until=true.until, extent=true.extent)
        if error <= truth.limit:
            return dict(line, verdict="good")
        said = "warned" if run.warnings else "silent"
        whole = truth.simulate(machine.drawn(R), stop, how["step"], back=R, integrator=how["inside"])
        line["whole"] = true.error(whole) if whole.code == 0 else None
        coarse = whole.code == 0 and error <= truth.times * line["whole"]
        shutil.copytree(folder, os.path.join(out, f"{name.replace('/', '_')}_{number}"), dirs_exist_ok=True)
        return dict(line, verdict=f"{'coarse' if coarse else 'wrong'} {said}")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--classes", default="")
    words.add_argument("--machines", type=int, default=2)
    words.add_argument("--stop", type=float, default=1.0)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--out", default="build/trials/glued")
    asked = words.parse_args()
    os.makedirs(asked.out, exist_ok=True)
    names = [n for n in trials.classes() if not asked.classes or any(n.startswith(c) for c in asked.classes.split(","))]
    jobs = [(n, i, asked.seed, asked.stop, asked.out) for i in range(asked.machines) for n in names]
    lines = []
    with multiprocessing.Pool(asked.processes) as pool, open(os.path.join(asked.out, "runs.jsonl"), "w") as file:
        for line in pool.imap_unordered(trial, jobs):
            lines.append(line)
            print(json.dumps(line, default=str), file=file, flush=True)
    runs = [l for l in lines if l["verdict"] in trials.VERDICTS]
    print(f"{len(jobs)} machines, {sum(l['verdict'] == 'not cut' for l in lines)} that could not be cut, "
          f"{sum(l['verdict'] == 'no truth' for l in lines)} without a truth, {len(runs)} runs\n")
    for key, title in (("inside", "integrator inside"), ("method", "method"), ("H", "macro step")):
        print(trials.table(runs, lambda l, key=key: str(l[key]), title), "\n")
    print(trials.table(runs, lambda l: "all", "glued systems"))
    return 1 if any(l["verdict"] == "wrong silent" for l in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
