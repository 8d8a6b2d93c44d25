"""`tenon plot`: pictures that any program opens, what is in them, and what is refused."""

import struct
import xml.etree.ElementTree

import pytest
from conftest import ROOT, done, read_json, refused, tenon
from systems import PAIR, run, write


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    for name, words in {"fine": [], "coarse": ["--step", "0.05"]}.items():
        model = ROOT / "examples" / "slider_crank.toml"
        done(tenon("simulate", model, "--stop", "2", *words, "--out", folder / f"{name}.csv", "--quiet"))
    return folder


def panels(results, tmp_path, *words):
    """What was drawn, from the summary."""
    out = tmp_path / "drawn.svg"
    done(tenon("plot", results / "fine.csv", *words, "-o", out, "--json", tmp_path / "s.json"))
    return read_json(tmp_path / "s.json")["panels"]


def svg_texts(path):
    """The words of a picture: cairo draws letters as shapes, so they stand in its description."""
    root = xml.etree.ElementTree.parse(path).getroot()
    return " ".join(element.text or "" for element in root.iter() if element.tag.endswith(("title", "desc", "text")))


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


def test_png_and_svg_stand_beside_the_result(results):
    answer = done(tenon("plot", results / "fine.csv"))
    assert "choose others with --vars" in answer.stdout
    assert png_size(results / "fine.png")[0] == 1600
    root = xml.etree.ElementTree.parse(results / "fine.svg").getroot()
    assert root.tag.endswith("svg")


def test_variables_share_a_panel_by_unit_and_axes_say_it(results, tmp_path):
    drawn = panels(results, tmp_path, "--vars", "pin.angle,knee.angle,energy.kinetic,energy.total")
    assert [panel["label"] for panel in drawn] == ["angle [rad]", "energy [J]"]
    assert [panel["variables"] for panel in drawn] == [["pin.angle", "knee.angle"], ["energy.kinetic", "energy.total"]]


def test_violations_are_logarithmic_and_others_are_not(results, tmp_path):
    scales = {panel["label"]: panel["scale"] for panel in panels(results, tmp_path)}
    assert scales["constraint violation"] == "log"
    assert scales["energy [J]"] == "linear" and scales["angle [rad]"] == "linear"
    drawn = panels(results, tmp_path, "--vars", "constraint.*", "--linear")
    assert [panel["scale"] for panel in drawn] == ["linear"]


def test_the_axis_holds_all_values_of_the_window(results, tmp_path):
    (whole,) = panels(results, tmp_path, "--vars", "pin.angle")
    (part,) = panels(results, tmp_path, "--vars", "pin.angle", "--from", "0", "--to", "0.2")
    assert whole["low"] < part["low"] < 0 and part["high"] >= 0


def test_several_results_are_drawn_into_one_picture(results, tmp_path):
    out = tmp_path / "both.svg"
    words = ["--vars", "energy.total", "-o", out, "--json", tmp_path / "s.json"]
    done(tenon("plot", results / "fine.csv", results / "coarse.csv", *words))
    assert [entry["rows"] for entry in read_json(tmp_path / "s.json")["results"]] == [201, 41]
    assert "coarse" in svg_texts(out)


def test_results_of_systems_are_drawn_too(tmp_path):
    for name in ["pair.csv", "pair.h5"]:
        done(run(write(tmp_path, PAIR), "--out", tmp_path / name, "--quiet"))
        done(tenon("plot", tmp_path / name, "--vars", "a.x0,b.x0", "-o", tmp_path / "pair.png"))
        assert png_size(tmp_path / "pair.png")[0] == 1600


def test_size_and_paper_are_as_wished(results, tmp_path):
    out = tmp_path / "dark.png"
    done(tenon("plot", results / "fine.csv", "--vars", "pin.angle", "--size", "800x400", "--dark", "-o", out))
    assert png_size(out) == (800, 400)


@pytest.mark.parametrize(
    "words, code, hint",
    [
        (["--vars", "crnak.*"], 64, "crnak.*"),
        (["--vars", "pin.angel"], 64, "pin.angle"),
        (["-o", "x.jpg"], 64, ".png or .svg"),
        (["--size", "10x10"], 64, "--size"),
        (["--size", "wide"], 64, "--size"),
        (["--from", "2", "--to", "1"], 64, "--from must be below --to"),
        (["--from", "50"], 64, "none of them within"),
        (["-o", "/nowhere/x.png"], 73, "/nowhere"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_hint(results, words, code, hint):
    assert hint in refused(tenon("plot", results / "fine.csv", *words), code)


def test_a_refused_plot_leaves_the_old_picture_and_a_summary(tmp_path):
    (tmp_path / "x.csv").write_text("time,a\n0,word\n")
    (tmp_path / "x.png").write_text("old")
    assert "x.csv:2" in refused(tenon("plot", tmp_path / "x.csv", "--json", tmp_path / "s.json"), 65)
    assert (tmp_path / "x.png").read_text() == "old"
    assert read_json(tmp_path / "s.json")["status"] == "failed"


def test_hostile_names_stay_texts(tmp_path):
    (tmp_path / "x.csv").write_text('time,"<script>alert(1)</script>&\x1b[31m"\n0,1\n1,2\n', encoding="utf-8")
    done(tenon("plot", tmp_path / "x.csv", "-o", tmp_path / "x.svg", "--quiet"))
    root = xml.etree.ElementTree.parse(tmp_path / "x.svg").getroot()
    assert not [element for element in root.iter() if element.tag.endswith("script")]
