"""tenon modes: frequencies and damping in closed form, the files it writes, and what is refused."""

import math

import pytest
from conftest import done, read_json, refused, tenon
from test_equilibrium import HUNG, write


def test_frequency_and_damping_of_a_mass_on_a_spring(tmp_path):
    model = write(tmp_path, HUNG.replace("stiffness = 200.0", "stiffness = 200.0\ndamping = 4.0"))
    summary = tmp_path / "modes.json"
    done(tenon("modes", model, "--json", summary))
    mode = read_json(summary)["modes"][0]
    assert mode["re"] == pytest.approx(-4 / 6, rel=1e-6)
    assert mode["im"] == pytest.approx(math.sqrt(200 / 3 - 4 / 9), rel=1e-6)
    assert mode["damping"] == pytest.approx(4 / (2 * math.sqrt(600)), rel=1e-6)
    assert mode["body"] == "mass"


def test_the_table_is_written_as_csv_and_the_shapes_as_json(tmp_path):
    model = write(tmp_path, HUNG)
    done(tenon("modes", model, "-o", tmp_path / "modes.csv"))
    assert (tmp_path / "modes.csv").read_text().splitlines()[0] == "mode,frequency,damping,re,im,body"
    done(tenon("modes", model, "-o", tmp_path / "shapes.json"))
    shape = read_json(tmp_path / "shapes.json")["modes"][0]["bodies"][0]["re"]
    assert [abs(value) for value in shape] == pytest.approx([0, 0, 1, 0, 0, 0], abs=1e-9)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--at", "noon"], "equilibrium or start"),
        (["--number", "0"], "--number"),
        (["--mode", "x"], "--mode"),
        (["-o", "modes.txt"], ".html, .json or .csv"),
        (["--set", "mass.weight=1"], "mass.weight"),
    ],
)
def test_bad_words_are_refused_in_one_line(tmp_path, words, hint):
    assert hint in refused(tenon("modes", write(tmp_path, HUNG), *words), 64)
