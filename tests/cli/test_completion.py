"""`tenon completion`: the script in a real shell completes what the user would type."""

import subprocess

from conftest import TENON, done, refused, tenon


def completed(*words, folder=None):
    """What bash offers for the last of `words`."""
    line = " ".join(words)
    script = f"""
        source <("{TENON}" completion bash)
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)})
        COMP_CWORD={len(words) - 1}
        COMP_LINE='{line}'
        _tenon
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    answer = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=folder, timeout=60)
    assert answer.returncode == 0 and answer.stderr == "", answer.stderr
    return answer.stdout.split("\n")[:-1]


def test_verbs_are_completed():
    assert completed("tenon", "sim") == ["simulate"]
    assert set(completed("tenon", "")) >= set("simulate info new demo export check cut run resume replay view plot completion".split())


def test_options_of_the_verb_are_completed():
    assert completed("tenon", "simulate", "--int") == ["--integrator"]
    assert completed("tenon", "run", "--iso") == ["--isolate"]


def words_of_help(*verb):
    """What the help lists under Options or Subcommands."""
    lines = done(tenon(*verb, "--help")).stdout.splitlines()
    heading = "Options:" if verb else "Subcommands:"
    listed = lines[lines.index(heading) + 1 :]
    first = [line.split()[0] for line in listed[: [*listed, ""].index("")] if line[2:3].strip()]
    return {word.split("{")[0] for words in first for word in words.split(",")}  # --realtime{1}: its default


def test_every_verb_and_every_option_of_the_help_is_completed():
    verbs = words_of_help()
    assert {"cut", "replay", "plot", "view", "completion"} <= verbs
    assert set(completed("tenon", "")) == verbs | {"--help", "--version"}
    for verb in sorted(verbs):
        options = words_of_help(verb)
        assert "--help" in options
        assert set(completed("tenon", verb, "-")) == {o for o in options if o.startswith("--")}, verb
    assert {"--trace", "--deadline", "--no-run"} <= words_of_help("run")


def test_folders_are_completed_where_an_option_wants_one(tmp_path):
    (tmp_path / "parts").mkdir()
    for words in [["cut", "-o"], ["run", "--trace"], ["demo", "--output"]]:
        assert completed("tenon", *words, "par", folder=tmp_path) == ["parts"]


def test_names_that_a_registry_knows_are_completed():
    assert completed("tenon", "simulate", "--integrator", "energy-") == ["energy-preserving", "energy-decaying"]
    assert completed("tenon", "export", "--fmi", "") == ["2", "3"]


def test_files_are_completed_by_their_ending(tmp_path):
    for name in ["a b.toml", "result.csv", "result.h5", "notes.txt"]:
        (tmp_path / name).touch()
    assert completed("tenon", "simulate", "", folder=tmp_path) == ["a b.toml"]
    assert sorted(completed("tenon", "view", "", folder=tmp_path)) == ["result.csv", "result.h5"]
    assert sorted(completed("tenon", "view", "result.csv", "res", folder=tmp_path)) == ["result.csv", "result.h5"]


def test_other_shells_are_refused_by_name():
    assert "unknown shell 'fish'" in refused(tenon("completion", "fish"), 64)
    assert "unknown shell 'zsh'; there is a script for bash" in refused(tenon("completion", "zsh"), 64)
