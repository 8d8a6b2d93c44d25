"""How much faster than the clock the Iltis vehicle runs: processor time of build/tenon, five seconds of driving less its start."""
import resource
import subprocess

MODELS = {"iltis": "14 bodies, wheels that spin, Calspan tyres, over a bump", "iltis_profile_1": "9 bodies, over two bumps"}
METHODS = ["projection", "conserving", "conserving-projection", "explicit-correction"]
STEPS = [0.001, 0.01]
SECONDS = 5.0
START = 0.1  # of a run that costs what a longer one does before it steps
TOO_LONG = {("explicit-correction", 0.01)}  # for the tyres


def processor_time(tenon, file, method, step, stop, repeats=3):
    """The least of some runs, in seconds; None where a run fails."""
    least = None
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([tenon, "simulate", file, "--integrator", method, "--step", str(step), "--stop", str(stop), "--every", "100000",
                               "--set", "solver.start=equilibrium", "--quiet"], capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            return None
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = spent if least is None else min(least, spent)
    return least


def measure(tenon, examples):
    rows = []
    for model in MODELS:
        for method in METHODS:
            for step in STEPS:
                if (method, step) in TOO_LONG:
                    continue
                start, whole = (processor_time(tenon, examples / f"{model}.toml", method, step, stop) for stop in (START, START + SECONDS))
                speed = SECONDS / (whole - start) if start is not None and whole is not None else None
                rows.append({"model": model, "method": method, "step": step, "speed": speed})
    return {"rows": rows}


def table(results):
    text = ["## Vehicle", ""]
    if not results:
        return text + ["Not measured.", ""]
    text += ["The [Iltis](papers/iltis.md): seconds of driving per second of processor time, one core; results are not written.", "",
             "| model | integrator | " + " | ".join(f"{1e3 * step:g} ms" for step in STEPS) + " |", "|---|---|" + "---|" * len(STEPS)]
    speeds = {(row["model"], row["method"], row["step"]): row["speed"] for row in results["rows"]}
    for model, about in MODELS.items():
        for method in METHODS:
            cells = []
            for step in STEPS:
                speed = speeds.get((model, method, step))
                cells.append("-" if (method, step) in TOO_LONG else "fails" if speed is None else f"{speed:.0f}")
            text.append(f"| `{model}.toml` ({about}) | `{method}` | " + " | ".join(cells) + " |")
    return text + [""]
