"""What a step of an FMU costs through the command: processor time of `tenon run` for a long and for a short run of the same ring.

    command_cost.py TENON FMUS ROUNDS      one JSON line for each ring of bench_master_overhead

The difference counts, so that starting and ending do not; no results are written, as in the rows of the master.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

STEP = 0.001
STEPS = 400_000  # of all FMUs of a long run; a short one has a tenth
RINGS = [(model, fmi, count) for model in ("gain", "oscillator") for fmi in (2, 3) for count in (1, 2, 10, 50)]
ENDS = {"gain": ("u", "y"), "oscillator": ("F", "x")}


def system(model, fmi, count, steps, fmus):
    """The ring of bench/bare_ring.hpp as a file."""
    entry, exit_ = ENDS[model]
    text = '[system]\nname = "ring"\n'
    for i in range(count):
        text += f'[[fmu]]\nname = "part{i}"\nfile = "{fmus.resolve()}/{model}.{fmi}.fmu"\n' + ("set = { k = 0.5 }\n" if model == "gain" else "")
    for i in range(count):
        text += (f'[[connection]]\nfrom = "part{(i - 1) % count}.{exit_}"\nto = "part{i}.{entry}"\n'
                 "suppress_unit_conversion = true\n")
    return text + f'[master]\nmethod = "jacobi"\nstep = {STEP}\nstop = {steps * STEP!r}\n'


def seconds(tenon, file):
    """Processor time of the command and of its child."""
    process = subprocess.Popen([tenon, "run", file, "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"command_cost: tenon run ends with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main(tenon, fmus, rounds):
    with tempfile.TemporaryDirectory() as folder:
        for model, fmi, count in RINGS:
            steps = {"short": STEPS // 10 // count, "long": STEPS // count}
            least = {}
            for length, n in steps.items():
                file = Path(folder) / f"{length}.toml"
                file.write_text(system(model, fmi, count, n, fmus))
                least[length] = min(seconds(tenon, file) for _ in range(rounds))
            ns = 1e9 * (least["long"] - least["short"]) / (steps["long"] - steps["short"]) / count
            print(json.dumps({"model": model, "fmi": fmi, "fmus": count, "ns": round(ns, 1)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
