"""FMUs in the command's own process that end it: the last line names them."""

import signal
import subprocess
import time

import h5py
import pytest
from conftest import TENON, read_csv, refused
from systems import connection, fmu, run, run_summary, write

VERSIONS = ["2", "3"]


def system(folder, kind, version, more=""):
    return write(
        folder,
        fmu("sound", "oscillator.3.fmu")
        + fmu("bad", f"misbehave-{kind}.{version}.fmu")
        + connection("sound.x", "bad.u")
        + "[master]\nstep = 0.01\nstop = 1\n"
        + more,
    )


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("out", ["out.csv", "out.h5"])
def test_an_fmu_that_calls_exit_is_a_failed_run_with_its_results(tmp_path, version, out):
    words = ["--out", tmp_path / out, "--json", tmp_path / "summary.json"]
    line = refused(run(system(tmp_path, "exit", version), *words), 70)
    assert "fmu 'bad' in DoStep has ended the process by calling exit (exit code 0); --isolate" in line and "kept in" in line
    summary = run_summary(tmp_path / "summary.json")
    assert summary["status"] == "failed" and summary["rows"] in (50, 51)
    if out == "out.csv":
        assert len(read_csv(tmp_path / out)[1]) == summary["rows"]


def alone(folder, kind, version):
    return write(folder, fmu("bad", f"habits-{kind}.{version}.fmu") + "[master]\nstep = 0.01\nstop = 1\n")


# How the process ends, and what is said of it.
IN_PROCESS = {
    ("misbehave", "abort"): "has crashed (signal 6, Aborted)",
    ("misbehave", "segfault"): "has crashed (signal 11, Segmentation fault)",
    ("habits", "end"): "has ended the process by calling exit (exit code 0)",
    ("habits", "exit3"): "has ended the process by calling exit (exit code 3)",
    ("habits", "overflow"): "has crashed (stack overflow)",
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("model, kind", IN_PROCESS)
def test_an_fmu_that_ends_the_process_is_named_and_every_row_before_is_kept(tmp_path, model, kind, version):
    place = tmp_path / "temporary"
    place.mkdir()
    path = system(tmp_path, kind, version) if model == "misbehave" else alone(tmp_path, kind, version)
    words = ["--out", tmp_path / "out.csv", "--json", tmp_path / "summary.json"]
    line = refused(run(path, *words, TMPDIR=str(place)), 70)
    assert f"fmu 'bad' in DoStep {IN_PROCESS[model, kind]}; --isolate" in line
    assert "rows up to t = 0.49 kept in" in line
    assert [row[0] for row in read_csv(tmp_path / "out.csv")[1]][-1] == "0.49"
    summary = run_summary(tmp_path / "summary.json")
    assert (summary["status"], summary["rows"], summary["stop"]) == ("failed", 50, 1)
    assert summary["message"] in line and not list(place.iterdir())


def test_hdf5_results_of_a_run_that_an_fmu_ends_can_be_read(tmp_path):
    refused(run(alone(tmp_path, "end", "2"), "--out", tmp_path / "out.h5"), 70)
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["time"][-1] == 0.49 and file["values"].shape[0] == 50
    assert [path.name for path in tmp_path.iterdir() if ".part-" in path.name] == []


def test_an_fmu_that_ends_the_process_in_its_first_step_leaves_the_row_of_the_start(tmp_path):
    path = write(tmp_path, fmu("bad", "habits-end.2.fmu") + "[master]\nstep = 1\nstop = 2\n")
    refused(run(path, "--out", tmp_path / "out.csv"), 70)
    assert len(read_csv(tmp_path / "out.csv")[1]) == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_deadline_holds_in_process_as_well(tmp_path, version):
    line = refused(run(system(tmp_path, "hang", version), "--deadline", "3", "--out", tmp_path / "out.csv"), 70)
    assert "t=0.49: fmu 'bad' in DoStep: no answer within 3 s (--deadline)" in line and "kept in" in line
    assert [row[0] for row in read_csv(tmp_path / "out.csv")[1]][-1] == "0.49"


def test_without_a_supervisor_the_command_ends_as_the_fmu_does(tmp_path):
    assert run(system(tmp_path, "abort", "2"), TENON_NO_SUPERVISOR="1").returncode == -signal.SIGABRT


@pytest.mark.parametrize("version", VERSIONS)
def test_an_fmu_that_ignores_ctrl_c_cannot_keep_the_command_from_ending(tmp_path, version):
    path = alone(tmp_path, "handlers", version)
    path.write_text(path.read_text().replace("stop = 1", "stop = 1e6"))
    process = subprocess.Popen([TENON, "run", path, "--out", tmp_path / "out.csv"], stdout=subprocess.DEVNULL)
    while not (tmp_path / "out.csv").exists() or len((tmp_path / "out.csv").read_text().splitlines()) < 20:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130


# Filling the memory takes longer than any deadline on a busy machine: tests/host does it with a smaller limit.
ENDS = {
    "exit": "its process ended by itself with exit code 0",
    "abort": "its process died of signal 6 (Aborted)",
    "segfault": "its process died of signal 11 (Segmentation fault)",
    "hang": "no answer within 3 s (fixed); its process was killed",
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ENDS)
def test_the_end_of_an_isolated_fmu_is_one_line_and_keeps_the_results(tmp_path, kind, version):
    words = ["--isolate", "--out", tmp_path / "out.csv", "--json", tmp_path / "summary.json"]
    words += ["--deadline", "3"] if kind == "hang" else []
    line = refused(run(system(tmp_path, kind, version), *words), 70)
    assert line.startswith("tenon: t=0.49: fmu 'bad' ") and ENDS[kind] in line and "rows up to t = 0.49 kept in" in line
    assert [row[0] for row in read_csv(tmp_path / "out.csv")[1]][-1] == "0.49"
    assert run_summary(tmp_path / "summary.json")["status"] == "failed"


def test_one_fmu_alone_can_be_isolated(tmp_path):
    path = system(tmp_path, "segfault", "2")
    path.write_text(path.read_text().replace('misbehave-segfault.2.fmu"', 'misbehave-segfault.2.fmu"\nisolate = true'))
    assert ENDS["segfault"] in refused(run(path), 70)


def test_whoever_interrupts_an_fmu_that_hangs_is_told_for_what_the_command_waits(tmp_path):
    command = [TENON, "run", system(tmp_path, "hang", "3"), "--out", tmp_path / "out.csv"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "out.csv").exists() or len((tmp_path / "out.csv").read_text().splitlines()) < 20:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == "tenon: still waiting for fmu 'bad' in DoStep; Ctrl-C again ends at once\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == -signal.SIGINT
    process.stderr.close()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("words", [[], ["--isolate"]])
def test_an_fmu_that_logs_without_end_ends_no_run(tmp_path, version, words):
    result = run(system(tmp_path, "flood", version), *words)
    assert result.returncode == 0, result.stderr[-2000:]
