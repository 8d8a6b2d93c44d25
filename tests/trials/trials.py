"""Random machines, all methods: which runs are good, refused, wrong with a warning, wrong without (docs/trials.md).

    build/venv/bin/python tests/trials/trials.py [--classes A,B] [--machines N] [--methods A,B] [--stop T] [--seed S] [--processes P] [--out DIR]

Every machine is drawn in five orientations, one for each method in turn. What was not good is in DIR/runs.jsonl, with its model file beside it.
"""

import argparse
import collections
import json
import multiprocessing
import os
import sys

import numpy as np

import excavator
import loops
import trees
import truth
from parts import BASES, ORIENTATIONS, askew, pick, put_on_base

METHODS = ("projection", "conserving", "conserving-projection", "augmented-lagrangian", "energy-preserving", "energy-decaying",
           "explicit-correction", "baumgarte", "munthe-kaas", "gauss-newmark")
# Shown to fail, for comparison: counted apart.
COMPARED = ("augmented-lagrangian", "baumgarte")
VERDICTS = ("good", "coarse warned", "coarse silent", "refused", "wrong warned", "wrong silent")


def loop_on_base(make, base):
    def build(rng):
        m = make(rng)
        put_on_base(m, rng, base, size=0.7)
        return askew(m, rng) if rng.random() < 0.5 else m
    return build


def loop_with(make, change):
    def build(rng):
        m = make(rng)
        put_on_base(m, rng, pick(rng, *BASES), size=0.7)
        change(m, rng)
        return m
    return build


def _driven(m, rng):
    hinge = next(n for n, j in m.joints.items() if j["type"] == "revolute" and n in ("A", "foot0", "a0", "J0", "foot"))
    if hinge not in m.instead:
        trees.drive(m, rng, hinge)
        m.drivers["d_" + hinge]["motion"] = {"time": [0.0, 1.0, 2.0], "value": [0.0, *rng.uniform(-0.25, 0.25, 2)]}


def _soft(m, rng):
    trees.add_springs(m, rng, 1, 3)


def _stiff(m, rng):
    trees.add_springs(m, rng, 5, 8)
    m.grave = True


def classes():
    out = {f.__name__: f for f in trees.ALL}
    for make in (*loops.REDUNDANT, *loops.SIMPLE):
        for base in BASES:
            out[f"{make.__name__}/{base}"] = loop_on_base(make, base)
    some = (loops.four_bar, loops.parallelogram, loops.ladder, loops.bennett, loops.scissors)
    for word, change in (("driven", _driven), ("friction", trees.add_friction), ("springs", _soft), ("stiff", _stiff)):
        for make in some:
            out[f"{make.__name__}+{word}"] = loop_with(make, change)
    for chassis in ("stands", "floats", "tilts", "springs"):
        for driven in (False, True):
            out[f"excavator/{chassis}{'+driven' if driven else ''}"] = \
                lambda rng, c=chassis, d=driven: excavator.excavator(rng, c, d)
    return out


def machine_of(name, number, seed):
    """A machine of a class, with velocities, and the step at which it is run. The same numbers give the same machine."""
    rng = np.random.default_rng([seed, number, *name.encode()])
    machine = classes()[name](rng)
    machine.give_velocities(rng, speed=float(rng.uniform(0, 3)) if rng.random() < 0.8 else 0.0)
    step = (1e-3, 1e-3, 2e-3, 4e-3, 1e-2)[rng.integers(5)]
    return machine, step


def trial(job):
    name, number, seed, methods, stop, folder = job
    machine, step = machine_of(name, number, seed)
    lines = []
    twin = machine.twin()
    assert not machine.instead or (twin.surplus() == 0 and twin.freedom() == machine.freedom()), f"{name} {number}: no twin"
    common = dict(name=name, number=number, step=step, bodies=len(machine.bodies), surplus=int(machine.surplus()),
                  freedom=int(machine.freedom()), twin=int(twin.surplus()))
    # 1e8 N/m at a kilogram: an explicit method needs 20 us and a little
    true = truth.Truth(machine, stop, 8e-5 if machine.grave else min(step, 2e-3))
    if true.until < 0.05 * stop:
        return [dict(common, method="-", verdict="no truth", note=true.note, runs=[r.message for r in true.runs])]
    for method in methods:
        orientation = (number + METHODS.index(method)) % len(ORIENTATIONS)
        verdict, error, run = truth.judge(machine, true, stop, step, method, ORIENTATIONS[orientation])
        lines.append(dict(common, method=method, orientation=orientation, verdict=verdict, error=error, until=true.until,
                          extent=true.extent, code=run.code, message=run.message, warnings=run.warnings,
                          end=run.summary.get("end_time"), halvings=run.summary.get("halvings"),
                          energy_error=run.summary.get("max_energy_error"), scale=run.summary.get("energy_scale"),
                          wall=run.summary.get("wall_seconds"), said=run.summary.get("position_error"),
                          leap=run.summary.get("leap"), motion=run.summary.get("motion")))
        if verdict != "good":
            file = os.path.join(folder, f"{name.replace('/', '_')}_{number}_{method}.toml")
            with open(file, "w") as f:
                f.write(f"# {verdict}: {run.message or run.warnings} error {error:.3g} of the motion, known until {true.until:g} s\n")
                f.write(machine.drawn(ORIENTATIONS[orientation]).toml(integrator=method, step=step, stop=stop))
    return lines


def table(lines, key, title):
    rows = collections.defaultdict(collections.Counter)
    for line in lines:
        rows[key(line)][line["verdict"]] += 1
    out = [f"| {title} | runs | " + " | ".join(VERDICTS) + " |", "|---" * (len(VERDICTS) + 2) + "|"]
    for name, count in sorted(rows.items()):
        out.append(f"| {name} | {sum(count[v] for v in VERDICTS)} | " + " | ".join(str(count[v]) for v in VERDICTS) + " |")
    return "\n".join(out)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--classes", default="")
    words.add_argument("--machines", type=int, default=2)
    words.add_argument("--methods", default=",".join(METHODS))
    words.add_argument("--stop", type=float, default=2.0)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--out", default="build/trials")
    asked = words.parse_args()
    os.makedirs(asked.out, exist_ok=True)
    names = [n for n in classes() if not asked.classes or any(n.startswith(c) for c in asked.classes.split(","))]
    jobs = [(n, i, asked.seed, asked.methods.split(","), asked.stop, asked.out) for i in range(asked.machines) for n in names]
    lines, machines = [], 0
    with multiprocessing.Pool(asked.processes) as pool, open(os.path.join(asked.out, "runs.jsonl"), "w") as file:
        try:
            for done in pool.imap_unordered(trial, jobs):
                machines += 1
                for line in done:
                    lines.append(line)
                    file.write(json.dumps(line, default=str) + "\n")
                file.flush()
        except KeyboardInterrupt:
            pool.terminate()  # the tables of what was done
    runs = [l for l in lines if l["verdict"] in VERDICTS]
    asked_for = [l for l in runs if l["method"] not in COMPARED]
    print(f"{machines} machines, {len(lines) - len(runs)} without a truth, {len(runs)} runs\n")
    print(table(asked_for, lambda l: l["name"].split("/")[0].split("+")[0] + ("+" + l["name"].split("+")[1] if "+" in l["name"] else ""),
                "class (eight methods)"), "\n")
    print(table([l for l in asked_for if "/" in l["name"]], lambda l: l["name"].split("/")[1], "base (eight methods)"), "\n")
    print(table(runs, lambda l: l["method"], "method"), "\n")
    print(table(asked_for, lambda l: "all", "eight methods"))
    return 1 if any(l["verdict"] == "wrong silent" for l in asked_for) else 0


if __name__ == "__main__":
    sys.exit(main())
