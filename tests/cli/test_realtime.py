"""`--realtime`: a run at the pace of the clock, and a bound on its iterations."""

import time

from conftest import done, json_summary, refused, tenon


def test_a_run_in_real_time_takes_as_long_as_it_says(model):
    summary = model.folder / "summary.json"
    begun = time.monotonic()
    done(tenon("simulate", model.path, "--stop", "0.3", "--realtime", "--json", summary))
    assert time.monotonic() - begun >= 0.3
    written = json_summary(summary)
    assert written["realtime"]["factor"] == 1
    assert written["realtime"]["overruns"] >= 0 and written["realtime"]["worst_lateness"] >= 0
    assert written["realtime"]["processor"] > 0
    assert written["wall_seconds"] >= 0.3
    assert written["unconverged"] == {"steps": 0, "increment": 0}


def test_a_factor_makes_the_run_faster_than_the_clock_and_the_summary_names_it(model):
    result = done(tenon("simulate", model.path, "--stop", "0.1", "--realtime=4"))
    assert "real time" in result.stdout and "times 4" in result.stdout


def test_the_numbers_of_a_run_are_the_same_in_real_time(model):
    first, second = model.folder / "a.csv", model.folder / "b.csv"
    done(tenon("simulate", model.path, "--stop", "0.05", "--out", first))
    done(tenon("simulate", model.path, "--stop", "0.05", "--out", second, "--realtime=10"))
    assert first.read_bytes() == second.read_bytes()


def test_without_real_time_the_summary_has_none(model):
    summary = model.folder / "summary.json"
    done(tenon("simulate", model.path, "--stop", "0.01", "--json", summary))
    assert json_summary(summary)["realtime"] == {
        "factor": None, "worst_lateness": None, "overruns": 0, "processor": None}


def test_steps_that_do_not_converge_in_the_iterations_they_may_take_are_counted(model):
    summary = model.folder / "summary.json"
    result = done(tenon("simulate", model.path, "--stop", "0.02", "--realtime=10", "--iterations", "1", "--json", summary))
    written = json_summary(summary)
    assert written["iterations"] == written["steps"] == 20
    assert 0 < written["unconverged"]["steps"] <= 20 and written["unconverged"]["increment"] > 0
    assert "did not converge" in written["message"]
    assert "unconverged steps" in result.stdout


def test_a_bound_on_iterations_needs_the_clock_and_a_method_that_iterates(model):
    message = refused(tenon("simulate", model.path, "--iterations", "3"), 64)
    assert "--realtime" in message
    message = refused(tenon("simulate", model.path, "--realtime", "--iterations", "3", "--integrator", "explicit-correction"), 64)
    assert "explicit-correction" in message and "--integrator projection" in message
    message = refused(tenon("simulate", model.path, "--realtime=0"), 64)
    assert "--realtime" in message
