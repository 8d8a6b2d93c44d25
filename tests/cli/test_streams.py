"""Outputs to standard output, which the shell may have redirected to a file that holds something."""

import json
import signal
import subprocess

import pytest
from conftest import TENON
from systems import FMUS, PAIR, write


def appended(path, *words):
    """What the command adds to a file that standard output goes to, as with >> in a shell."""
    path.write_text("precious\n")
    with open(path, "a") as file:
        result = subprocess.run([TENON, *map(str, words)], stdout=file, stderr=subprocess.PIPE, timeout=300)
    assert result.returncode == 0, result.stderr
    text = path.read_text()
    assert text.startswith("precious\n")
    return text.removeprefix("precious\n")


@pytest.fixture
def system(tmp_path):
    return write(tmp_path, PAIR)


def test_results_of_run_go_behind_what_the_file_has(system, tmp_path):
    rows = appended(tmp_path / "all.csv", "run", system, "--out", "-").splitlines()
    assert rows[0].startswith("time,") and len(rows) == 102


def test_results_of_simulate_go_behind_what_the_file_has(model, tmp_path):
    rows = appended(tmp_path / "all.csv", "simulate", model.path, "--out", "-").splitlines()
    assert rows[0].startswith("time,") and len(rows) == 102


@pytest.mark.parametrize("words", [["run"], ["info"]])
def test_the_summary_of_a_system_goes_behind_what_the_file_has(system, tmp_path, words):
    assert json.loads(appended(tmp_path / "all.json", *words, system, "--json", "-"))["version"]


@pytest.mark.parametrize("words", [["simulate"], ["info"], ["export", "-o", "press.fmu"]])
def test_the_summary_of_a_model_goes_behind_what_the_file_has(model, tmp_path, words, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert json.loads(appended(tmp_path / "all.json", *words, model.path, "--json", "-"))["version"]


def test_the_findings_of_check_go_behind_what_the_file_has(tmp_path):
    text = appended(tmp_path / "all.json", "check", "--static", FMUS / "gain.2.fmu", "--json", "-")
    assert json.loads(text)["errors"] == 0


def test_the_log_of_fmus_goes_behind_what_the_file_has(system, tmp_path):
    appended(tmp_path / "all.log", "run", system, "--log", "-")


def test_a_reader_that_leaves_ends_run_quietly_as_it_ends_simulate(system, model):
    for words in (["run", system, "--stop", "1000", "--out", "-"], ["simulate", model.path, "--stop", "100", "--out", "-"]):
        process = subprocess.Popen([TENON, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout.readline().startswith(b"time,")
        process.stdout.close()
        assert process.stderr.read() == b"", words
        assert process.wait(60) == -signal.SIGPIPE
        process.stderr.close()
