"""Checkpoints: a run that was interrupted, killed or has failed goes on as if nothing had happened."""

import pathlib
import random
import shutil
import signal
import subprocess
import time

import numpy
import pytest
from conftest import TENON, done, refused, tenon, wait_for
from systems import FMUS, PAIR, complete_rows, fmu, hdf5_table, run, run_summary, write

LONG = ["--step", "1e-4", "--stop", "30"]  # 300 000 steps: some seconds


class Case:
    """A system in a folder of its own, with results and checkpoint."""

    def __init__(self, folder, kind):
        self.folder = pathlib.Path(folder)
        self.system = write(folder, PAIR)
        self.out = self.folder / f"out.{kind}"
        self.checkpoint = self.folder / "run.ckpt"

    def words(self, *more):
        return [str(TENON), "run", str(self.system), "--out", str(self.out), "--checkpoint", str(self.checkpoint), "--quiet",
                *map(str, more)]  # fmt: skip

    def start(self, *more):
        return subprocess.Popen(self.words(*more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def resume(self, *more, **keywords):
        return tenon("resume", self.checkpoint, "--quiet", *more, **keywords)

    def content(self):
        return self.out.read_bytes() if self.out.suffix == ".csv" else hdf5_table(self.out)[1].tobytes()

    def reference(self, *more):
        """The file of a run that nobody stops."""
        whole = self.folder / f"whole{self.out.suffix}"
        done(run(self.system, "--out", whole, "--quiet", *more))
        return Whole(whole)


class Whole:
    def __init__(self, path):
        self.path = path
        self.content = path.read_bytes() if path.suffix == ".csv" else hdf5_table(path)[1].tobytes()

    def begins_with(self, part):
        """Every complete row of a file, whatever ended its writer."""
        if part.suffix == ".csv":
            rows = complete_rows(part)
            return complete_rows(self.path)[: len(rows)] == rows, len(rows)
        table = hdf5_table(part)[1]
        return numpy.array_equal(hdf5_table(self.path)[1][: len(table)], table), len(table)


@pytest.fixture(params=["csv", "h5"])
def case(tmp_path, request):
    return Case(tmp_path, request.param)


def test_checkpoints_change_no_digit(case):
    done(tenon(*case.words("--checkpoint-every", "0")[1:]))
    assert case.content() == case.reference().content


def test_an_interrupted_run_keeps_its_results_and_goes_on_bit_by_bit(case):
    whole = case.reference(*LONG, "--every", "7")
    process = case.start(*LONG, "--every", "7")
    wait_for(case.checkpoint.exists, "the first checkpoint")
    time.sleep(0.03)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert "interrupted at t = " in stderr and "tenon resume" in stderr
    summary = case.folder / "summary.json"
    done(case.resume("--json", summary))
    assert case.content() == whole.content
    content = run_summary(summary)
    assert content["status"] == "done" and content["steps"] == 300000 and content["dosteps"] == 600000


def test_kill_9_at_any_moment_loses_nothing_complete(case):
    whole = case.reference(*LONG)
    dice = random.Random(9)  # moments, not outcomes: what is asserted holds for all of them
    kills = 0
    while kills < 20:
        for old in case.folder.glob("run.ckpt*"):
            old.unlink()
        process = case.start(*LONG, "--checkpoint-every", "0.05")
        wait_for(lambda: case.checkpoint.exists() or process.poll() is not None, "the first checkpoint")
        rows = 0
        while process.poll() is None and kills < 20:
            time.sleep(dice.uniform(0, 0.3))
            process.kill()
            process.wait()
            kills += 1
            same, now = whole.begins_with(case.out)
            assert same, f"kill {kills}: the rows are not those of the whole run"
            process = subprocess.Popen([str(TENON), "resume", str(case.checkpoint), "--quiet", "--checkpoint-every", "0.05"],
                                       stderr=subprocess.PIPE, text=True)  # fmt: skip
            rows = max(rows, now)
        _, stderr = process.communicate(timeout=300)
        assert process.returncode == 0, stderr
        assert case.content() == whole.content
    assert rows > 0


def test_a_finished_run_resumes_to_itself(case):
    done(tenon(*case.words()[1:]))
    before = case.content()
    done(case.resume())
    assert case.content() == before


def test_what_the_master_says_of_a_finished_run_is_no_warning(tmp_path):
    done(tenon("new", "swing", cwd=tmp_path))
    done(tenon("cut", "swing.toml", "--at", "elbow", "-o", "parts", cwd=tmp_path))
    done(tenon("run", "parts/system.toml", "--stop", "0.04", "-o", "a.csv", "--checkpoint", "a.ckpt", cwd=tmp_path))
    answer = done(tenon("resume", "a.ckpt", cwd=tmp_path))
    assert "finished already" in answer.stdout and answer.stderr == ""


def test_a_failed_run_leaves_a_checkpoint_of_its_last_good_state(tmp_path):
    case = Case(tmp_path, "csv")
    case.system.write_text(fmu("m", "misbehave-error.2.fmu") + "[master]\nstep = 0.1\nstop = 2.0\n")
    first = tenon(*case.words()[1:])
    assert first.returncode == 70 and "tenon resume" in first.stderr.splitlines()[-1]
    rows = case.content()
    again = case.resume()  # nothing has changed: it fails in the same place
    assert again.returncode == 70
    assert case.content() == rows


def test_the_checkpoint_before_stands_in_for_a_damaged_one(case):
    whole = case.reference()
    done(tenon(*case.words("--checkpoint-every", "0")[1:]))
    bytes_ = case.checkpoint.read_bytes()
    case.checkpoint.write_bytes(bytes_[: len(bytes_) // 2])
    result = done(case.resume())
    assert "cut off" in result.stderr and "run.ckpt.previous" in result.stderr
    assert case.content() == whole.content


def test_a_kill_between_two_generations_can_be_resumed(case):
    done(tenon(*case.words("--checkpoint-every", "0")[1:]))
    before = case.content()
    older = case.checkpoint.with_name("run.ckpt.previous")
    older.unlink()
    older.hardlink_to(case.checkpoint)  # as for a moment whenever a checkpoint is written
    done(case.resume())
    assert case.content() == before


def interrupted(case):
    """A checkpoint with something left to do."""
    process = case.start(*LONG)
    wait_for(case.checkpoint.exists, "the first checkpoint")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 130


def test_resume_refuses_what_has_changed(case):
    for name in ("vanderpol.2.fmu", "vanderpol.3.fmu"):
        shutil.copy(FMUS / name, case.folder / name)
    case.system.write_text(PAIR.replace(str(FMUS) + "/", ""))
    interrupted(case)
    kept = case.content()

    case.system.write_text(case.system.read_text() + "# a word more\n")
    assert "the system has changed since the checkpoint" in refused(case.resume(), 65)
    case.system.write_text(PAIR.replace(str(FMUS) + "/", ""))

    shutil.copy(FMUS / "vanderpol.2.fmu", case.folder / "vanderpol.3.fmu")
    assert "fmu 'b' (vanderpol.3.fmu) has changed" in refused(case.resume(), 65)
    (case.folder / "vanderpol.3.fmu").unlink()
    assert "vanderpol.3.fmu" in refused(case.resume(), 66)
    shutil.copy(FMUS / "vanderpol.3.fmu", case.folder / "vanderpol.3.fmu")
    assert case.content() == kept  # no refusal has touched the results

    moved = case.folder / "moved"
    case.out.rename(moved)
    assert case.out.name in refused(case.resume(), 66)
    if case.out.suffix == ".csv":
        text = moved.read_bytes()
        case.out.write_bytes(text[:40] + (b"1" if text[40:41] != b"1" else b"2") + text[41:])
        assert "the results have changed since the checkpoint" in refused(case.resume(), 65)
    case.out.unlink(missing_ok=True)
    moved.rename(case.out)

    case.system.unlink()
    refused(case.resume(), 66)


def test_resume_refuses_what_is_no_checkpoint(tmp_path):
    assert "cannot be read" in refused(tenon("resume", tmp_path / "none.ckpt"), 66)
    path = write(tmp_path, "time,a\n0,1\n", "out.csv")
    summary = tmp_path / "summary.json"
    assert "this is not a checkpoint" in refused(tenon("resume", path, "--json", summary), 65)
    assert run_summary(summary)["status"] == "failed"


def test_a_run_that_is_going_on_cannot_be_resumed(case):
    process = case.start(*LONG)
    try:
        wait_for(case.checkpoint.exists, "the first checkpoint")
        assert "another run is using it" in refused(case.resume(), 73)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_a_system_that_cannot_be_saved_says_so_before_it_runs(tmp_path):
    case = Case(tmp_path, "csv")
    case.system.write_text(fmu("u", "units.2.fmu") + "[master]\nstep = 0.1\nstop = 1.0\n")
    line = refused(tenon(*case.words()[1:]), 64)
    assert "fmu 'u' cannot write its state" in line
    assert not case.out.exists()


def test_a_checkpoint_does_not_replace_somebodys_file(tmp_path):
    case = Case(tmp_path, "csv")
    case.checkpoint.write_text("my thesis\n")
    assert "is not a checkpoint" in refused(tenon(*case.words()[1:]), 73)
    assert case.checkpoint.read_text() == "my thesis\n"
