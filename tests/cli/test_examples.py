"""Every example simulates for a short time with its own settings, and `info` describes it."""

import pytest
from conftest import ROOT, done, json_summary, read_csv, read_json, tenon

EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
STEPS = 100  # of its own length each


def ids(path):
    return path.stem


def test_there_are_examples():
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize("path", EXAMPLES, ids=ids)
def test_it_simulates_with_its_own_settings(path, tmp_path):
    info, out, summary = tmp_path / "info.json", tmp_path / "out.csv", tmp_path / "summary.json"
    done(tenon("info", path, "--quiet", "--json", info))
    settings = {p["name"]: p["value"] for p in read_json(info)["parameters"]}
    stop = min(STEPS * settings["solver.step"], settings["solver.stop"])
    result = done(tenon("simulate", path, "--stop", repr(stop), "--out", out, "--json", summary, "--quiet"))
    assert result.stdout == "" and result.stderr == ""
    content = json_summary(summary)
    assert content["status"] == "done" and content["message"] == ""
    assert content["model"] == path.stem and content["end_time"] == stop
    assert content["max_position_violation"] < 1e-6
    assert content["max_velocity_violation"] < 1e-6
    names, rows = read_csv(out)
    assert names[0] == "time" and float(rows[-1][0]) == stop and len(rows) == content["steps"] + 1


@pytest.mark.parametrize("path", EXAMPLES, ids=ids)
def test_info_describes_it(path, tmp_path):
    info = tmp_path / "info.json"
    result = done(tenon("info", path, "--json", info))
    content = read_json(info)
    assert content["status"] == "done" and content["description"]
    assert content["description"] in result.stdout and "degrees of freedom" in result.stdout
    assert content["bodies"] and len(content["variables"]) > 8
    free = 6 * len(content["bodies"]) - content["rows"] + content["rank_deficiency"]
    assert content["degrees_of_freedom"] == free
