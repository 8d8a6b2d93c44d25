"""Verbs and options: what is not understood is refused with exit code 64 and a hint."""

import pytest
from conftest import done, json_summary, refused, tenon


def test_help_of_the_command_and_of_every_verb_is_printed():
    assert "simulate" in done(tenon("--help")).stdout
    for verb in "simulate equilibrium modes info new demo export check cut run resume replay view plot completion".split():
        assert "Usage: tenon " + verb in done(tenon(verb, "--help")).stdout


def test_help_of_simulate_names_every_option_of_the_contract():
    text = done(tenon("simulate", "--help")).stdout
    for option in "--integrator --step --stop --out --every --set --json --quiet --verbose".split():
        assert option in text


def test_version_is_name_and_number():
    words = done(tenon("--version")).stdout.split()
    assert words[0] == "tenon" and words[1][0].isdigit()


def test_no_verb_is_bad_usage():
    assert "--help" in refused(tenon(), 64)


def test_an_unknown_verb_is_refused_with_the_nearest_one():
    assert "'simulate'" in refused(tenon("simulat", "x.toml"), 64)


def test_the_summary_of_an_unknown_verb_is_written_all_the_same(tmp_path):
    summary = tmp_path / "summary.json"
    assert "unknown verb 'polt'; did you mean 'plot'?" in refused(tenon("polt", "x", "--json", summary), 64)
    content = json_summary(summary)
    assert content["status"] == "failed" and "polt" in content["message"]


@pytest.mark.parametrize(
    "words",
    [
        ["--nonsense"],
        ["--step"],
        ["--step", "0"],
        ["--step", "-1"],
        ["--step", "nan"],
        ["--step", "inf"],
        ["--step", "1e999"],
        ["--step", "1e-3s"],
        ["--step", ""],
        ["--integrator", ""],
        ["--set", ""],
        ["--vars", ""],
        ["--vars", ","],
        ["--step", "0.1", "--step", "0.2"],
        ["--stop", "-1"],
        ["--stop", "nan"],
        ["--every", "0"],
        ["--every", "-3"],
        ["--every", "1.5"],
        ["--every", "99999999999999999999"],
        ["--integrator", "projektion"],
        ["--set", "crank.mass"],
        ["--set", "=1"],
        ["--set", "crank.mass="],
        ["--set", "crank.mass=heavy"],
        ["--set", "crank.mass=nan"],
        ["--set", "crank.mass=-1"],
        ["--set", "krank.mass=1"],
        ["--set", "crank.com[4]=1"],
        ["--set", "solver.stepp=1"],
        ["--set", "solver.step=0"],
        ["--set", "solver.integrator=rk4"],
        ["--set", "solver.coordinates=polar"],
        ["--vars", "nothing_like_it*"],
        ["--quiet", "--verbose"],
        ["--step", "1e-300"],
    ],
)
def test_simulate_refuses_bad_options_writes_only_the_summary(model, words):
    out, summary = model.folder / "out.csv", model.folder / "summary.json"
    result = tenon("simulate", model.path, *words, "--out", out, "--json", summary)
    line = refused(result, 64)
    assert result.stdout == ""
    assert sorted(p.name for p in model.folder.iterdir()) == ["press.toml", "summary.json"]
    content = json_summary(summary)
    assert content["status"] == "failed"
    assert content["message"] and content["message"] in line
    assert content["steps"] == 0 and content["end_time"] is None


def test_a_wrong_name_is_answered_with_the_nearest_one(model):
    assert "'crank.mass'" in refused(tenon("simulate", model.path, "--set", "krank.mass=1"), 64)
    assert "'coil.stiffness'" in refused(tenon("simulate", model.path, "--set", "coil.stifness=1"), 64)
    assert "'solver.step'" in refused(tenon("simulate", model.path, "--set", "solver.stp=1"), 64)
    assert "'projection'" in refused(tenon("simulate", model.path, "--integrator", "projektion"), 64)


def test_a_name_that_is_only_a_part_is_answered_with_a_whole_one(model):
    assert "'crank.mass'" in refused(tenon("simulate", model.path, "--set", "mass=1"), 64)
    assert "'gravity[1]'" in refused(tenon("simulate", model.path, "--set", "gravity=1"), 64)
    assert "gauss-newmark" in refused(tenon("simulate", model.path, "--set", "solver.rho=1"), 64)


def test_no_file_may_have_an_empty_name(model):
    refused(tenon("simulate", model.path, "--out", "", cwd=model.folder), 64)
    refused(tenon("simulate", model.path, "--json", "", cwd=model.folder), 64)
    refused(tenon("simulate", "", cwd=model.folder), 64)
    assert [p.name for p in model.folder.iterdir()] == ["press.toml"]


def test_an_option_before_the_verb_or_of_no_verb(model):
    assert "--verison" in refused(tenon("--verison"), 64)
    assert "verb comes first" in refused(tenon("--quiet", "simulate", model.path), 64)
    assert "--help" in refused(tenon("help"), 64)


def test_an_unknown_option_is_answered_with_the_nearest_one(model):
    assert "did you mean '--integrator'?" in refused(tenon("simulate", model.path, "--intgrator", "projection"), 64)
    assert "--help" in refused(tenon("simulate", model.path, "--nonsense=3"), 64)


def test_an_option_that_others_call_otherwise_is_answered_with_ours(model):
    assert "did you mean '--out'?" in refused(tenon("simulate", model.path, "--output", "a.csv"), 64)
    assert "did you mean '--step' or '--stop'?" in refused(tenon("simulate", model.path, "--st", "1"), 64)
    assert "unknown option '-x'; " in refused(tenon("simulate", model.path, "-x", "1"), 64)
    assert "--step must be above 0 (it is '-1')" in refused(tenon("simulate", model.path, "--step", "-1"), 64)


def test_the_model_is_required():
    refused(tenon("simulate"), 64)
    refused(tenon("info"), 64)
    refused(tenon("new"), 64)


def test_two_models_are_one_too_many(model):
    refused(tenon("simulate", model.path, model.path), 64)


@pytest.mark.parametrize("verb", ["simulate", "info"])
def test_a_file_that_is_not_there_is_66(verb, tmp_path):
    summary = tmp_path / "summary.json"
    line = refused(tenon(verb, tmp_path / "none.toml", "--json", summary), 66)
    assert "none.toml" in line
    assert summary.exists()


def test_a_folder_is_not_a_model(tmp_path):
    refused(tenon("simulate", tmp_path), 66)


def test_control_characters_in_words_do_not_reach_the_terminal(tmp_path):
    line = refused(tenon("simulate", tmp_path / "a\nb\x1b[31m.toml"), 66)
    assert "\\x0a" in line


class TestSameFile:
    """No output may be another file of the same run, under whatever name."""

    def check(self, model, *words):
        before = model.path.read_text()
        line = refused(tenon("simulate", model.path, *words, cwd=model.folder), 64)
        assert "same file" in line
        assert model.path.read_text() == before

    def test_model_and_out(self, model):
        self.check(model, "--out", model.path)
        self.check(model, "--out", "./press.toml")

    def test_model_and_json(self, model):
        self.check(model, "--json", model.path)
        self.check(model, "--json", "press.toml")

    def test_out_and_json(self, model):
        self.check(model, "--out", "a.csv", "--json", "a.csv")
        self.check(model, "--out", "a.csv", "--json", "./sub/../a.csv")
        assert [p.name for p in model.folder.iterdir()] == ["press.toml"]

    def test_scene_and_json(self, model):
        done(tenon("simulate", model.path, "--out", "a.csv", cwd=model.folder))
        (scene,) = model.folder.glob("*.scene.json")
        scene.unlink()
        self.check(model, "--out", "a.csv", "--json", scene)

    def test_links(self, model):
        (model.folder / "link.csv").symlink_to(model.path)
        self.check(model, "--out", "link.csv")
        (model.folder / "hard.csv").hardlink_to(model.path)
        self.check(model, "--out", "hard.csv")
        (model.folder / "nowhere.csv").symlink_to(model.folder / "a.csv")
        self.check(model, "--out", "a.csv", "--json", "nowhere.csv")

    def test_bad_usage_does_not_write_a_summary_over_the_model(self, model):
        before = model.path.read_text()
        refused(tenon("simulate", model.path, "--nonsense", "--json", model.path), 64)
        assert model.path.read_text() == before

    def test_a_model_is_not_written_over_where_an_option_swallows_it(self, model):
        before = model.path.read_text()
        refused(tenon("simulate", "--json", model.path), 64)
        refused(tenon("simulate", "--out", model.path), 64)
        refused(tenon("info", "--integrators", "--json", model.path), 64)
        refused(tenon("demo", "--list", "--json", model.path), 64)
        refused(tenon("export", "--json", model.path), 64)
        other = model.folder / "other.toml"
        other.write_text(before)
        refused(tenon("simulate", model.path, "--json", other), 64)
        refused(tenon("simulate", model.path, "--out", other), 64)
        assert model.path.read_text() == before and other.read_text() == before

    def test_a_name_that_is_too_long_is_no_other_file(self, model):
        refused(tenon("simulate", model.path, "--out", "a" * 300 + ".csv", cwd=model.folder), 73)

    def test_info(self, model):
        assert "same file" in refused(tenon("info", model.path, "--json", model.path), 64)

    def test_the_null_device_may_be_named_twice(self, model):
        done(tenon("simulate", model.path, "--out", "/dev/null", "--json", "/dev/null"))
