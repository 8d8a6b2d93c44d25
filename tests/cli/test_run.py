"""What `tenon run` does with a system of FMUs: rows, columns, options, summary; and how it ends."""

import os
import subprocess

import h5py
import numpy
import pytest
from conftest import MODEL, TENON, done, open_terminal, read_csv, read_json, refused, tenon
from systems import FMUS, PAIR, connection, csv_columns, fmu, hdf5_table, run, run_summary, write


@pytest.fixture
def pair(tmp_path):
    return write(tmp_path, PAIR)


def table(path, *words):
    out = path.parent / "out.csv"
    done(run(path, "--out", out, *words))
    return read_csv(out)


def test_rows_are_the_start_every_step_and_the_stop_time(pair):
    names, rows = table(pair)
    assert names == ["time", "a.x0", "a.x1", "b.x0", "b.x1"]
    assert [float(row[0]) for row in rows] == [i * 0.01 for i in range(100)] + [1.0]
    assert rows[0][1:] == ["2", "0", "2", "0"]


def test_every_nth_step_and_always_the_last_becomes_a_row(pair):
    _, rows = table(pair, "--every", "30")
    assert [float(row[0]) for row in rows] == [0, 0.3, 0.6, 0.9, 1.0]
    _, all_rows = table(pair)
    assert rows == all_rows[::30] + all_rows[-1:]


def test_step_stop_and_method_replace_what_the_file_says(pair):
    summary = pair.parent / "summary.json"
    _, rows = table(pair, "--step", "0.03", "--stop", "0.1", "--method", "gauss-seidel", "--json", summary)
    assert [float(row[0]) for row in rows] == [0, 0.03, 0.06, 0.09, 0.1]
    content = run_summary(summary)
    assert (content["step"], content["stop"], content["master"]) == (0.03, 0.1, "gauss-seidel")


def test_vars_selects_variables_of_any_kind(pair):
    names, rows = table(pair, "--vars", "a.x?", "--vars", "b.mu,a.u")
    assert names == ["time", "a.x0", "a.x1", "a.u", "b.mu"]
    assert rows[0][4] == "1"


def test_set_changes_parameters_and_start_values(pair):
    columns = csv_columns_of(pair, "--set", "b.x0=0.25", "--set", "a.mu=3", "--vars", "*.x0,a.mu")
    assert columns["b.x0"][0] == 0.25 and columns["a.mu"][0] == 3


def csv_columns_of(path, *words):
    out = path.parent / "out.csv"
    done(run(path, "--out", out, *words))
    return csv_columns(out)


def test_a_single_oscillator_swings_as_the_formula_says(tmp_path):
    system = write(tmp_path, fmu("mass", "oscillator.3.fmu", "set = { k = 4.0 }") + "[master]\nstep = 0.01\nstop = 5\n")
    columns = csv_columns_of(system)
    assert numpy.abs(columns["mass.x"] - numpy.cos(2 * columns["time"])).max() < 1e-6


def test_hdf5_has_the_numbers_of_the_csv_and_says_what_they_are(tmp_path):
    system = write(
        tmp_path,
        '[system]\nname = "swing"\n' + fmu("mass", "oscillator.2.fmu") + "[master]\nstep = 0.01\nstop = 2\n",
    )
    done(run(system, "--out", tmp_path / "out.csv"))
    done(run(system, "--out", tmp_path / "out.h5"))
    names, rows = read_csv(tmp_path / "out.csv")
    with h5py.File(tmp_path / "out.h5", "r") as file:  # a finished file needs no special mode
        assert list(file["names"].asstr()[:]) == names[1:]
        assert list(file["units"].asstr()[:]) == ["m", "m/s", "m/s2"]
        assert len(file["descriptions"]) == 3
        assert numpy.array_equal(file["time"][:], [float(row[0]) for row in rows])
        assert numpy.array_equal(file["values"][:], numpy.array(rows, dtype=float)[:, 1:])
        assert file.attrs["format"] == "tenon-results" and file.attrs["version"] == 1
        assert file.attrs["system"] == "swing" and '"every": 1' in file.attrs["settings"]


def test_the_summary_has_every_key(pair):
    summary = pair.parent / "summary.json"
    done(run(pair, "--json", summary))
    content = run_summary(summary)
    assert content["status"] == "done" and content["message"] == ""
    assert content["model"] == "pair" and content["end_time"] == 1.0
    assert content["steps"] == 100 and content["dosteps"] == 200 and content["joints"] == []
    assert [f["name"] for f in content["fmus"]] == ["a", "b"]
    assert all(0 < f["seconds"] <= content["wall_seconds"] for f in content["fmus"])
    assert content["energy_start"] is None and content["rank_deficiency"] is None


def test_remarks_come_before_the_run_and_a_table_after_it(pair):
    result = done(run(pair, cwd=pair.parent))
    for word in ["method", "system", "end time", "steps", "rollbacks", "wall time", "of the wall time", "a  ", "b  "]:
        assert word in result.stdout
    assert result.stdout.index("method") < result.stdout.index("end time")
    assert result.stderr == ""
    assert [p.name for p in pair.parent.iterdir()] == ["system.toml"]
    assert done(run(pair, "--quiet")).stdout == ""


def test_times_are_printed_without_the_digits_of_rounding(pair, model):
    stop = repr(3 * 0.1)  # 0.30000000000000004, as the third of steps of 0.1 s
    for result in [run(pair, "--stop", stop), tenon("simulate", model.path, "--stop", stop)]:
        assert "end time 0.3 s".split() in [line.split() for line in done(result).stdout.splitlines()]


def test_results_to_standard_output_are_pure_csv(pair):
    result = done(run(pair, "--out", "-", "--stop", "0.02", "--vars", "a.x0"))
    assert result.stdout.splitlines()[0] == "time,a.x0" and len(result.stdout.splitlines()) == 4


def test_a_progress_bar_on_a_terminal_only(pair):
    master, terminal = open_terminal()
    words = [str(TENON), "run", str(pair), "--step", "1e-5", "--stop", "10", "--quiet"]
    assert "[" not in subprocess.run([*words[:-1]], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True).stderr
    process = subprocess.Popen(words[:-1], stderr=terminal, stdout=subprocess.DEVNULL)
    os.close(terminal)
    seen = b""
    try:
        while chunk := os.read(master, 4096):
            seen += chunk
    except OSError:  # the other end is closed
        pass
    assert process.wait() == 0
    assert b"%" in seen and b"left" in seen


@pytest.mark.parametrize("option", [["--threads", "2"], ["--isolate"], ["--threads", "2", "--isolate"]])
def test_threads_and_isolation_change_no_digit(pair, option):
    done(run(pair, "--out", pair.parent / "plain.csv"))
    done(run(pair, "--out", pair.parent / "other.csv", *option))
    assert (pair.parent / "plain.csv").read_bytes() == (pair.parent / "other.csv").read_bytes()


def test_what_was_saved_is_named_in_the_summary(pair):
    saved, summary = pair.parent / "x.ssp", pair.parent / "summary.json"
    text = done(run(pair, "--save", saved, "--json", summary)).stdout
    assert f"saved      {saved} (the system with its FMUs, as SSP)\n" in text
    assert run_summary(summary)["saved"] == str(saved)
    assert f"Wrote {saved}; nothing was run." in done(run(pair, "--save", saved, "--no-run")).stdout
    done(run(pair, "--json", summary))
    assert run_summary(summary)["saved"] == ""


def test_no_run_says_how_signals_would_be_exchanged(pair):
    text = done(run(pair, "--no-run")).stdout
    assert "method" in text and "nothing was run" in text and "end time" not in text


def test_a_saved_ssp_gives_the_same_results(pair):
    done(run(pair, "--save", pair.parent / "pair.ssp", "--out", pair.parent / "toml.csv"))
    done(run(pair.parent / "pair.ssp", "--out", pair.parent / "ssp.csv"))
    assert (pair.parent / "toml.csv").read_bytes() == (pair.parent / "ssp.csv").read_bytes()


def test_events_become_rows_before_and_after_also_between_the_recorded_steps(tmp_path):
    system = write(tmp_path, fmu("s", "stairs.3.fmu", "set = { interval = 0.25 }") + "[master]\nstep = 0.1\nstop = 1.0\n")
    out = tmp_path / "out.csv"
    done(run(system, "--out", out, "--every", "100"))
    columns = csv_columns(out)
    times, counts = columns["time"], columns["s.counter"]
    for number, event in enumerate([0.25, 0.5, 0.75]):
        at = counts[numpy.abs(times - event) < 1e-9]
        assert len(at) >= 2 and at[-1] == at[0] + 1, (event, number)


def test_an_fmu_that_ends_the_simulation_ends_it_well(tmp_path):
    system = write(tmp_path, fmu("m", "misbehave-terminate.3.fmu") + "[master]\nstep = 0.1\nstop = 2.0\n")
    summary = tmp_path / "summary.json"
    result = run(system, "--out", tmp_path / "out.csv", "--json", summary)
    assert result.returncode == 0 and "before the stop time" in result.stderr
    content = run_summary(summary)
    assert content["status"] == "done" and content["end_time"] < 1
    assert float(read_csv(tmp_path / "out.csv")[1][-1][0]) == content["end_time"]


@pytest.mark.parametrize("kind", ["csv", "h5"])
def test_a_failure_keeps_all_rows_before_it(tmp_path, kind):
    system = write(tmp_path, fmu("m", "misbehave-error.2.fmu") + "[master]\nstep = 0.1\nstop = 2.0\n")
    out, summary = tmp_path / f"out.{kind}", tmp_path / "summary.json"
    # The FMU says why, too; the last line is the command's.
    result = run(system, "--out", out, "--every", "3", "--json", summary)
    assert result.returncode == 70
    line = result.stderr.splitlines()[-1]
    assert line.startswith("tenon: t=") and "'m'" in line and "kept in" in line
    content = run_summary(summary)
    assert content["status"] == "failed" and content["end_time"] < 0.5
    times = csv_columns(out)["time"] if kind == "csv" else hdf5_table(out)[1][:, 0]
    assert times[-1] == content["end_time"]


def test_what_fmus_say_goes_to_the_log(tmp_path):
    system = write(tmp_path, fmu("m", "misbehave-warning.2.fmu") + "[master]\nstep = 0.1\nstop = 1.0\n")
    shown = done(run(system))
    assert shown.stderr.startswith("tenon: warning: fmu 'm': ")
    kept = done(run(system, "--log", tmp_path / "fmus.log"))
    assert kept.stderr == ""
    assert "m: warning: " in (tmp_path / "fmus.log").read_text()


def test_an_fmu_that_never_stops_warning_does_not_bury_the_rest(tmp_path):
    system = write(tmp_path, fmu("m", "misbehave-flood.2.fmu") + "[master]\nstep = 0.1\nstop = 1.0\n")
    result = run(system)
    assert len(result.stderr.splitlines()) < 30


def test_units_stand_in_the_scene_beside_the_results(tmp_path, model):
    model.path.write_text(model.path.read_text() + '[[output]]\nname = "lift"\nfrom = "rod.a_0[3]"\nunit = "mm/s2"\n')
    done(tenon("export", model.path, "-o", tmp_path / "press.fmu", "--quiet"))
    system = write(tmp_path, fmu("a", tmp_path / "press.fmu") + "[master]\nstep = 0.01\nstop = 0.02\n")
    names, _ = table(system)
    assert "a.lift" in names and "a.rod.a_0[3]" not in names
    units = read_json(tmp_path / "out.scene.json")["units"]
    assert units["a.lift"] == "mm/s2" and units["a.pin.rate"] == "rad/s" and "a.rod.q[1]" not in units
    done(tenon("plot", tmp_path / "out.csv", "--vars", "a.lift", "-o", tmp_path / "x.svg", "--json", tmp_path / "p.json"))
    assert [panel["label"] for panel in read_json(tmp_path / "p.json")["panels"]] == ["[mm/s\u00b2]"]


def test_results_of_fmus_that_are_no_machines_have_a_scene_without_bodies(pair):
    table(pair)
    scene = read_json(pair.parent / "out.scene.json")
    assert scene["bodies"] == [] and scene["units"] == {}


def test_the_scene_has_the_machines_of_all_fmus(tmp_path, model):
    done(tenon("export", model.path, "-o", tmp_path / "press.fmu", "--quiet"))
    text = "".join(f'[[fmu]]\nname = "{n}"\nfile = "press.fmu"\n' for n in ("left", "right"))
    system = write(tmp_path, text + "[master]\nstep = 0.01\nstop = 0.02\n")
    done(run(system, "--out", tmp_path / "out.h5"))
    scene = read_json(tmp_path / "out.h5.scene.json")
    assert [body["name"] for body in scene["bodies"]] == ["left.crank", "left.rod", "right.crank", "right.rod"]
    names, _ = hdf5_table(tmp_path / "out.h5")
    assert "right.rod.r_0[1]" in names


# ---- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, part",
    [
        (["--set", "a.nu=1"], "did you mean 'mu'?"),
        (["--set", "c.mu=1"], "begins with no FMU"),
        (["--set", "ab.mu=1"], "did you mean 'a'?"),
        (["--set", "a=1"], "'a' is an FMU without a variable"),
        (["--set", "a.mu=fast"], "a.mu=fast"),
        (["--set", "a.mu"], "--set wants"),
        (["--method", "jacoby"], "did you mean 'jacobi'?"),
        (["--vars", "a.y*"], "no variable matches --vars 'a.y*'"),
        (["--step", "0"], "--step must be above 0"),
        (["--stop", "-1"], "--stop must not be before start"),
        (["--every", "0"], "--every"),
        (["--threads", "0"], "--threads"),
        (["--out", "x.parquet"], ".csv, or as .h5 or .hdf5 (HDF5), not .parquet"),
        (["--out", "x.toml"], "the name of an input"),
        (["--save", "x.zip"], ".ssp"),
        (["--checkpoint-every", "1"], "needs --checkpoint"),
        (["--out", "-", "--checkpoint", "x.ckpt"], "is not a plain file"),
        (["--out", "x.csv", "--json", "x.csv"], "the same file"),
    ],
)
def test_wrong_options_are_usage_errors_and_leave_nothing(pair, words, part):
    line = refused(run(pair, *words, cwd=pair.parent), 64)
    assert part in line
    assert [p.name for p in pair.parent.iterdir()] == ["system.toml"]


def test_set_of_a_short_name_is_answered_with_the_whole_one(model):
    path = write(model.folder, '[[fmu]]\nname = "press"\nfile = "press.toml"\n')
    assert "did you mean its variable 'crank.mass' (press.crank.mass)?" in refused(run(path, "--set", "press.mass=2"), 64)
    done(run(path, "--no-run", "--set", "press.crank.mass=2"))


def test_help_says_the_form_of_set_with_an_example():
    text = " ".join(done(tenon("run", "--help")).stdout.split())
    assert "--set FMU.VARIABLE=VALUE" in text and "--set crank.arm.mass=2" in text


def test_a_refused_option_is_in_the_summary_too(pair):
    summary = pair.parent / "summary.json"
    line = refused(run(pair, "--every", "0", "--json", summary), 64)
    content = run_summary(summary)
    assert content["status"] == "failed" and content["message"] in line


def test_files_that_are_no_systems_are_refused(tmp_path):
    assert "this is a model" in refused(run(write(tmp_path, MODEL)), 65)
    assert "FMU" in refused(run(FMUS / "gain.2.fmu"), 65)
    refused(run(tmp_path / "none.toml"), 66)
    missing = write(tmp_path, '[[fmu]]\nname = "a"\nfile = "none.fmu"\n')
    assert "none.fmu" in refused(run(missing), 66)
    broken = write(tmp_path, fmu("a", "broken-symbol.2.fmu"))
    refused(run(broken), 65)
    loose = write(tmp_path, fmu("a", "gain.2.fmu") + connection("a.z", "a.u"))
    assert "system.toml:" in refused(run(loose), 65)


def test_outputs_that_cannot_be_written_are_noticed_before_the_run(pair):
    for option in ["--out", "--json", "--log", "--checkpoint"]:
        for name in ["no/x.csv", "no/x.h5"]:
            refused(run(pair, option, pair.parent / name), 73)
    assert [p.name for p in pair.parent.iterdir()] == ["system.toml"]


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("method", ["jacobi", "gauss-seidel", "iterate"])
def test_a_step_that_is_committed_only_where_no_earlier_state_will_be_restored_is_committed(tmp_path, method, version):
    parts = fmu("a", f"habits-uncommitted.{version}.fmu") + fmu("b", "vanderpol.3.fmu") + connection("a.y", "b.u")
    path = write(tmp_path, parts + f'[master]\nmethod = "{method}"\nstep = 0.01\nstop = 1\n')
    done(run(path, "--out", tmp_path / "out.csv"))
    assert abs(csv_columns(tmp_path / "out.csv")["a.y"][-1] - 1) < 1e-9


def test_an_fmu_that_changes_the_rounding_is_told_and_changes_nothing_else(tmp_path):
    path = write(tmp_path, fmu("a", "habits-rounding.2.fmu") + "[master]\nstep = 0.1\nstop = 1\n")
    result = done(run(path, "--out", tmp_path / "out.csv"))
    assert "changes the rounding" in result.stdout + result.stderr
    assert csv_columns(tmp_path / "out.csv")["time"][-1] == 1


@pytest.mark.parametrize("version", ["2", "3"])
def test_an_fmu_that_changes_the_working_folder_moves_no_output(tmp_path, version):
    write(tmp_path, fmu("a", f"habits-wanders.{version}.fmu") + "[master]\nstep = 0.1\nstop = 1\n")
    names = ["out.csv", "summary.json", "log.txt", "run.ckpt"]
    words = ["--out", names[0], "--json", names[1], "--log", names[2], "--checkpoint", names[3]]
    done(tenon("run", "system.toml", *words, cwd=tmp_path))
    assert {*names, "out.scene.json"} <= {p.name for p in tmp_path.iterdir()}
    assert csv_columns(tmp_path / "out.csv")["time"][-1] == 1
    assert read_json(tmp_path / "summary.json")["results"] == str(tmp_path / "out.csv")


@pytest.mark.parametrize("version", ["2", "3"])
def test_an_fmu_that_only_says_it_can_save_its_state_runs_where_nobody_needs_it(tmp_path, version):
    parts = fmu("a", f"habits-stateless.{version}.fmu") + "[master]\nstep = 0.1\nstop = 1\n"
    result = done(run(write(tmp_path, parts), "--out", tmp_path / "out.csv", "--verbose"))
    assert "declares canGetAndSetFMUState, but GetFMUState returned" in result.stdout + result.stderr
    assert abs(csv_columns(tmp_path / "out.csv")["a.y"][-1] - 1) < 1e-9
    assert "GetFMUState" in refused(run(write(tmp_path, parts + "method = \"iterate\"\n" + fmu("b", "gain.2.fmu")
                                              + connection("a.y", "b.u")), "--step", "0.1"), 70)
