"""`tenon cut`: a model falls into parts, and the system of the parts moves as the model."""

import numpy
from conftest import ROOT, done, read_json, refused, tenon
from systems import csv_columns, run

BRICARD = ROOT / "examples" / "bricard.toml"


def test_a_model_is_cut_into_parts_that_run_as_before(tmp_path):
    parts, summary = tmp_path / "parts", tmp_path / "cut.json"
    result = done(tenon("cut", BRICARD, "--at", "p_3,p_5", "-o", parts, "--step", "0.01", "--json", summary))
    assert "system.toml" in result.stdout
    assert sorted(p.name for p in parts.iterdir()) == ["rod_1.toml", "rod_3.toml", "rod_5.toml", "system.toml"]
    content = read_json(summary)
    assert content["parts"] == ["rod_1", "rod_3", "rod_5"] and content["joints"] == ["p_3", "p_5"]
    assert content["status"] == "done"
    done(run(parts / "system.toml", "--stop", "0.5", "--out", tmp_path / "glued.csv"))
    done(tenon("simulate", BRICARD, "--step", "1e-3", "--every", "10", "--stop", "0.5", "--out", tmp_path / "whole.csv"))
    glued, whole = csv_columns(tmp_path / "glued.csv"), csv_columns(tmp_path / "whole.csv")
    assert numpy.abs(glued["rod_5.rod_5.r_0[2]"] - whole["rod_5.r_0[2]"]).max() < 1e-6


def test_what_cannot_be_cut_is_refused_and_nothing_is_written(tmp_path):
    folder = tmp_path / "parts"
    assert "did you mean 'p_1'?" in refused(tenon("cut", BRICARD, "--at", "p_7", "-o", folder), 64)
    screw = ROOT / "examples" / "screw_press.toml"
    text = done(tenon("info", screw)).stdout
    joint = next(line.split()[0] for line in text.splitlines() if " screw" in line)
    line = refused(tenon("cut", screw, "--at", joint, "-o", folder), 65)
    assert "screw_press.toml:" in line and "cannot be cut" in line
    assert not folder.exists()
    refused(tenon("cut", tmp_path / "none.toml", "--at", "a", "-o", folder), 66)


def test_no_file_is_replaced(tmp_path):
    folder = tmp_path / "parts"
    done(tenon("cut", BRICARD, "--at", "p_3", "-o", folder, "--quiet"))
    before = (folder / "rod_1.toml").read_bytes()
    refused(tenon("cut", BRICARD, "--at", "p_3", "-o", folder), 73)
    assert (folder / "rod_1.toml").read_bytes() == before
