"""`run --trace` and `replay`."""

import pytest
from conftest import done, refused, tenon
from systems import FMUS, PAIR, fmu, run, write


@pytest.mark.parametrize("words", [[], ["--isolate"], ["--threads", "2"], ["--method", "iterate"]])
def test_a_trace_changes_no_digit_and_can_be_replayed(tmp_path, words):
    path = write(tmp_path, PAIR)
    done(run(path, *words, "--out", tmp_path / "plain.csv"))
    done(run(path, *words, "--out", tmp_path / "traced.csv", "--trace", tmp_path / "calls"))
    assert (tmp_path / "traced.csv").read_text() == (tmp_path / "plain.csv").read_text()
    for name, file in (("a", "vanderpol.2.fmu"), ("b", "vanderpol.3.fmu")):
        result = done(tenon("replay", tmp_path / "calls" / f"{name}.calls", FMUS / file))
        assert result.stdout.endswith("calls, all answered as in the record.\n")


def test_another_fmu_gives_other_answers(tmp_path):
    done(run(write(tmp_path, PAIR), "--trace", tmp_path))
    line = refused(tenon("replay", tmp_path / "a.calls", FMUS / "oscillator.2.fmu"), 70)
    assert "a.calls:" in line and "instead of" in line


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_crash_can_be_replayed_from_its_trace(tmp_path, version):
    path = write(tmp_path, fmu("x", f"misbehave-segfault.{version}.fmu") + "[master]\nstep = 0.1\nstop = 1\n")
    assert "fmu 'x' in DoStep has crashed" in refused(run(path, "--trace", tmp_path), 70)
    line = refused(tenon("replay", tmp_path / "x.calls", FMUS / f"misbehave-segfault.{version}.fmu"), 70)
    assert "gives '= fatal" in line and "the record ends there; it says:" in line and "died of signal 11" in line


def test_what_cannot_be_replayed_or_written_is_said(tmp_path):
    path = write(tmp_path, PAIR)
    assert "cannot be written" in refused(run(path, "--trace", "/proc/nothing"), 73)
    assert "not a record of calls" in refused(tenon("replay", path, FMUS / "gain.2.fmu"), 65)
    refused(tenon("replay", tmp_path / "none.calls", FMUS / "gain.2.fmu"), 66)
    refused(tenon("replay", path, tmp_path / "none.fmu"), 66)
