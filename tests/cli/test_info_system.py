"""`info` on FMUs and on systems of them: text, JSON and the graph."""

import xml.etree.ElementTree

import pytest
from conftest import ROOT, done, read_json, refused, tenon
from systems import FMUS, PAIR, connection, fmu, write


@pytest.fixture
def pair(tmp_path):
    return write(tmp_path, PAIR)


class TestFmu:
    def test_it_shows_kind_variables_and_terminals(self):
        text = done(tenon("info", FMUS / "oscillator.3.fmu")).stdout
        for line in ["FMI        3.0 for Co-Simulation", "dev.tenon.joint.flangeTrans", "Inputs (1)", "Parameters (3)"]:
            assert line in text

    def test_scalars_of_an_array_are_one_line(self):
        text = done(tenon("info", FMUS / "feedthrough.2.fmu")).stdout
        assert "matrix_in[1,1..2,3]" in text and "matrix_in[1,2]" not in text

    def test_json_has_every_variable(self, tmp_path):
        done(tenon("info", FMUS / "statespace.3.fmu", "--json", tmp_path / "i.json"))
        content = read_json(tmp_path / "i.json")
        assert content["kind"] == "fmu" and content["fmi"] == "3.0" and content["co_simulation"]
        matrix = next(v for v in content["variables"] if v["name"] == "A")
        assert matrix["dimensions"] == [2, 2] and matrix["causality"] == "parameter"

    def test_a_broken_archive_is_refused_and_said_in_json(self, tmp_path):
        (tmp_path / "x.fmu").write_bytes(b"PK\x03\x04 and nothing more")
        refused(tenon("info", tmp_path / "x.fmu", "--json", tmp_path / "i.json"), 65)
        assert read_json(tmp_path / "i.json")["status"] == "failed"


class TestSystem:
    def test_it_shows_fmus_connections_and_master(self, pair):
        text = done(tenon("info", pair)).stdout
        for line in ["2 FMUs, 2 connections, 0 joints", "a     vanderpol.2.fmu  2.0", "x 0.5", "step           0.01 s"]:
            assert line in text

    def test_units_on_the_way_are_shown(self, tmp_path):
        text = fmu("a", "units.2.fmu") + fmu("b", "units.3.fmu") + connection("a.out_kN", "b.in_N")
        assert "x 1000" in done(tenon("info", write(tmp_path, text))).stdout

    def test_the_graph_is_svg_with_a_box_for_each_fmu(self, pair):
        done(tenon("info", pair, "--quiet", "--svg", pair.parent / "g.svg"))
        root = xml.etree.ElementTree.parse(pair.parent / "g.svg").getroot()
        space = "{http://www.w3.org/2000/svg}"
        assert root.tag == space + "svg"
        assert len(root.findall(space + "rect")) == 2
        assert len([p for p in root.findall(space + "path") if p.get("class") == "wire"]) == 2
        assert {"a", "b", "x0", "u"} <= {text.text for text in root.iter(space + "text")}

    def test_the_graph_is_named_in_text_and_json(self, pair):
        words = ["--svg", pair.parent / "g.svg", "--json", pair.parent / "i.json"]
        assert f"Wrote {pair.parent / 'g.svg'}: the system as a graph." in done(tenon("info", pair, *words)).stdout
        assert read_json(pair.parent / "i.json")["svg"] == str(pair.parent / "g.svg")
        done(tenon("info", pair, "--json", pair.parent / "i.json"))
        assert read_json(pair.parent / "i.json")["svg"] == ""

    def test_a_graph_that_cannot_be_written_is_said_in_json(self, pair):
        refused(tenon("info", pair, "--svg", "/nowhere/g.svg", "--json", pair.parent / "i.json"), 73)
        assert read_json(pair.parent / "i.json")["status"] == "failed"

    def test_json_says_what_the_text_says(self, pair):
        done(tenon("info", pair, "--json", pair.parent / "i.json"))
        content = read_json(pair.parent / "i.json")
        assert content["kind"] == "system" and content["system"] == "pair"
        assert content["connections"][1] == {"from": "b.x1", "to": "a.u", "values": 1, "factor": 0.5, "offset": 0}
        assert content["master"]["stop"] == 1

    def test_a_mistake_is_one_line_with_the_place(self, tmp_path):
        path = write(tmp_path, PAIR + connection("a.x0", "b.uu"))
        line = refused(tenon("info", path, "--json", tmp_path / "i.json"), 65)
        assert "did you mean 'u'?" in line and f"{path}:" in line
        assert read_json(tmp_path / "i.json")["message"] in line

    def test_only_systems_are_drawn(self, tmp_path):
        refused(tenon("info", FMUS / "gain.2.fmu", "--svg", tmp_path / "g.svg"), 64)
        assert not (tmp_path / "g.svg").exists()


class TestGlued:
    FOUR_BAR = ROOT / "examples" / "glue" / "four_bar" / "system.toml"

    def test_models_are_shown_by_the_files_that_the_system_names(self):
        text = done(tenon("info", self.FOUR_BAR)).stdout
        assert "crank.toml" in text and "crank.fmu" not in text

    def test_terminals_and_joints_are_shown_with_their_rows(self):
        text = done(tenon("info", self.FOUR_BAR)).stdout
        words = [line.split() for line in text.splitlines()]
        for line in ["crank/tip frame left", "coupler/right frame right", "left revolute crank/tip coupler/left 5 1"]:
            assert line.split() in words, text
        assert "Joints (10 rows)" in text
        assert f"tenon run {self.FOUR_BAR} --no-run" in text

    def test_json_has_them_too(self, tmp_path):
        done(tenon("info", self.FOUR_BAR, "--json", tmp_path / "i.json"))
        content = read_json(tmp_path / "i.json")
        crank = content["fmus"][0]
        assert crank["file"] == "crank.toml"
        assert [(t["name"], t["kind"]) for t in crank["terminals"]] == [("tip", "dev.tenon.joint.frame3d")]
        assert [(j["rows"], j["leaves_free"]) for j in content["joints"]] == [(5, 1), (5, 1)]

    @pytest.mark.parametrize(
        "joint, rows, free",
        [
            ('type = "fixed"', 6, 0),
            ('type = "spherical"', 3, 3),
            ('type = "distance"\nlength = 0.5', 1, 5),
            ('type = "revolute"\naxis = [0, 0, 1]\nmotion = { rate = 2 }', 6, 0),
            ('type = "planar"\naxis = [0, 0, 1]', 3, 3),
        ],
    )
    def test_rows_follow_from_the_type_and_the_motion(self, tmp_path, joint, rows, free):
        parts = "".join(
            f'[[fmu]]\nname = "{name}"\nfile = "{self.FOUR_BAR.parent / name}.toml"\n' for name in ["crank", "coupler"]
        )
        text = parts + f'[[joint]]\nname = "pin"\n{joint}\na = "crank/tip"\nb = "coupler/left"\n'
        done(tenon("info", write(tmp_path, text), "--json", tmp_path / "i.json"))
        pin = read_json(tmp_path / "i.json")["joints"][0]
        assert (pin["rows"], pin["leaves_free"]) == (rows, free)


def test_a_result_is_no_model(tmp_path):
    for name in ("a.csv", "a.h5"):
        (tmp_path / name).write_text("time,x\n0,1\n")
        assert "this is a result; 'tenon plot' and 'tenon view' show it" in refused(tenon("info", tmp_path / name), 65)
