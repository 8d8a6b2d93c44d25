"""`tenon cut`: a model falls into parts, and the system of the parts moves as the model."""

import re

import numpy
from conftest import MODEL, ROOT, done, read_json, refused, tenon
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
    text = MODEL.replace('bodies = ["crank", "rod"]', 'bodies = ["crank", "rod"]\nfriction = { viscous = 0.1 }')
    rubbing = tmp_path / "rubbing.toml"
    rubbing.write_text(text)
    line = refused(tenon("cut", rubbing, "--at", "pin", "-o", folder), 65)
    assert "rubbing.toml:" in line and "take out 'friction', or cut elsewhere" in line
    assert not folder.exists()
    refused(tenon("cut", tmp_path / "none.toml", "--at", "a", "-o", folder), 66)
    assert "--step" in refused(tenon("cut", BRICARD, "--at", "p_3", "-o", folder, "--step", "0"), 64)
    assert not folder.exists()


def test_a_part_that_is_no_machine_on_its_own_is_refused_with_its_line(tmp_path):
    summary = tmp_path / "cut.json"
    thin = ROOT / "examples" / "double_pendulum.toml"  # its rods have no inertia about themselves
    line = refused(tenon("cut", thin, "--at", "elbow", "-o", tmp_path / "parts", "--json", summary), 65)
    assert "double_pendulum.toml:" in line and "'lower' is not a machine on its own" in line
    assert not (tmp_path / "parts").exists()
    content = read_json(summary)
    assert content["status"] == "failed" and line.endswith(content["message"]) and content["files"] == []


def test_a_motion_goes_to_the_joint_and_an_output_to_its_part_or_is_said_to_be_left_out(tmp_path):
    arm = (ROOT / "examples" / "robot_arm.toml").read_text()
    arm += '\n[[output]]\nname = "bend"\nfrom = "elbow.angle"\n'
    model = tmp_path / "arm.toml"
    model.write_text(arm)
    result = done(tenon("cut", model, "--at", "elbow", "-o", tmp_path / "parts"))
    assert "Left out" in result.stdout and "bend" in result.stdout
    assert "motion = {" in (tmp_path / "parts" / "system.toml").read_text()
    assert "tool_x" in (tmp_path / "parts" / "forearm.toml").read_text()
    assert "tool_x" not in (tmp_path / "parts" / "column.toml").read_text()
    for part in ("forearm", "column"):
        done(tenon("info", tmp_path / "parts" / f"{part}.toml"))


def test_no_file_is_replaced(tmp_path):
    folder = tmp_path / "parts"
    done(tenon("cut", BRICARD, "--at", "p_3", "-o", folder, "--quiet"))
    before = (folder / "rod_1.toml").read_bytes()
    refused(tenon("cut", BRICARD, "--at", "p_3", "-o", folder), 73)
    assert (folder / "rod_1.toml").read_bytes() == before
    # A file of somebody else stays, and nothing is put beside it.
    other = tmp_path / "other"
    other.mkdir()
    (other / "system.toml").write_text("mine")
    refused(tenon("cut", BRICARD, "--at", "p_3", "-o", other), 73)
    assert [p.name for p in other.iterdir()] == ["system.toml"] and (other / "system.toml").read_text() == "mine"
    refused(tenon("cut", BRICARD, "--at", "p_3", "-o", tmp_path / "none" / "parts"), 73)


def test_a_thin_rod_that_stands_askew_is_refused_as_one_along_an_axis(tmp_path):
    message = refused(tenon("cut", ROOT / "examples" / "slider_crank.toml", "--at", "knee", "-o", tmp_path / "parts"), 65)
    assert "body 'rod' can move without inertia" in message


def test_joints_to_cut_are_listed_with_commas_with_blanks_or_one_by_one(tmp_path):
    for number, words in enumerate([("--at", "p_3, p_5"), ("--at", "p_3", "--at", "p_5")]):
        done(tenon("cut", BRICARD, *words, "-o", tmp_path / str(number)))
        assert (tmp_path / str(number) / "rod_5.toml").exists()


def test_a_machine_through_flat_positions_is_glued_to_its_end(tmp_path):
    """The parallelogram lies flat twice a turn, where newton closes its joint in smaller steps only."""
    done(tenon("cut", ROOT / "examples" / "parallel_four_bar.toml", "--at", "right", "-o", tmp_path / "parts"))
    done(run(tmp_path / "parts" / "system.toml", "--out", tmp_path / "out.csv", "--json", tmp_path / "run.json"))
    summary = read_json(tmp_path / "run.json")
    assert summary["end_time"] == 20 and summary["max_position_violation"] < 1e-3
    assert summary["max_energy_error"] < 0.01 * summary["energy_start"]


def test_a_machine_that_starts_at_its_equilibrium_is_not_cut(tmp_path):
    text = (ROOT / "examples" / "double_pendulum.toml").read_text()
    model, folder = tmp_path / "at_rest.toml", tmp_path / "parts"
    model.write_text(text.replace("[solver]", '[solver]\nstart = "equilibrium"'))
    joint = re.findall(r'\[\[joint\]\]\s+name = "(\w+)"', text)[-1]
    line = refused(tenon("cut", model, "--at", joint, "-o", folder), 65)
    assert "starts at its equilibrium" in line and "tenon equilibrium" in line
    assert not folder.exists()
