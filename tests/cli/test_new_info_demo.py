"""`new`, `info` and `demo`."""

import json
import signal
import subprocess

import pytest
from conftest import ROOT, TENON, done, read_csv, read_json, refused, tenon


class TestNew:
    def test_what_it_writes_simulates_as_written(self, tmp_path):
        result = done(tenon("new", "swing", cwd=tmp_path))
        assert "tenon simulate swing.toml" in result.stdout
        assert [p.name for p in tmp_path.iterdir()] == ["swing.toml"]
        assert 'name = "swing"' in (tmp_path / "swing.toml").read_text()
        done(tenon("info", "swing.toml", cwd=tmp_path))
        done(tenon("simulate", "swing.toml", "--out", "swing.csv", cwd=tmp_path))
        _, rows = read_csv(tmp_path / "swing.csv")
        assert float(rows[-1][0]) == 10

    def test_the_parts_that_are_commented_out_work(self, tmp_path):
        done(tenon("new", "swing", cwd=tmp_path))
        path = tmp_path / "swing.toml"
        lines = path.read_text().splitlines()
        start = lines.index("# [[force]]")
        lines[start:] = [line.removeprefix("# ") for line in lines[start:]]
        path.write_text("\n".join(lines).replace("# friction", "friction"))
        done(tenon("simulate", path, "--set", "elbow_spring.stiffness=8", "--stop", "1"))

    def test_it_never_writes_over_a_file(self, tmp_path):
        (tmp_path / "swing.toml").write_text("mine")
        refused(tenon("new", "swing", cwd=tmp_path), 73)
        assert (tmp_path / "swing.toml").read_text() == "mine"

    def test_a_name_with_its_ending_is_taken_as_it_is(self, tmp_path):
        done(tenon("new", "swing.toml", "--quiet", cwd=tmp_path))
        assert [p.name for p in tmp_path.iterdir()] == ["swing.toml"]

    def test_a_folder_that_is_not_there_is_73(self, tmp_path):
        refused(tenon("new", "no/such/swing", cwd=tmp_path), 73)

    @pytest.mark.parametrize("name", ["", ".toml", "/", ".", "..", "sub/.."])
    def test_a_name_that_is_none_is_64(self, tmp_path, name):
        refused(tenon("new", name, cwd=tmp_path), 64)

    def test_a_name_with_quotes_and_braces_gives_a_good_file(self, tmp_path):
        result = done(tenon("new", 'a "b" {c}', cwd=tmp_path))
        assert """tenon info 'a "b" {c}.toml'""" in result.stdout
        done(tenon("info", 'a "b" {c}.toml', cwd=tmp_path))


class TestInfo:
    def test_the_model_in_words(self, model):
        text = done(tenon("info", model.path)).stdout
        for word in ["crank_press", "degrees of freedom", "redundant rows", "crank", "bearing", "revolute", "coil",
                     "world - crank", "crank.r_0[1..3]", "energy.total", "projection"]:  # fmt: skip
            assert word in text, word
        assert "\x1b" not in text

    def test_verbose_lists_the_parameters(self, model):
        text = done(tenon("info", model.path, "--verbose")).stdout
        for name in ["crank.mass", "crank.inertia[6]", "coil.stiffness", "pin.friction.viscous", "gravity[3]", "solver.step"]:
            assert name in text, name

    def test_quiet_says_nothing(self, model):
        assert done(tenon("info", model.path, "--quiet")).stdout == ""

    def test_json_has_all_of_it(self, model):
        path = model.folder / "info.json"
        done(tenon("info", model.path, "--json", path))
        content = read_json(path)
        assert content["status"] == "done" and content["model"] == "crank_press"
        assert content["degrees_of_freedom"] == 2 and content["rows"] == 10 and content["rank_deficiency"] == 0
        assert content["redundant_joints"] == []
        assert [body["name"] for body in content["bodies"]] == ["crank", "rod"]
        assert content["joints"][1] == {"name": "pin", "type": "revolute", "bodies": ["crank", "rod"]}
        units = {variable["name"]: variable["unit"] for variable in content["variables"]}
        assert units["crank.r_0[1]"] == "m" and units["crank.w_0[3]"] == "rad/s" and units["energy.total"] == "J"
        values = {parameter["name"]: parameter["value"] for parameter in content["parameters"]}
        assert values["coil.stiffness"] == 50 and values["gravity[3]"] == -9.81 and values["coil.free_length"] == 0.4

    def test_json_of_a_bad_model_has_the_same_keys(self, model):
        good, bad = model.folder / "good.json", model.folder / "bad.json"
        done(tenon("info", model.path, "--json", good))
        model.change("mass = 1.0", "mass = -1.0")
        refused(tenon("info", model.path, "--json", bad), 65)
        content = read_json(bad)
        assert content["status"] == "failed" and "mass" in content["message"]
        assert list(content) == list(read_json(good))

    def test_every_listed_parameter_can_be_set(self, model):
        path = model.folder / "info.json"
        done(tenon("info", model.path, "--json", path))
        words = []
        for parameter in read_json(path)["parameters"]:
            words += ["--set", f"{parameter['name']}={parameter['value']!r}"]
        out = model.folder / "out.csv"
        done(tenon("simulate", model.path, "--out", out))
        plain = out.read_bytes()
        done(tenon("simulate", model.path, "--out", out, *words))
        assert out.read_bytes() == plain

    def test_redundant_joints_are_named(self, model):
        model.change("[[force]]", '[[joint]]\nname = "again"\ntype = "revolute"\nbodies = ["world", "crank"]\n'
                                  "at = [0, 0, 0]\naxis = [0, 1, 0]\n\n[[force]]")  # fmt: skip
        path = model.folder / "info.json"
        text = done(tenon("info", model.path, "--json", path)).stdout
        content = read_json(path)
        assert content["degrees_of_freedom"] == 2 and content["rank_deficiency"] == 5
        assert set(content["redundant_joints"]) & {"again", "bearing"}
        assert "again" in text

    def test_the_integrators_are_listed(self):
        text = done(tenon("info", "--integrators")).stdout
        for name in ["projection", "explicit-correction", "munthe-kaas"]:
            assert name in text

    def test_json_of_the_integrators(self, tmp_path):
        path = tmp_path / "integrators.json"
        done(tenon("info", "--integrators", "--quiet", "--json", path))
        names = {item["number"]: item["name"] for item in read_json(path)["integrators"]}
        assert names == dict(enumerate([
            "projection", "conserving", "conserving-projection", "augmented-lagrangian", "energy-preserving",
            "energy-decaying", "explicit-correction", "baumgarte", "munthe-kaas", "gauss-newmark"], 1))  # fmt: skip

    @pytest.mark.parametrize("name", ["none.toml", "none.fmu", "none.ssp"])
    def test_a_missing_file_of_any_kind_is_66(self, tmp_path, name):
        assert name in refused(tenon("info", tmp_path / name), 66)

    def test_the_schema_is_json(self):
        schema = json.loads(done(tenon("info", "--schema")).stdout)
        assert "properties" in schema

    def test_output_to_a_full_device_is_73(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([TENON, "info", "--schema"], stdout=full, stderr=subprocess.PIPE, text=True)
        assert result.returncode == 73 and len(result.stderr.splitlines()) == 1


class TestDemo:
    def test_list_has_every_example(self):
        text = done(tenon("demo", "--list")).stdout
        for path in (ROOT / "examples").glob("*.toml"):
            assert path.stem in text

    def test_one_example_compares_all_integrators(self, tmp_path):
        path = tmp_path / "demo.json"
        text = done(tenon("demo", "double_pendulum", "--json", path)).stdout
        runs = read_json(path)["runs"]
        assert {run["example"] for run in runs} == {"double_pendulum"}
        assert len(runs) == 10 and all(run["max_position_violation"] is not None for run in runs)
        for run in runs:
            assert run["integrator"] in text
        kept = {run["integrator"]: run["kept"] for run in runs}
        assert kept["energy-preserving"] == kept["explicit-correction"] == "joints, energy"
        assert "joints" not in kept["augmented-lagrangian"]

    @pytest.mark.parametrize(
        "name",
        ["spherical pendulum", "free rigid body", "universal joint", "rolling disc", "parallel four-bar", "slider-crank",
         "double four-bar", "satellite"],
    )  # fmt: skip
    def test_the_systems_of_the_papers_have_their_names(self, tmp_path, name):
        path = tmp_path / "demo.json"
        done(tenon("demo", name, "--quiet", "--json", path))
        runs = read_json(path)["runs"]
        assert len(runs) == 10 and all(run["end_time"] > 0 for run in runs)

    def test_list_as_json(self, tmp_path):
        path = tmp_path / "demo.json"
        assert done(tenon("demo", "--list", "--quiet", "--json", path)).stdout == ""
        glued = {f"glue/{p.parent.name}" for p in (ROOT / "examples" / "glue").glob("*/system.toml")}
        assert set(read_json(path)["examples"]) == {p.stem for p in (ROOT / "examples").glob("*.toml")} | glued

    def test_bad_usage_is_in_the_json(self, tmp_path):
        path = tmp_path / "demo.json"
        refused(tenon("demo", "--nonsense", "--json", path), 64)
        assert read_json(path)["status"] == "failed"

    def test_an_interruption_keeps_what_there_is(self, tmp_path):
        path = tmp_path / "demo.json"
        process = subprocess.Popen(
            [TENON, "demo", "integrators", "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while "slider_crank" not in process.stdout.readline():  # the second; the first is there
            pass
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 130 and "interrupted" in errors
        content = read_json(path)
        assert content["status"] == "interrupted" and len(content["runs"]) >= 20

    def test_the_selection_of_integrators_has_every_method(self):
        text = done(tenon("demo", "integrators")).stdout
        assert text.count("energy-decaying") >= 4

    @pytest.mark.parametrize("name", [None, "glue/road_train"])
    def test_glued_fmus_move_as_the_machine_in_one_piece_and_a_page_shows_both(self, tmp_path, name):
        path = tmp_path / "demo.json"
        words = ["-o", "shown", "--json", path] + ([name] if name else [])
        text = done(tenon("demo", *words, cwd=tmp_path)).stdout
        (shown,) = read_json(path)["glued"]
        assert shown["name"] == (name or "glue/four_bar") and shown["fmus"] == 3
        assert shown["glued"]["joint_gap"] < 1e-6 and shown["whole"]["joint_gap"] < 1e-8
        assert shown["difference"] < 1e-4
        assert shown["glued"]["max_energy_error"] < 1e-2
        stem = shown["name"].removeprefix("glue/")
        assert len(list((tmp_path / "shown" / stem).glob("*.fmu"))) >= 2  # one for both trailers
        for word in ["joint gap", "energy error", "largest difference", "tenon run shown/"]:
            assert word in text
        if shown["page"]:  # built with npm
            assert (tmp_path / "shown" / f"{stem}.html").stat().st_size > 700_000
        # The commands that it shows can be typed.
        done(tenon("run", f"shown/{stem}/system.toml", "--stop", "0.05", cwd=tmp_path))

    def test_it_works_from_any_folder(self, tmp_path):
        done(tenon("demo", "--list", cwd=tmp_path))

    def test_without_a_folder_it_writes_below_the_current_one_and_says_where(self, tmp_path):
        text = done(tenon("demo", cwd=tmp_path)).stdout
        assert "FMUs, system file and results: tenon-demo/four_bar\n" in text
        assert [p.name for p in tmp_path.iterdir()] == ["tenon-demo"]
        assert (tmp_path / "tenon-demo" / "four_bar" / "system.toml").exists()

    def test_an_unknown_example_is_64(self):
        assert "'double_pendulum'" in refused(tenon("demo", "double_pendulm"), 64)
