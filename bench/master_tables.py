"""The tables of docs/benchmarks.md about the master and about isolated FMUs, from the JSON that run.py keeps."""

TARGET = 1.5  # times the bare loop
START = 50  # milliseconds for 50 FMUs
RECORDING = 2  # times the master without recording
CALL = 15  # microseconds of an isolated call


def master_table(kept):
    text = ["## The master", ""]
    if not kept:
        return text + ["Not measured.", ""]
    rows, peers = kept["tenon"]["steps"], kept["peers"]
    text += ["Rings of small FMUs, each with one input and one output, the same files for all: `gain` does nothing in a step, `oscillator`",
             "makes one step of a Runge-Kutta method. Nanoseconds of processor time per step of one FMU, the least of several rounds; in brackets",
             "times a bare loop in C over the same functions (bench/bare_ring.hpp), which checks, saves and records nothing. Tenon: `jacobi`, one",
             f"thread; `tenon run`: the same through the command, from the difference of a long and a short run. Load of the machine at the end: {kept['load']}.", ""]
    for model in ("gain", "oscillator"):
        for fmi in (2, 3):
            text += steps_table(model, fmi, rows, kept.get("command", []), peers)
    text += remarks(rows, peers)
    return text + recording_table(rows, peers) + start_table(kept["tenon"]["starts"], peers)


def steps_table(model, fmi, rows, command, peers):
    """One line for each master, one column for each number of FMUs; masters without a number are left out."""
    mine = {row["fmus"]: row for row in rows if (row["model"], row["fmi"]) == (model, fmi)}
    counts = sorted(mine)
    text = [f"| `{model}`, FMI {fmi}.0 | " + " | ".join("alone" if n == 1 else f"ring of {n}" for n in counts) + " |",
            "|---|" + "---|" * len(counts),
            "| bare loop | " + " | ".join(f"{mine[n]['bare']:.0f}" for n in counts) + " |",
            "| **Tenon** | " + " | ".join(times(mine[n]["master"], mine[n]["bare"]) for n in counts) + " |"]
    run = {row["fmus"]: row["ns"] for row in command if (row["model"], row["fmi"]) == (model, fmi)}
    if run:
        text.append("| **`tenon run`** | " + " | ".join(times(run[n], mine[n]["bare"]) if n in run else "" for n in counts) + " |")
    for name in names(peers):
        found = {p["fmus"]: p for p in peers if (p["master"], p.get("model"), p.get("fmi")) == (name, model, fmi) and "ns" in p}
        if found:
            text.append(f"| {name} {next(iter(found.values()))['version']} | "
                        + " | ".join(times(found[n]["ns"], mine[n]["bare"]) if n in found else "" for n in counts) + " |")
    return text + [""]


def remarks(rows, peers):
    worst = max(rows, key=lambda row: row["master"] / row["bare"])
    most = worst["master"] / worst["bare"]
    chains = max(row["master"] / row["bare"] for row in rows if row["fmus"] >= 10)
    text = [f"The target, at most {TARGET} times the bare loop, is {'met' if most <= TARGET else '**missed**'}: at most {most:.2f} "
            f"(`{worst['model']}`, FMI {worst['fmi']}.0, {worst['fmus']} FMUs), in rings of 10 and more {chains:.2f}. "
            f"Memory allocated in all these steps after the first round: {sum(row['allocations'] for row in rows)} times.", ""]
    missing = []
    for peer in peers:
        if "why" in peer:
            about = peer["master"] + (f", FMI {peer['fmi']}.0" if "fmi" in peer else "")
            missing.append(f"{about}: {peer['why']}")
    return text + ["Left out: " + "; ".join(dict.fromkeys(missing)) + ".", ""] if missing else text


def recording_table(rows, peers):
    text = ["All outputs recorded in every step, from the opening of the file to its closing, nanoseconds per step of one FMU; in brackets times",
            "the same master without recording, over rounds of the same length. Others as they offer it: ecos and libcosim write text, FMPy keeps rows in memory.", "",
            "| FMU | FMI | FMUs | values per step | Tenon | with HDF5 | with CSV | " + " | ".join(recording(peers)) + " |",
            "|---|---|---|---|---|---|---|" + "---|" * len(recording(peers))]
    for row in rows:
        cells = []
        for name in recording(peers):
            found = [p for p in peers if p["master"] == name and (p.get("model"), p.get("fmi"), p.get("fmus"))
                     == (row["model"], row["fmi"], row["fmus"]) and "recorded" in p]
            cells.append(times(found[0]["recorded"], found[0]["ns"]) if found else "")
        text.append(f"| `{row['model']}` | {row['fmi']}.0 | {row['fmus']} | {row['columns']} | {row['round']:.0f} | "
                    f"{times(row['hdf5'], row['round'])} | {times(row['csv'], row['round'])} | " + " | ".join(cells) + " |")
    most = max(row["hdf5"] / row["round"] for row in rows)
    return text + ["", f"The target, binary recording at most {RECORDING} times, is {'met' if most <= RECORDING else '**missed**'}: "
                   f"at most {most:.2f}.", ""]


def start_table(starts, peers):
    text = ["From the description of a ring of 50 `oscillator` to its first step, milliseconds, in brackets of processor time:", "",
            "| | FMI 2.0 | FMI 3.0 |", "|---|---|---|"]
    for key, caption in (("one_file", "Tenon, one file for all"), ("own_files", "Tenon, a file for each")):
        text.append(f"| {caption} | " + " | ".join(f"{s[key][0]:.1f} ({s[key][1]:.1f})" for s in starts) + " |")
    for name in names(peers):
        cells = []
        for fmi in (2, 3):
            found = [p for p in peers if (p["master"], p.get("model"), p.get("fmi"), p.get("fmus"))
                     == (name, "oscillator", fmi, 50) and "start" in p]
            cells.append(f"{found[0]['start']:.0f} ({found[0]['start_cpu']:.0f})" if found else "")
        if any(cells):
            text.append(f"| {name}, one file for all | " + " | ".join(cells) + " |")
    most = max(s["one_file"][0] for s in starts)
    return text + ["", f"The target, under {START} ms, is {'met' if most < START else '**missed**'}.", ""]


def isolation_table(kept):
    text = ["## Isolated FMUs", ""]
    if not kept:
        return text + ["Not measured.", ""]
    rows = kept["rows"]
    text += ["A call of an FMU that does next to nothing (`gain`), in the master's process and in one of its own (docs/isolation.md); microseconds",
             f"of the clock on the wall, which counts what else the machine does. Load of the machine at the end: {kept['load']}; with more work",
             "than processors both sides wait for their turn, see docs/isolation.md.", "", *calls_table(rows), ""]
    worst = max(row["median_us"] for row in rows if row["call"] in ("get", "step") and row["where"] == "isolated")
    return text + [f"The target, an isolated call in at most {CALL} microseconds, is {'met' if worst <= CALL else '**missed**'} "
                   f"(median {worst:.1f}).", ""]


def calls_table(rows):
    text = ["| call | where | median (µs) | 99 of 100 | mean | allocations |", "|---|---|---|---|---|---|"]
    for row in rows:
        text.append(f"| {row['call']} | {row['where']} | {row['median_us']:.2f} | {row['p99_us']:.2f} | {row['mean_us']:.2f} | "
                    f"{row['allocations']:g} |")
    return text


def names(peers):
    return list(dict.fromkeys(p["master"] for p in peers))


def recording(peers):
    return [name for name in names(peers) if any("recorded" in p for p in peers if p["master"] == name)]


def times(value, base):
    return f"{value:.0f} ({value / base:.1f})" if value / base >= 9.95 else f"{value:.0f} ({value / base:.2f})"
