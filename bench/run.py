#!/usr/bin/env python3
"""Measures Tenon and writes docs/benchmarks.md and docs/integrators/plots/*.svg. Called by `make bench`.

    build/venv/bin/python bench/run.py                        everything, about ten minutes on two quiet cores
    build/venv/bin/python bench/run.py precision peer         only these parts; the others keep their last results
    build/venv/bin/python bench/run.py master isolation       the master alone, some minutes
    build/venv/bin/python bench/run.py --quick                a minute; writes to build/bench/quick instead of docs/
    build/venv/bin/python bench/run.py report                 no measurement: tables and plots from the last results

Parts: scaling, precision (all integrators), peer (exudyn), fmu (an FMU over the core), master (over a bare loop, and other masters),
isolation (FMUs in processes of their own), glue (FMUs glued at joints), vehicle (real time), plots (machines of docs/integrators), report (always last).
Results are kept as JSON in build/bench. --cases P1,P4 limits precision and peer to problems whose names begin so.
"""
import argparse
import csv
import json
import math
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the times of one thread; also, threads that wait cost more than they help

import curves  # noqa: E402
import master_tables  # noqa: E402
import vehicle  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
RELEASE = ROOT / "build" / "release"
FMUS = RELEASE / "fmus"  # the foreign ones
TENON = ROOT / "build" / "tenon"
PARTS = ["scaling", "precision", "peer", "fmu", "master", "isolation", "glue", "vehicle", "plots", "report"]
STEPS = [0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5]
TARGETS = [1e-2, 1e-3, 1e-4, 1e-5]
MAIN = ["projection", "explicit-correction", "munthe-kaas"]  # the methods that the scaling target is set for
GROWTH = 1.3
# Sections of docs/benchmarks.md, with the results that they are made of
SECTIONS = {"# Benchmarks": "machine", "## Work and precision": "precision", "## Growth with the number of bodies": "scaling",
            "## FMUs": "fmu", "## Glue": "glue", "## The master": "master", "## Isolated FMUs": "isolation", "## Vehicle": "vehicle"}

# name, kind (curves.py, peer_exudyn.py), N, seconds
CASES = [("P1", "double_pendulum", 2, 10), ("P2", "slider_crank", 2, 100), ("P5", "bricard", 5, 10), ("P6", "heavy_top", 1, 2),
         ("P3 N=1", "n_four_bar", 1, 10), ("P3 N=2", "n_four_bar", 2, 10), ("P3 N=10", "n_four_bar", 10, 10),
         ("P3 N=40", "n_four_bar", 40, 10), ("P4 N=10", "chain", 10, 1), ("P4 N=40", "chain", 40, 1),
         ("P4 N=160", "chain", 160, 1), ("P4 N=640", "chain", 640, 1)]
TABLES = [("Small machines", ["P1", "P2", "P5", "P6"]), ("N-four-bar", ["P3 N=1", "P3 N=2", "P3 N=10", "P3 N=40"]),
          ("Chain", ["P4 N=10", "P4 N=40", "P4 N=160", "P4 N=640"])]

# Quoted, not measured here: other engines on a machine with two busy cores, the best of what each offers, steps from 0.02 s.
QUOTED = {
    "MuJoCo 4.0": {"P1": "2.9/5.9/15/29", "P2": "481/975/1850/-", "P3 N=1": "10/21/43/116", "P3 N=2": "14/74/362/-",
                   "P3 N=10": "55/113/540/-", "P3 N=40": "81/208/1100/-", "P4 N=10": "0.40/0.40/0.40/1.0",
                   "P4 N=40": "2.8/2.8/3.9/8.0", "P4 N=160": "40/40/76/148", "P4 N=640": "2030/-/-/-", "P5": "6.9/6.9/6.9/12",
                   "P6": "3.0/5.6/11/29"},
    "Pinocchio 4.1, RK4": {"P1": "2.9/5.9/15/29", "P2": "53/305/309/1250", "P3 N=1": "3.3/3.3/3.3/6.8", "P3 N=2": "5/5/5/10",
                           "P3 N=10": "40/40/40/80", "P3 N=40": "743/743/743/1790", "P4 N=10": "0.66/0.66/0.66/1.3",
                           "P4 N=40": "2.7/2.7/5.5/12", "P4 N=160": "11/11/23/46", "P4 N=640": "no result",
                           "P5": "13/13/28/28", "P6": "1.3/2.7/6.4/16"},
    "Exudyn 1.13": {"P1": "5.2/11/24/36", "P2": "2260/-/-/-", "P3 N=1": "42/107/407/925", "P3 N=2": "81/346/-/-",
                    "P3 N=10": "386/978/-/-", "P3 N=40": "1730/-/-/-", "P4 N=10": "1.7/1.7/1.7/3.1",
                    "P4 N=40": "27/27/38/52", "P4 N=160": "175/268/1170/1860", "P4 N=640": "1380/-/-/-",
                    "P5": "163/261/540/1910", "P6": "27/104/193/899"},
    "Simbody 3.7": {"P1": "54/83/150/175", "P2": "1130/1130/2700/-", "P3 N=1": "71/71/71/173", "P3 N=2": "101/101/101/193",
                    "P3 N=10": "832/832/832/-", "P3 N=40": "over budget", "P4 N=10": "2.4/2.4/3.7/6.2",
                    "P4 N=40": "9.7/9.7/12/27", "P4 N=160": "31/58/78/148", "P4 N=640": "124/266/487/-", "P5": "45/45/45/45",
                    "P6": "39/88/115/115"},
    "Drake 1.51": {"P1": "114/181/218/-", "P3 N=1": "762/-/-/-", "P4 N=10": "4.1/5/5/10", "P4 N=40": "18/23/27/51",
                   "P4 N=160": "103/103/166/370", "P4 N=640": "937/937/937/-", "P5": "1920/-/-/-", "P6": "339/339/-/-"},
    "Project Chrono, HHT": {"P1": "3930/-/-/-", "P2": "1200/4410/-/-", "P3 N=1": "64/172/612/1480",
                            "P3 N=10": "490/1120/4260/-", "P4 N=10": "6.6/21/43/205", "P4 N=40": "30/95/220/851",
                            "P4 N=160": "139/406/1880/3690", "P6": "12/26/114/238"},
}

# Machines of docs/integrators: title, model, kind, N, seconds, step of the curves over time
MACHINES = [("Double pendulum", "double_pendulum", "double_pendulum", 2, 5, 0.002),
            ("Slider-crank", "slider_crank", "slider_crank", 2, 10, 0.01),
            ("Four-bar, N = 1", "n_four_bar_1", "n_four_bar", 1, 10, 0.005),
            ("Heavy top", "heavy_top", "heavy_top", 1, 2, 0.0005)]
# One colour a method; second order dashed, the third-order ones dotted, fourth order solid.
LINES = {"projection": ("#1f77b4", "--", "o"), "conserving": ("#2ca02c", "--", "s"),
         "conserving-projection": ("#17becf", "--", "^"), "augmented-lagrangian": ("#7f7f7f", "--", "x"),
         "energy-preserving": ("#bcbd22", "--", "D"), "energy-decaying": ("#8c564b", ":", "v"),
         "explicit-correction": ("#d62728", "-", "o"), "baumgarte": ("#e377c2", ":", "P"),
         "munthe-kaas": ("#9467bd", "-", "s"), "gauss-newmark": ("#ff7f0e", "--", "d")}
INTEGRATORS = list(LINES)


class Bench:
    def __init__(self, options):
        self.quick = options.quick
        self.cases = [c for c in CASES if not options.cases or c[0].startswith(tuple(options.cases.split(",")))]
        self.store = ROOT / "build" / "bench" / ("quick" if self.quick else "full")
        self.docs = self.store if self.quick else ROOT / "docs"
        self.models = self.store.parent / "models"
        for folder in (self.store, self.models):
            folder.mkdir(parents=True, exist_ok=True)
        self.limit = options.limit or (0.1 if self.quick else 1.5)
        self.begin = time.monotonic()

    def say(self, text):
        print(f"[{time.monotonic() - self.begin:5.0f} s] {text}", flush=True)

    def keep(self, name, data):
        (self.store / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n")

    def kept(self, name):
        path = self.store / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else None

    def lines_of(self, command):
        """The JSON lines that a command prints; its mistakes are shown, not fatal."""
        done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, text=True, cwd=ROOT,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        if done.returncode:
            self.say(f"  failed with code {done.returncode}: {' '.join(str(c) for c in command)}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    # ---- models and reference curves -----------------------------------------------------------------------------------

    def model(self, kind, n):
        name = f"{kind}_{n}" if kind in ("n_four_bar", "chain") else kind
        path = ROOT / "examples" / f"{name}.toml"
        if path.exists():
            return path
        path = self.models / f"{name}.toml"
        made = subprocess.run([sys.executable, ROOT / "examples" / "generate.py", kind.replace("_", "-"), str(n)], check=True,
                              stdout=subprocess.PIPE, text=True)
        path.write_text(made.stdout)
        return path

    def curve(self, kind, n, stop):
        path = self.models / f"{kind}_{n}_{stop}.curve"
        check = path.with_suffix(".check")
        if not (path.exists() and check.exists()) or path.stat().st_mtime < Path(curves.__file__).stat().st_mtime:
            self.say(f"reference motion of {kind} {n}, {stop} s")
            make = {"double_pendulum": lambda: curves.double_pendulum(stop), "slider_crank": lambda: curves.slider_crank(stop),
                    "n_four_bar": lambda: curves.n_four_bar(n, stop), "chain": lambda: curves.chain(n, stop),
                    "bricard": curves.bricard, "heavy_top": curves.heavy_top}[kind]
            bodies, rows, difference = make()
            if difference is not None and difference > 1e-7:
                sys.exit(f"run: the reference motion of {kind} {n} is {difference:.1e} m from tests/reference")
            curves.write(path, bodies, rows)
            check.write_text(json.dumps(difference))
        return path, json.loads(check.read_text())

    # ---- parts ---------------------------------------------------------------------------------------------------------

    def scaling(self):
        self.say("scaling of chain and N-four-bar, all integrators")
        done = subprocess.run([RELEASE / "bench_scaling", "1" if self.quick else "8"] + (MAIN if self.quick else []),
                              stdout=subprocess.PIPE, text=True, check=True)
        self.keep("scaling", json.loads(done.stdout))

    def fmu(self):
        self.say("FMUs over the core")
        done = subprocess.run([RELEASE / "bench_fmu", ROOT / "examples"], check=True, capture_output=True, text=True)
        self.keep("fmu", json.loads(done.stdout))

    def has_fmus(self):
        if not (FMUS / "gain.2.fmu").exists():
            self.say(f"no FMUs in {FMUS} (target foreign_fmus): master and isolation are left out")
        return (FMUS / "gain.2.fmu").exists()

    def master(self):
        if not self.has_fmus():
            return
        self.say("the master over a bare loop")
        done = subprocess.run([RELEASE / "bench_master_overhead", FMUS, "1" if self.quick else "7"], check=True,
                              stdout=subprocess.PIPE, text=True)
        self.say("the same through the command")
        command = self.lines_of([sys.executable, ROOT / "bench" / "command_cost.py", TENON, FMUS, "1" if self.quick else "5"])
        self.say("other masters on the same FMUs")
        peers = self.lines_of([sys.executable, ROOT / "bench" / "peer_masters.py", FMUS] + (["gain"] if self.quick else []))
        self.keep("master", {"tenon": json.loads(done.stdout), "command": command, "peers": peers, "load": machine()["load"]})

    def isolation(self):
        if not self.has_fmus():
            return
        self.say("isolated FMUs")
        done = subprocess.run([RELEASE / "bench_isolated_call", FMUS / "gain.2.fmu", "10000" if self.quick else "100000"],
                              check=True, stdout=subprocess.PIPE, text=True)
        self.keep("isolation", {"rows": json.loads(done.stdout), "load": machine()["load"]})

    def glue(self):
        self.say("FMUs glued at joints")
        done = subprocess.run([RELEASE / "bench_glue", ROOT / "examples"], check=True, capture_output=True, text=True)
        self.keep("glue", json.loads(done.stdout))

    def vehicle(self):
        self.say("the Iltis vehicle against the clock")
        self.keep("vehicle", vehicle.measure(TENON, ROOT / "examples"))

    def precision(self):
        results = {} if self.cases == CASES else self.kept("precision") or {}
        for name, kind, n, stop in self.cases:
            if self.quick and n > 10:
                continue
            curve, check = self.curve(kind, n, stop)
            runs = []
            for integrator in INTEGRATORS:
                new = self.lines_of([RELEASE / "bench_work_precision", self.model(kind, n), curve, self.limit, 1e-5,
                                     ",".join(map(str, STEPS)), integrator])
                runs += new
                self.say(f"{name:8} {integrator:22} {cell(new)} ms")
            results[name] = {"runs": runs, "check": check, "limit": self.limit}
            self.keep("precision", results)
        self.keep("machine", machine())

    def peer(self):
        try:
            import exudyn
        except ImportError:
            self.say("exudyn is not installed: the comparison is left out")
            self.keep("peer", {"absent": True})
            return
        results = {} if self.cases == CASES else self.kept("peer") or {}
        results["version"] = exudyn.__version__
        for name, kind, n, stop in self.cases:
            if self.quick and n > 10:
                continue
            curve, _ = self.curve(kind, n, stop)
            runs = self.lines_of([sys.executable, ROOT / "bench" / "peer_exudyn.py", kind, n, curve, self.limit, 1e-5,
                                  ",".join(map(str, STEPS))])
            self.say(f"{name:8} {'exudyn':22} {cell(runs)} ms")
            results[name] = runs
            self.keep("peer", results)

    def plots(self):
        results = {}
        for title, model, kind, n, stop, step in MACHINES:
            curve, _ = self.curve(kind, n, stop)
            self.say(f"{title}: errors and curves over time of all integrators")
            runs = self.lines_of([RELEASE / "bench_work_precision", self.model(kind, n), curve, min(self.limit, 0.7), 1e-10,
                                  ",".join(map(str, [0.05] + STEPS))])
            histories = {}
            for integrator in INTEGRATORS:
                histories[integrator] = self.history(model, integrator, stop, step)
            results[title] = {"runs": runs, "histories": histories, "step": step, "stop": stop}
        self.keep("plots", results)

    def history(self, model, integrator, stop, step):
        """Largest energy error and joint violations in each of 100 parts of the time; shorter where the run fails."""
        path = self.store / "history.csv"
        path.unlink(missing_ok=True)
        subprocess.run([TENON, "simulate", ROOT / "examples" / f"{model}.toml", "--integrator", integrator, "--step", str(step),
                        "--stop", str(stop), "--vars", "energy.total,energy.work,constraint.position,constraint.velocity",
                        "--out", path, "--quiet"], stderr=subprocess.DEVNULL)
        if not path.exists():
            return {"t": [], "energy": [], "position": [], "velocity": []}
        with path.open() as file:
            rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
        parts = 100
        out = {"t": [], "energy": [], "position": [], "velocity": []}
        groups = {}
        for row in rows[1:]:
            groups.setdefault(min(parts - 1, int(row["time"] / stop * parts - 1e-9)), []).append(row)
        for part in sorted(groups):
            group = groups[part]
            out["t"].append(stop * (part + 1) / parts)
            out["energy"].append(max(abs(r["energy.total"] - rows[0]["energy.total"] - r["energy.work"]) for r in group))
            out["position"].append(max(r["constraint.position"] for r in group))
            out["velocity"].append(max(r["constraint.velocity"] for r in group))
        return out

    # ---- report --------------------------------------------------------------------------------------------------------

    def report(self):
        folder = self.docs / "integrators" / "plots"
        folder.mkdir(parents=True, exist_ok=True)
        plots = self.kept("plots")
        if plots:
            draw(plots, folder)
        page = self.docs / "benchmarks.md"
        new, old = sections(self.tables()), sections(page.read_text() if page.exists() else "")
        # What was not measured since build/ is new stays as the page has it.
        page.write_text("".join(old[h] if h in old and h in SECTIONS and not self.kept(SECTIONS[h]) else new[h] for h in new))
        self.say(f"wrote {self.docs / 'benchmarks.md'} and {folder}/*.svg")

    def tables(self):
        precision, peer, scaling = self.kept("precision") or {}, self.kept("peer") or {}, self.kept("scaling")
        about = self.kept("machine") or machine()
        limit = max([c["limit"] for c in precision.values()], default=self.limit)
        text = ["# Benchmarks", "",
                "Written by `make bench` (bench/run.py); do not edit. " + machine_line(about), "",
                "## Work and precision", "",
                "Least processor time in milliseconds for a largest position error of 1e-2 / 1e-3 / 1e-4 / 1e-5 m over the whole run.",
                f"\"-\": not reached; runs that would take longer than {limit:g} s were not tried. Steps 0.02, 0.01, 0.005, 0.002 s and so on down; default options,",
                "tolerance 1e-8; the time of stepping alone, the model loaded and assembled before; one thread. Runs shorter than 0.1 s",
                "are repeated and the least time counts.", "",
                "| problem | model | compared with |", "|---|---|---|",
                f"| P1 | double pendulum from horizontal, 10 s (`examples/double_pendulum.toml`) | {origin(precision, 'P1')} |",
                f"| P2 | slider-crank from rest at 45 degrees through its singular position, 100 s (`slider_crank.toml`) | {origin(precision, 'P2')} |",
                f"| P3 | N-four-bar, IFToMM A02, 10 s (`n_four_bar_N.toml`) | {origin(precision, 'P3 N=1')} |",
                f"| P4 | chain of N rods from horizontal, 1 s (`generate.py chain N`) | {origin(precision, 'P4 N=10')}; larger N: the same equations |",
                "| P5 | Bricard's loop, IFToMM A04, 10 s (`bricard.toml`) | `tests/reference/a04_bricard.json`, 21 times |",
                "| P6 | heavy top, 2 s (`heavy_top.toml`) | `tests/reference/heavy_top.json`, 21 times |", "",
                "Compared are both rods of P1 and P2, all couplers of P3, all rods of P4 every 0.1 s; point P3 of the Bricard loop; the",
                "centre of the top. The reference motions are integrated in bench/curves.py in minimal coordinates, independently of Tenon.", ""]
        for title, names in TABLES:
            text += [f"### {title}", "", "| | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
            for integrator in INTEGRATORS:
                runs = [[r for r in precision.get(c, {}).get("runs", []) if r["integrator"] == integrator] for c in names]
                text.append(f"| [{integrator}](integrators/{integrator}.md) | " + " | ".join(map(cell, runs)) + " |")
            text.append("| **best of Tenon** | " + " | ".join(cell(precision.get(c, {}).get("runs", [])) for c in names) + " |")
            if peer.get("version"):
                text.append(f"| Exudyn {peer['version']}, this run | " + " | ".join(cell(peer.get(c, [])) for c in names) + " |")
            for engine, cells in QUOTED.items():
                text.append(f"| {engine}, quoted | " + " | ".join(cells.get(c, "") for c in names) + " |")
            text.append("")
        if peer.get("version"):
            text += ["Exudyn was measured in the same run: planar bodies with generalised alpha (spectral radius 0.9) and with the index-2",
                     "trapezoidal rule, trees up to 160 rods also as a kinematic tree with RK4; the best counts (bench/peer_exudyn.py). It solves",
                     "planar problems in the plane, Tenon in space. Its other settings are defaults, not tuned; of the Bricard loop's redundant rows one",
                     "is left out by hand; the time of a run of one step (its start-up) is subtracted.", ""]
        else:
            text += ["Exudyn was not installed: there is no comparison measured in this run.", ""]
        text += ["Quoted rows were measured elsewhere, on a machine with two busy cores, and are there for the order of magnitude; empty: not",
                 "measured. MuJoCo and Pinocchio work in joint coordinates, MuJoCo's loops are soft.", ""]
        text += scaling_table(scaling)
        text += fmu_table(self.kept("fmu"))
        text += glue_table(self.kept("glue"))
        text += master_tables.master_table(self.kept("master"))
        text += master_tables.isolation_table(self.kept("isolation"))
        text += vehicle.table(self.kept("vehicle"))
        text += ["## Plots", "", "[docs/integrators](integrators/README.md) compares all ten on four machines:", ""]
        text += [f"- [{caption}](integrators/plots/{name}.svg)" for name, caption in PLOTS.items()]
        return "\n".join(text) + "\n"


def sections(page):
    """The parts of a page under its headings of the first two levels, by heading."""
    return {part.split("\n", 1)[0]: part for part in re.split(r"(?m)^(?=##? )", page) if part}


def machine():
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        model = next((line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")),
                     model)
    return {"processor": model, "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}


def machine_line(about):
    busy = about["load"] > 1.5
    return (f"{about['processor']}, {about['cores']} cores, load {about['load']} at the end of the measurement"
            + ("; others were at work on the machine, so compare times only by factors above 1.3." if busy else "."))


def origin(precision, case):
    check = precision.get(case, {}).get("check")
    if check is None:
        return "minimal coordinates"
    return f"minimal coordinates, within {check:.0e} m of `tests/reference`"


def best(runs, target):
    times = [r["cpu_ms"] for r in runs if r["error"] is not None and r["error"] <= target]
    return min(times, default=None)


def cell(runs):
    return "/".join("-" if t is None else digits(t) for t in (best(runs, target) for target in TARGETS)) if runs else ""


def digits(x):
    if x >= 100:
        return f"{float(f'{x:.3g}'):.0f}"
    return f"{x:.0f}" if x >= 9.95 else f"{x:.1f}" if x >= 0.995 else f"{x:.2f}"


def scaling_table(scaling):
    text = ["## Growth with the number of bodies", ""]
    if not scaling:
        return text + ["Not measured.", ""]
    text += [f"Nanoseconds per body and step, step 1 ms. The target: at N = 640 at most {GROWTH} times N = 40 for "
             + ", ".join(f"`{m}`" for m in MAIN) + ".", "",
             "| integrator | machine | N = 10 | 40 | 160 | 640 | 640 / 40 | target |", "|---|---|---|---|---|---|---|---|"]
    for row in scaling:
        times = row["ns_per_body_step"]
        verdict = "" if row["integrator"] not in MAIN else "met" if row["ratio_640_40"] <= GROWTH else "**missed**"
        text.append(f"| {row['integrator']} | {row['machine'].replace('_', '-')} | "
                    + " | ".join(str(times[n]) for n in ("10", "40", "160", "640"))
                    + f" | {row['ratio_640_40']:.2f} | {verdict} |")
    return text + ["", "Of others (quoted, chain): Pinocchio RK4 1316-1380 (N = 10-160), MuJoCo RK4 798 / 986 / 4618 / 63520, Exudyn generalised",
                   "alpha 5600-10800, Simbody 5700-8900, Drake rk3 3750-4950, Project Chrono 10000-12500.", ""]


def fmu_table(fmu):
    """What an exported FMU costs on top of the core."""
    text = ["## FMUs", ""]
    if not fmu:
        return text + ["Not measured.", ""]
    text += ["An exported FMU loaded from its packed file, called through the importer: nanoseconds of processor time, the least of seven",
             "rounds. A step is one internal step of the default integrator; get and set are of one variable.", "",
             "| machine | FMI | core's step | FMU's step | more | get | set | save | restore | directional derivative |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for row in fmu["fmus"]:
        more = 100 * (row["step"] / row["core_step"] - 1)
        rest = [f"{row[key]:.0f}" if row[key] else "" for key in ("get", "set", "save", "restore", "derivative")]
        text.append(f"| {row['machine']} | {row['fmi']}.0 | {row['core_step']:.0f} | {row['step']:.0f} | {more:.1f} % | "
                    + " | ".join(rest) + " |")
    two, three = fmu["export_640_bodies"]
    return text + ["", f"Export of a chain of 640 bodies: {two:.2f} s (FMI 2.0), {three:.2f} s (3.0).", ""]


def glue_table(glue):
    """FMUs glued at joints, beside springs between them and beside the machine in one piece."""
    text = ["## Glue", ""]
    if not glue:
        return text + ["Not measured.", ""]
    text += ["A four-bar linkage of three FMUs (`examples/glue/four_bar`), 2 s, internal step 2.5 ms: largest position error in metres against the",
             "machine in one piece at 0.1 ms, and processor time of stepping. `springs`: springs and dampers in the place of the joints (method",
             "`compliant` of the same master), at steps that are stable or nearly so. [How it works](gluing.md)", "",
             "| how | macro step, s | stiffness, N/m | error, m | ms |", "|---|---|---|---|---|"]
    for row in glue["precision"]:
        error = "unstable" if row["error"] is None or row["error"] > 10 else f"{row['error']:.1e}"
        stiffness = f"{row['stiffness']:.0e}" if row["stiffness"] else ""
        text.append(f"| {row['how']} | {row['step']:g} | {stiffness} | {error} | {row['ms']:.1f} |")
    master = glue["master"]
    text += ["", f"Two FMUs and one revolute joint: {master['us_a_step']:.0f} us per macro step ({master['dosteps']:.1f} steps of each FMU), of which "
             f"{master['us_master']:.0f} us are the master's own.", "",
             "Chains of N links, each an FMU, on axes that alternate; macro step 5 ms, one thread:", "",
             "| FMUs | us per macro step | of which the master's own | the same for each FMU | steps of each FMU |", "|---|---|---|---|---|"]
    for row in glue["chains"]:
        text.append(f"| {row['fmus']} | {row['us_a_step']:.0f} | {row['us_master']:.0f} | {row['us_master'] / row['fmus']:.1f} | {row['dosteps']:.1f} |")
    return text + [""]


# ---- plots -------------------------------------------------------------------------------------------------------------

PLOTS = {"error_step": "error against step (grey: orders 2, 3 and 4)", "error_time": "processor time against error",
         "energy": "energy error over time", "violation_position": "joint violation over time, positions",
         "violation_velocity": "joint violation over time, velocities"}


def draw(plots, folder):
    import matplotlib
    matplotlib.use("Agg")
    # The same numbers give the same file: fixed ids, text as text, no date.
    matplotlib.rcParams.update({"svg.hashsalt": "tenon", "svg.fonttype": "none", "font.size": 9, "axes.grid": True,
                                "grid.alpha": 0.3, "lines.linewidth": 1.3, "lines.markersize": 3.5, "axes.titlesize": 10,
                                "font.family": "sans-serif"})
    import matplotlib.pyplot as plt
    for name, caption in PLOTS.items():
        figure, axes = plt.subplots(2, 2, figsize=(10, 8))
        for axis, (title, data) in zip(axes.flat, plots.items()):
            axis.set_title(f"{title}, {data['stop']} s" if name.startswith("error") else f"{title}, step {1e3 * data['step']:g} ms")
            for integrator, (colour, dashes, marker) in LINES.items():
                style = {"color": colour, "linestyle": dashes, "label": integrator}
                if name.startswith("error"):
                    runs = [r for r in data["runs"] if r["integrator"] == integrator and r["error"]]
                    x = [r["step"] if name == "error_step" else r["error"] for r in runs]
                    y = [r["error"] if name == "error_step" else r["cpu_ms"] for r in runs]
                    axis.loglog(x, y, marker=marker, **style)
                else:
                    h = data["histories"][integrator]
                    key = name.split("_")[-1]
                    axis.semilogy(h["t"], [max(v, 1e-17) if math.isfinite(v) else math.nan for v in h[key]], **style)
            if name == "error_step":
                orders(axis)
                axis.set(xlabel="step (s)", ylabel="largest position error (m)")
            elif name == "error_time":
                axis.invert_xaxis()
                axis.set(xlabel="largest position error (m), finer to the right", ylabel="processor time (ms)")
            else:
                low, high = axis.get_ylim()
                axis.set_ylim(max(low, 1e-17), min(high, 1e4))  # what fails grows without bound
                axis.set(xlabel="time (s)", ylabel={"energy": "|E - E0 - work| (J)", "violation_position": "violation (m or rad)",
                                                    "violation_velocity": "violation (m/s or rad/s)"}[name])
            axis.minorticks_off()
        handles, labels = axes.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="lower center", ncol=5, frameon=False)
        figure.suptitle(caption[0].upper() + caption[1:])
        figure.tight_layout(rect=(0, 0.06, 1, 1))
        path = folder / f"{name}.svg"
        figure.savefig(path, metadata={"Date": None, "Creator": None})
        # Hundredths of a point are enough, and nobody reads the indentation.
        path.write_text(re.sub(r"(?m)^ +", "", re.sub(r"(\d\.\d\d)\d+", r"\1", path.read_text())))
        plt.close(figure)


def orders(axis):
    """Grey lines of slope 2, 3 and 4 behind the curves."""
    limits = axis.get_xlim(), axis.get_ylim()
    right = limits[0][1]
    for order in (2, 3, 4):
        axis.loglog([right / 1e4, right], [limits[1][1] * 1e-4 ** order, limits[1][1]], color="0.8", linewidth=0.8, zorder=0)
    axis.set(xlim=limits[0], ylim=limits[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS) + "; all by default")
    parser.add_argument("--quick", action="store_true", help="small machines and short runs, to try the programs")
    parser.add_argument("--cases", default="", help="problems of precision and peer, as in P1,P4")
    parser.add_argument("--limit", type=float, default=0, help="seconds of the longest single run (1.5)")
    options = parser.parse_args()
    unknown = [p for p in options.parts if p not in PARTS]
    if unknown:
        parser.error(f"unknown part '{unknown[0]}'; there are {', '.join(PARTS)}")
    bench = Bench(options)
    for part in PARTS:
        if part == "report" or not options.parts or part in options.parts:
            getattr(bench, part)()


if __name__ == "__main__":
    main()
