"""FMUs in the command's own process that end it: the last line names them."""

import signal
import subprocess
import time

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
    assert "fmu 'bad' has ended the process by calling exit; --isolate" in line and "kept in" in line
    summary = run_summary(tmp_path / "summary.json")
    assert summary["status"] == "failed" and summary["rows"] in (50, 51)
    if out == "out.csv":
        assert len(read_csv(tmp_path / out)[1]) == summary["rows"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_fmu_that_aborts_is_named(tmp_path, version):
    result = run(system(tmp_path, "abort", version))
    assert result.returncode == -signal.SIGABRT
    assert result.stderr.splitlines()[-1] == (
        "tenon: fmu 'bad' has crashed (abort); --isolate runs each FMU in a process of its own"
    )


# Filling the memory takes longer than any deadline on a busy machine: tests/host does it with a smaller limit.
ENDS = {
    "exit": "its process ended by itself with exit code 0",
    "abort": "its process died of signal 6 (Aborted)",
    "segfault": "its process died of signal 11 (Segmentation fault)",
    "hang": "no answer within 1 s (fixed); its process was killed",
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ENDS)
def test_the_end_of_an_isolated_fmu_is_one_line_and_keeps_the_results(tmp_path, kind, version):
    words = ["--isolate", "--out", tmp_path / "out.csv", "--json", tmp_path / "summary.json"]
    words += ["--deadline", "1"] if kind == "hang" else []
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
    assert process.stderr.readline() == "tenon: still waiting for fmu 'bad'; Ctrl-C again ends at once\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == -signal.SIGINT
    process.stderr.close()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("words", [[], ["--isolate"]])
def test_an_fmu_that_logs_without_end_ends_no_run(tmp_path, version, words):
    result = run(system(tmp_path, "flood", version), *words)
    assert result.returncode == 0, result.stderr[-2000:]
