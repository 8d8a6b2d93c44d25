"""What `tenon simulate` writes: rows, digits, columns, summary; and how it ends."""

import json
import math
import os
import resource
import signal
import subprocess
import time

import pytest
from conftest import ROOT, TENON, done, json_summary, open_terminal, read_csv, read_json, refused, tenon, wait_for


def simulate(model, *words, **keywords):
    out, summary = model.folder / "out.csv", model.folder / "summary.json"
    result = done(tenon("simulate", model.path, "--out", out, "--json", summary, *words, **keywords))
    names, rows = read_csv(out)
    return result, names, rows, json_summary(summary)


def times(rows):
    return [float(row[0]) for row in rows]


def test_rows_are_the_start_every_step_and_the_stop_time(model):
    _, names, rows, summary = simulate(model)
    assert names[0] == "time"
    assert times(rows) == [i * 0.001 for i in range(100)] + [0.1]
    assert summary["status"] == "done" and summary["message"] == ""
    assert summary["steps"] == 100 and summary["end_time"] == 0.1 and summary["stop"] == 0.1
    assert summary["step"] == 0.001 and summary["integrator"] == "projection"
    assert summary["model"] == "crank_press"


def test_every_nth_step_and_always_the_last_becomes_a_row(model):
    _, _, rows, summary = simulate(model, "--every", "30")
    assert times(rows) == [0, 0.03, 0.06, 0.09, 0.1]
    assert summary["steps"] == 100


def test_the_last_step_is_shortened_to_hit_the_stop_time(model):
    _, _, rows, _ = simulate(model, "--step", "0.03", "--stop", "0.1")
    assert times(rows) == [0, 0.03, 0.06, 0.09, 0.1]
    _, _, rows, _ = simulate(model, "--step", "0.3", "--stop", "0.1")
    assert times(rows) == [0, 0.1]


def test_rounding_does_not_add_a_step(model):
    # 0.3 / 0.1 is 2.9999999999999996 and 0.7 / 0.1 is 6.999999999999999 in binary.
    for stop, steps in [("0.03", 30), ("0.07", 70), ("0.1", 100)]:
        _, _, rows, summary = simulate(model, "--stop", stop)
        assert summary["steps"] == steps and times(rows)[-1] == float(stop)


def test_stop_time_0_gives_the_assembled_start_alone(model):
    _, _, rows, summary = simulate(model, "--stop", "0")
    assert times(rows) == [0] and summary["steps"] == 0


def test_numbers_have_the_fewest_digits_that_read_back(model):
    _, _, rows, _ = simulate(model)
    for row in (rows[0], rows[50], rows[-1]):
        for text in row:
            value = float(text)
            assert math.isfinite(value)
            digits = len(text.split("e")[0].replace("-", "").replace(".", "").strip("0"))
            shortest = len(repr(value).split("e")[0].replace("-", "").replace(".", "").strip("0"))
            assert digits <= shortest


def test_columns_are_the_variables_of_the_contract(model):
    _, names, rows, _ = simulate(model)
    assert len(set(names)) == len(names)
    assert all(len(row) == len(names) for row in rows)
    for body in ["crank", "rod"]:
        for vector, size in [("r_0", 3), ("v_0", 3), ("q", 4), ("w_0", 3)]:
            for i in range(1, size + 1):
                assert f"{body}.{vector}[{i}]" in names
    for joint in ["bearing", "pin"]:
        for name in [f"f_0[{i}]" for i in (1, 2, 3)] + [f"t_0[{i}]" for i in (1, 2, 3)] + ["angle", "rate"]:
            assert f"{joint}.{name}" in names
    for name in (
        "energy.kinetic energy.potential energy.total energy.work constraint.position constraint.velocity "
        "constraint.acceleration solver.iterations"
    ).split():
        assert name in names


def test_the_first_row_is_the_model_as_given(model):
    _, names, rows, _ = simulate(model)
    first = dict(zip(names, map(float, rows[0])))
    assert [first[f"rod.r_0[{i}]"] for i in (1, 2, 3)] == pytest.approx([0.2, 0, 0], abs=1e-12)
    assert [abs(first[f"rod.q[{i}]"]) for i in (1, 2, 3, 4)] == pytest.approx([1, 0, 0, 0], abs=1e-12)
    assert first["bearing.angle"] == pytest.approx(0, abs=1e-12)
    assert first["energy.kinetic"] == pytest.approx(0, abs=1e-12)
    # m g h of both bodies is 0; the spring of 50 N/m is 0.1 m too long.
    assert first["energy.potential"] == pytest.approx(0.25, abs=1e-9)


def test_vars_selects_columns(model):
    _, names, rows, _ = simulate(model, "--vars", "crank.r_0*", "--vars", "pin.angle,energy.t?tal")
    assert names == ["time", "crank.r_0[1]", "crank.r_0[2]", "crank.r_0[3]", "pin.angle", "energy.total"]
    assert len(rows[0]) == 6


def test_accelerations_and_rotations_of_bodies_come_on_request(model):
    _, usual, _, _ = simulate(model)
    assert not [name for name in usual if ".a_0" in name or ".al_0" in name or ".R[" in name]
    _, names, rows, _ = simulate(model, "--vars", "crank.v_0[1],crank.a_0[1],crank.R[1,1],crank.q*", "--step", "1e-4")
    assert names == ["time", "crank.v_0[1]"] + [f"crank.q[{i}]" for i in (1, 2, 3, 4)] + ["crank.a_0[1]", "crank.R[1,1]"]
    _, v, w, x, _, _, a, r = map(float, rows[500])
    before, after = float(rows[499][1]), float(rows[501][1])
    assert a == pytest.approx((after - before) / 2e-4, rel=1e-3, abs=1e-3)
    assert r == pytest.approx(2 * (w**2 + x**2) - 1, abs=1e-12)
    _, names, _, _ = simulate(model, "--vars", "crank.*")
    assert len(names) == 1 + 13 + 15


def test_a_scene_file_is_written_beside_the_results(model):
    simulate(model)
    (scene,) = model.folder.glob("*.scene.json")
    assert scene.name == "out.scene.json"
    text = scene.read_text()
    assert '"crank"' in text and '"pin"' in text
    units = read_json(scene)["units"]
    assert units["crank.v_0[2]"] == "m/s" and units["pin.rate"] == "rad/s" and units["energy.total"] == "J"
    assert "crank.q[1]" not in units and "solver.iterations" not in units


def test_the_summary_agrees_with_the_rows(model):
    _, names, rows, summary = simulate(model)
    column = {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}
    assert summary["max_position_violation"] >= max(column["constraint.position"]) * (1 - 1e-12)
    assert summary["energy_start"] == pytest.approx(column["energy.total"][0], rel=1e-12)
    assert summary["energy_end"] == pytest.approx(column["energy.total"][-1], rel=1e-12)
    error = max(abs(e - column["energy.total"][0] - w) for e, w in zip(column["energy.total"], column["energy.work"]))
    assert summary["max_energy_error"] == pytest.approx(error, rel=1e-6, abs=1e-12)
    assert summary["iterations"] == sum(column["solver.iterations"])
    assert summary["wall_seconds"] > 0
    assert summary["rank_deficiency"] == 0


def test_without_out_a_table_and_no_file(model):
    result = done(tenon("simulate", model.path, cwd=model.folder))
    for word in ["end time", "steps", "iteration", "joint violation", "energy error", "wall time"]:
        assert word in result.stdout
    assert result.stderr == ""
    assert [p.name for p in model.folder.iterdir()] == ["press.toml"]


def test_quiet_says_nothing_and_verbose_more(model):
    quiet = done(tenon("simulate", model.path, "--quiet"))
    assert quiet.stdout == "" and quiet.stderr == ""
    normal = done(tenon("simulate", model.path)).stdout
    verbose = done(tenon("simulate", model.path, "--verbose")).stdout
    assert "degrees of freedom" in verbose and len(verbose.splitlines()) > len(normal.splitlines())


def test_results_to_standard_output_are_pure_csv(model):
    result = done(tenon("simulate", model.path, "--out", "/dev/stdout", "--stop", "0.002", "--vars", "crank.r_0[1]"))
    lines = result.stdout.splitlines()
    assert lines[0] == "time,crank.r_0[1]" and len(lines) == 4
    assert [p.name for p in model.folder.iterdir()] == ["press.toml"]


def test_every_integrator_runs_the_model(model):
    listing = model.folder / "integrators.json"
    done(tenon("info", "--integrators", "--json", listing))
    names = [integrator["name"] for integrator in read_json(listing)["integrators"]]
    assert "projection" in names and "explicit-correction" in names and "munthe-kaas" in names
    for name in names:
        assert simulate(model, "--integrator", name)[3]["integrator"] == name


def test_the_same_run_twice_gives_the_same_bytes(model):
    simulate(model)
    first = (model.folder / "out.csv").read_bytes()
    simulate(model)
    assert (model.folder / "out.csv").read_bytes() == first


class TestSet:
    """--set takes parameters, options of the solver and inputs by name."""

    def value(self, model, name, *words):
        _, names, rows, _ = simulate(model, "--stop", "0", "--vars", name, *words)
        return float(rows[0][1])

    def test_a_parameter_counts(self, model):
        plain = self.value(model, "energy.potential")
        assert self.value(model, "energy.potential", "--set", "coil.stiffness=100") == pytest.approx(2 * plain, rel=1e-9)

    def test_several(self, model):
        words = ["--set", "coil.stiffness=200", "--set", "coil.free_length=0.5"]
        assert self.value(model, "energy.potential", *words) == pytest.approx(0, abs=1e-9)

    def test_start_values(self, model):
        words = ["--set", "crank.angular_velocity[2]=2", "--set", "rod.angular_velocity[2]=2", "--set", "rod.velocity[3]=-0.4"]
        assert self.value(model, "bearing.rate", *words) == pytest.approx(2, rel=1e-9)

    def test_solver(self, model):
        words = ["--set", "solver.step=0.01", "--set", "solver.stop=0.05", "--set", "solver.integrator=munthe-kaas"]
        summary = simulate(model, *words)[3]
        assert summary["step"] == 0.01 and summary["steps"] == 5 and summary["integrator"] == "munthe-kaas"

    def test_an_option_is_stronger_than_a_set(self, model):
        assert simulate(model, "--set", "solver.step=0.01", "--step", "0.02")[3]["step"] == 0.02

    def test_words_and_switches_of_an_integrator(self, model):
        simulate(model, "--integrator", "munthe-kaas", "--set", "solver.stabilisation=none")
        simulate(model, "--integrator", "explicit-correction", "--set", "solver.energy=false", "--set", "solver.form=start")
        refused(tenon("simulate", model.path, "--integrator", "munthe-kaas", "--set", "solver.stabilisation=maybe"), 64)
        refused(tenon("simulate", model.path, "--integrator", "munthe-kaas", "--set", "solver.energy=false"), 64)

    def test_options_of_the_file_do_not_stand_in_the_way_of_another_integrator(self, model):
        model.change('integrator = "projection"', 'integrator = "munthe-kaas"\nstabilisation = "linear"')
        simulate(model, "--integrator", "projection")

    def test_an_input_is_held_constant(self, model):
        model.change("[solver]", '[[force]]\nname = "push"\ntype = "force"\nbody = "crank"\nat = [0.2, 0, 0]\ninput = true\n\n[solver]')
        _, names, rows, _ = simulate(model, "--set", "push.f[3]=100", "--vars", "bearing.angle,energy.work")
        assert float(rows[-1][names.index("bearing.angle")]) < 0  # up, which is a negative turn about y
        assert float(rows[-1][names.index("energy.work")]) > 0
        refused(tenon("simulate", model.path, "--set", "push.f[4]=1"), 64)


class TestUnwritable:
    """An output that cannot be written is found before anything is computed: exit code 73."""

    def check(self, model, *words):
        # A run of hours, had it begun.
        return refused(tenon("simulate", model.path, "--stop", "1e6", *words), 73)

    def test_out(self, model):
        assert "no/such" in self.check(model, "--out", model.folder / "no/such/out.csv")
        assert [p.name for p in model.folder.iterdir()] == ["press.toml"]

    def test_json(self, model):
        assert "no/such" in self.check(model, "--json", model.folder / "no/such/out.json")

    def test_json_does_not_leave_a_result_behind(self, model):
        self.check(model, "--out", model.folder / "out.csv", "--json", model.folder / "no/such/out.json")
        assert [p.name for p in model.folder.iterdir()] == ["press.toml"]

    def test_a_folder(self, model):
        (model.folder / "sub").mkdir()
        self.check(model, "--out", model.folder / "sub")
        self.check(model, "--json", model.folder / "sub")

    def test_the_scene_file(self, model):
        (model.folder / "out.scene.json").mkdir()
        self.check(model, "--out", model.folder / "out.csv")
        assert not (model.folder / "out.csv").exists()

    def test_the_summary_tells(self, model):
        summary = model.folder / "summary.json"
        self.check(model, "--out", model.folder / "no/such/out.csv", "--json", summary)
        assert json_summary(summary)["status"] == "failed"

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
    def test_a_full_disk_during_the_run(self, model):
        summary = model.folder / "summary.json"
        line = refused(tenon("simulate", model.path, "--out", "/dev/full", "--json", summary, "--quiet"), 73)
        assert "/dev/full" in line and "kept" not in line
        content = json_summary(summary)
        assert content["status"] == "failed" and "/dev/full" in content["message"]

    def test_a_file_that_may_not_grow_keeps_complete_rows(self, model):
        out, summary = model.folder / "out.csv", model.folder / "summary.json"
        limit = 200_000

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        words = ["simulate", model.path, "--stop", "10", "--out", out, "--json", summary, "--quiet"]
        result = subprocess.run([TENON, *words], preexec_fn=limited, capture_output=True, text=True, timeout=300)
        line = refused(result, 73)
        names, rows = read_csv(out)
        assert out.read_text().endswith("\n") and 100 < len(rows) and all(len(row) == len(names) for row in rows)
        assert f"{len(rows)} rows up to t = {rows[-1][0]} kept" in line
        assert json_summary(summary)["status"] == "failed"

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
    def test_a_full_disk_for_the_summary(self, model):
        refused(tenon("simulate", model.path, "--json", "/dev/full", "--quiet"), 73)

    def test_a_pipe_that_nobody_reads(self, model):
        summary = model.folder / "summary.json"
        words = ["simulate", model.path, "--stop", "1e6", "--out", "-", "--json", summary]
        process = subprocess.Popen([TENON, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(timeout=300) == -signal.SIGPIPE and errors == ""  # as other programs in a pipe
        assert json_summary(summary)["status"] == "failed"

    def test_closed_standard_streams(self, model):
        out = model.folder / "out.csv"
        command = f'"{TENON}" simulate "{model.path}" --out "{out}" >&- 2>&- <&-'
        assert subprocess.run(["sh", "-c", command], timeout=300).returncode == 0
        names, rows = read_csv(out)
        assert all(len(row) == len(names) for row in rows) and len(rows) == 101


def test_a_dash_is_standard_output(model):
    result = done(tenon("simulate", model.path, "--out", "-", "--vars", "energy.total", "--every", "50", cwd=model.folder))
    assert [line.split(",")[0] for line in result.stdout.splitlines()] == ["time", "0", "0.05", "0.1"]
    result = done(tenon("simulate", model.path, "--json", "-", cwd=model.folder))
    assert json.loads(result.stdout)["status"] == "done"
    for words in (["info", model.path], ["info", "--integrators"], ["demo", "--list"]):
        assert json.loads(done(tenon(*words, "--json", "-", cwd=model.folder)).stdout)["status"] == "done"
    assert [p.name for p in model.folder.iterdir()] == ["press.toml"]


class TestInterruption:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_complete_rows_are_kept(self, model, number):
        out, summary = model.folder / "out.csv", model.folder / "summary.json"
        process = subprocess.Popen(
            [str(TENON), "simulate", str(model.path), "--stop", "1e5", "--out", str(out), "--json", str(summary)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        wait_for(lambda: out.exists() and out.stat().st_size > 0, "rows")
        process.send_signal(number)
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 130
        assert len(errors.splitlines()) == 1 and "interrupted" in errors
        text = out.read_text()
        assert text.endswith("\n")
        names, rows = read_csv(out)
        assert all(len(row) == len(names) for row in rows)
        content = json_summary(summary)
        assert content["status"] == "interrupted" and content["message"]
        assert content["end_time"] == float(rows[-1][0]) > 0
        assert content["steps"] == len(rows) - 1


class TestComputationFailure:
    """70 with all rows up to the failure. A spring that no step of this size can follow makes an explicit method blow up."""

    def blow_up(self, model, *words):
        model.change("stiffness = 50.0", "stiffness = 1e12")
        return tenon(
            "simulate", model.path, "--integrator", "munthe-kaas", "--step", "0.1", "--stop", "1000",
            "--out", model.folder / "out.csv", "--json", model.folder / "summary.json", *words,
        )  # fmt: skip

    def test_rows_are_kept_and_finite_and_the_summary_says_failed(self, model):
        result = self.blow_up(model)
        assert result.returncode == 70, result
        assert "out.csv" in result.stderr.splitlines()[-1]
        names, rows = read_csv(model.folder / "out.csv")
        assert rows and all(len(row) == len(names) for row in rows)
        assert all(math.isfinite(float(text)) for row in rows for text in row)
        content = json_summary(model.folder / "summary.json")
        assert content["status"] == "failed" and content["message"]
        assert content["end_time"] == float(rows[-1][0])


STIFF = """\
[[body]]
name = "block"
mass = 1.0
inertia = [0.01, 0.01, 0.01]
position = [0.5, 0.0, 0.0]

[[joint]]
name = "slide"
type = "prismatic"
bodies = ["world", "block"]
at = [0.0, 0.0, 0.0]
axis = [1.0, 0.0, 0.0]

[[force]]
name = "shock"
type = "spring_damper"
bodies = ["world", "block"]
points = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0]]
stiffness = 1e4
damping = 3000
free_length = 0.4

[solver]
step = 1e-3
"""


class TestDivergence:
    """The damper needs steps below 0.93 ms from an explicit method; no run with longer ones ends as if all were well."""

    def run(self, tmp_path, integrator, stop, *words):
        path, summary = tmp_path / "stiff.toml", tmp_path / "summary.json"
        path.write_text(STIFF)
        result = tenon("simulate", path, "--integrator", integrator, "--stop", stop, "--json", summary, *words)
        return result, json_summary(summary)

    @pytest.mark.parametrize("integrator", ["munthe-kaas", "explicit-correction", "baumgarte"])
    def test_steps_that_cannot_be_believed_are_halved_until_they_can(self, tmp_path, integrator):
        result, summary = self.run(tmp_path, integrator, "0.3", "--quiet")
        assert result.returncode == 0 and summary["status"] == "done" and not summary["diverged"]
        assert summary["halvings"] > 0
        assert summary["max_energy_error"] <= 0.1 * summary["energy_scale"]

    def test_it_is_a_warning_where_divergence_is_accepted(self, tmp_path):
        result, summary = self.run(tmp_path, "munthe-kaas", "0.3", "--quiet", "--accept-divergence")
        assert result.returncode == 0 and summary["status"] == "done" and summary["diverged"]
        (line,) = result.stderr.splitlines()
        assert line.startswith("tenon: warning: ") and "diverged" in line and "--step 0.0001" in line
        assert "diverged" in summary["message"]

    @pytest.mark.parametrize("every", ["1", "1000"])
    @pytest.mark.parametrize("with_out", [True, False])
    def test_it_is_a_failure_when_they_are_not_finite(self, tmp_path, every, with_out):
        out = tmp_path / "out.csv"
        words = ["--every", every, "--quiet", "--accept-divergence"] + (["--out", out] if with_out else [])
        result, summary = self.run(tmp_path, "munthe-kaas", "10", *words)
        assert "finite" in refused(result, 70) and summary["status"] == "failed"
        assert 1 < summary["end_time"] < 2 and summary["energy_end"] is not None
        if with_out:
            _, rows = read_csv(out)
            assert float(rows[-1][0]) == summary["end_time"]
            assert all(math.isfinite(float(text)) for row in rows for text in row)

    def test_a_run_that_loses_its_energy_at_a_branch_point_fails_and_keeps_what_was_good(self, tmp_path):
        out, summary = tmp_path / "out.csv", tmp_path / "summary.json"
        result = tenon("simulate", ROOT / "examples" / "parallel_four_bar.toml", "--integrator", "energy-decaying", "--out", out,
                       "--json", summary, "--quiet")
        assert "the motion has diverged" in refused(result, 70)
        summary = json_summary(summary)
        assert summary["status"] == "failed" and 2 < summary["end_time"] < 4
        assert float(read_csv(out)[1][-1][0]) == summary["end_time"]

    @pytest.mark.parametrize("integrator", ["projection", "conserving", "energy-preserving", "energy-decaying", "gauss-newmark"])
    def test_implicit_methods_are_not_warned_of(self, tmp_path, integrator):
        result, summary = self.run(tmp_path, integrator, "0.3")
        assert result.returncode == 0 and result.stderr == "" and summary["message"] == ""

    def test_a_short_step_is_not_warned_of(self, tmp_path):
        result, summary = self.run(tmp_path, "munthe-kaas", "0.3", "--step", "1e-4")
        assert result.returncode == 0 and result.stderr == "" and summary["message"] == ""


class TestProgress:
    def test_there_is_none_in_a_pipe(self, model):
        result = done(tenon("simulate", model.path, "--stop", "3"))
        assert result.stderr == "" and "\r" not in result.stdout and "\x1b" not in result.stdout

    def on_terminal(self, model, *words, **environment):
        main, other = open_terminal()
        out = model.folder / "out.csv"
        process = subprocess.Popen(
            [str(TENON), "simulate", str(model.path), "--stop", "1e5", "--out", str(out), *words], stdin=other, stdout=other, stderr=other,
            env={**os.environ, "TERM": "xterm", **environment},
        )  # fmt: skip
        os.close(other)
        wait_for(lambda: out.exists() and out.stat().st_size > 0, "rows")
        time.sleep(1)  # of computing, in which a bar is drawn several times
        process.send_signal(signal.SIGINT)
        text = b""
        while True:
            try:
                block = os.read(main, 65536)
            except OSError:
                break
            if not block:
                break
            text += block
        os.close(main)
        assert process.wait(timeout=300) == 130
        return text.decode()

    def test_there_is_one_on_a_terminal(self, model):
        text = self.on_terminal(model)
        assert "\r" in text and "%" in text and "left" in text
        assert "\x1b[31m" in text  # the error in colour

    def test_quiet_has_none(self, model):
        assert "%" not in self.on_terminal(model, "--quiet")

    def test_no_color_is_obeyed(self, model):
        assert "\x1b[3" not in self.on_terminal(model, NO_COLOR="1")


@pytest.mark.parametrize("spring", ["stiffness = 1e4\nfree_length = 1.0", "spring = { polynomial = [-1e4, 1e4] }\nfree_length = 0.0"])
def test_a_diverging_run_is_refused_however_its_spring_is_written(tmp_path, spring):
    """The zero of a law's potential may be far away; it says nothing of how much energy moves."""
    model = tmp_path / "mass.toml"
    model.write_text(f"""\
[model]
gravity = [0.0, 0.0, 0.0]

[[body]]
name = "mass"
mass = 1.0
inertia = [1.0, 1.0, 1.0]
position = [0.0, 0.0, 1.05]

[[joint]]
name = "rail"
type = "prismatic"
bodies = ["world", "mass"]
at = [0.0, 0.0, 1.05]
axis = [0.0, 0.0, 1.0]

[[force]]
name = "spring"
type = "spring_damper"
bodies = ["world", "mass"]
points = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.05]]
{spring}

[solver]
integrator = "munthe-kaas"
step = 0.027
stop = 5.0
""")
    assert "the motion has diverged" in refused(tenon("simulate", model, "--quiet"), 70)
