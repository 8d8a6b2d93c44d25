"""`tenon view`: its messages, and its page in a real browser."""

import json
import math
import re
import struct

import chromium
import pytest
from conftest import ROOT, done, read_csv, read_json, refused, tenon

SCREENSHOTS = ROOT / "build" / "viewer" / "screenshots"


def page_is_built():
    page = ROOT / "build" / "viewer" / "viewer.html"
    return page.exists() and page.stat().st_size > 0


needs_page = pytest.mark.skipif(not page_is_built(), reason="built without npm")
needs_browser = pytest.mark.skipif(not (page_is_built() and chromium.path()), reason="no page or no Chromium")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Some examples, simulated."""
    folder = tmp_path_factory.mktemp("results")

    def simulate(name, *words, out=None):
        file = folder / f"{out or name}.csv"
        done(tenon("simulate", ROOT / "examples" / f"{name}.toml", "--out", file, "--quiet", *words))
        return file

    simulate("slider_crank")
    simulate("slider_crank", "--integrator", "energy-decaying", "--step", "0.02", out="decaying")
    simulate("spring_pendulum", "--every", "8")
    simulate("wind_rotor", "--every", "10")
    return folder


@pytest.fixture(scope="module")
def crank(results):
    done(tenon("view", results / "slider_crank.csv", "--quiet"))
    with chromium.Chromium() as browser:
        browser.open(results / "slider_crank.html")
        yield browser


def quiet(browser):
    """Nothing was complained about and nothing was loaded but the page."""
    assert browser.problems == []
    assert [url for url in browser.requests if not url.startswith("file:")] == []
    assert len([url for url in browser.requests if url.startswith("file:")]) == 1


def columns(file):
    names, rows = read_csv(file)
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


def shown(browser):
    """Brightness of the picture's pixels, from the canvas itself, after a drawing."""
    return browser.value(
        """(() => {
          const { stage } = tenon.view;
          stage.draw();
          const gl = stage.renderer.getContext();
          const { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
          const pixels = new Uint8Array(4 * w * h);
          gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
          const colours = new Map();
          for (let i = 0; i < pixels.length; i += 4) {
            const key = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
            colours.set(key, (colours.get(key) ?? 0) + 1);
          }
          return { colours: colours.size, most: Math.max(...colours.values()) / (w * h) };
        })()"""
    )


# ---- messages ------------------------------------------------------------------------------------------------------


@needs_page
def test_the_page_stands_beside_the_result_and_is_one_file(results, tmp_path):
    answer = done(tenon("view", results / "slider_crank.csv", "--json", tmp_path / "s.json"))
    page = results / "slider_crank.html"
    assert str(page) in answer.stdout
    summary = read_json(tmp_path / "s.json")
    assert summary["status"] == "done" and summary["file"] == str(page)
    assert summary["bytes"] == page.stat().st_size < 4_000_000
    assert summary["runs"] == [
        {"label": "slider_crank", "rows": 1001, "columns": 56, "bodies": 2, "frames": 1001, "whole": True, "added": 0}
    ]


@needs_page
def test_a_missing_result_is_66_and_leaves_nothing(tmp_path):
    line = refused(tenon("view", tmp_path / "none.csv", "--json", tmp_path / "s.json"), 66)
    assert "none.csv" in line
    assert read_json(tmp_path / "s.json")["status"] == "failed"
    assert not (tmp_path / "none.html").exists()


@needs_page
@pytest.mark.parametrize(
    "name, text", [("x.csv", "a,b\n1,2\n"), ("x.csv", "time,b\n1,word\n"), ("x.csv", ""), ("x.h5", "\x89HDF\r\n")]
)
def test_wrong_content_is_65_and_the_old_page_stays(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="latin-1")
    (tmp_path / "x.html").write_text("old")
    assert name in refused(tenon("view", tmp_path / name), 65)
    assert (tmp_path / "x.html").read_text() == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([name, "x.html"])


@needs_page
def test_a_broken_scene_is_65_and_named(results, tmp_path):
    (tmp_path / "x.csv").write_text("time,a\n0,1\n")
    (tmp_path / "x.scene.json").write_text('{"format": "tenon-scene", "version": 1, "bodies": 3}')
    assert "x.scene.json: 'bodies' must be a list" in refused(tenon("view", tmp_path / "x.csv"), 65)


@needs_page
def test_a_page_that_cannot_be_written_is_73(results):
    refused(tenon("view", results / "slider_crank.csv", "-o", "/nowhere/x.html"), 73)


@needs_page
def test_no_output_may_be_a_result_or_a_model(results):
    csv = results / "slider_crank.csv"
    before = csv.read_bytes()
    refused(tenon("view", csv, "-o", csv), 64)
    refused(tenon("view", csv, "-o", results / "x.toml"), 64)
    assert csv.read_bytes() == before


@needs_page
def test_without_a_scene_there_are_curves_and_a_warning(tmp_path):
    (tmp_path / "x.csv").write_text("time,a\n0,1\n1,2\n")
    answer = done(tenon("view", tmp_path / "x.csv"))
    assert "x.scene.json" in answer.stderr
    done(tenon("view", tmp_path / "x.csv", "--quiet"))


# ---- the page ------------------------------------------------------------------------------------------------------


@needs_browser
def test_the_page_loads_from_disk_draws_and_asks_for_nothing(crank):
    assert crank.value("document.title") == "slider_crank – Tenon"
    picture = shown(crank)
    assert picture["colours"] > 100 and picture["most"] < 0.9
    crank.screenshot(SCREENSHOTS / "slider_crank.png")
    quiet(crank)


@needs_browser
def test_poses_and_values_at_a_time_are_those_of_the_result(crank, results):
    data = columns(results / "slider_crank.csv")
    for row in [0, 1, 333, 1000]:
        time = data["time"][row]
        crank.value(f"tenon.player.seek({time!r})")
        pose = crank.value(
            "(({ group }) => [...group.position.toArray(), group.quaternion.w, group.quaternion.z])"
            "(tenon.view.machines[0].byName.get('rod'))"
        )
        wanted = [data[f"rod.r_0[{i}]"][row] for i in [1, 2, 3]] + [data[f"rod.q[{i}]"][row] for i in [1, 4]]
        assert pose == pytest.approx(wanted, abs=3e-7)
        for name in ["pin.angle", "energy.kinetic", "guide.f_0[2]"]:
            value = crank.value(f"tenon.runs[0].value({name!r}, {time!r})")
            start, largest = data[name][0], max(map(abs, data[name]))
            stored = struct.unpack("f", struct.pack("f", data[name][row] - start))[0]
            assert value == start + stored  # to the digit what was stored
            assert value == pytest.approx(data[name][row], abs=1e-6 * largest)


@needs_browser
def test_the_legend_reads_the_value_at_the_time_of_the_animation(crank, results):
    data = columns(results / "slider_crank.csv")
    crank.value("tenon.player.seek(2.5)")
    text = crank.value("document.querySelector('.legend output').textContent")
    assert float(text) == pytest.approx(data["energy.kinetic"][250], rel=1e-5)
    assert crank.value("document.getElementById('time').textContent").startswith("2.50 / 10.00")


@needs_browser
def test_play_pause_keys_and_scrubber_move_the_time(crank):
    crank.value("tenon.player.seek(1)")
    crank.key(" ", "Space")
    crank.wait("tenon.player.time > 1.05")
    crank.value("document.getElementById('play').click()")
    stopped = crank.value("tenon.player.time")
    crank.frames(3)
    assert crank.value("tenon.player.time") == stopped
    crank.key("Home")
    assert crank.value("tenon.player.time") == 0
    crank.key("ArrowRight")
    crank.key("ArrowRight")
    assert crank.value("tenon.player.time") == pytest.approx(0.02)
    crank.key("ArrowLeft")
    assert crank.value("tenon.player.time") == pytest.approx(0.01)
    x, y = crank.value(
        "(({ left, top, width, height }) => [left + width * 0.5, top + height / 2])"
        "(document.getElementById('scrubber').getBoundingClientRect())"
    )
    crank.click(x, y)
    assert crank.value("tenon.player.time") == pytest.approx(5, abs=0.2)
    quiet(crank)


@needs_browser
def test_plots_zoom_together_and_a_click_sets_the_time(crank):
    left, top, width, height = crank.value(
        "(({ left, top, width, height }) => [left, top, width, height])"
        "(tenon.plots.cards[0].plot.over.getBoundingClientRect())"
    )
    middle = top + height / 2
    crank.drag(left + width * 0.2, middle, left + width * 0.4, middle)
    crank.frames()
    ranges = crank.value("tenon.plots.cards.map(({ plot }) => [plot.scales.x.min, plot.scales.x.max])")
    assert len(ranges) >= 3
    for low, high in ranges:
        assert low == pytest.approx(2, abs=0.1) and high == pytest.approx(4, abs=0.1)
    crank.click(left + width * 0.5, middle)
    assert crank.value("tenon.player.time") == pytest.approx(3, abs=0.1)
    crank.value("tenon.plots.zoomAll()")
    crank.frames()
    assert crank.value("tenon.plots.cards[1].plot.scales.x.max") == 10
    quiet(crank)


@needs_browser
def test_dragging_turns_the_camera_and_r_brings_it_back(crank):
    where = "tenon.view.stage.camera.position.toArray()"
    crank.key("r")
    before = crank.value(where)
    crank.drag(300, 400, 420, 340)
    assert math.dist(crank.value(where), before) > 0.1
    crank.key("r")
    assert crank.value(where) == pytest.approx(before)


@needs_browser
def test_every_layer_and_both_themes_draw_without_complaint(results):
    done(tenon("view", results / "wind_rotor.csv", "--quiet"))
    with chromium.Chromium() as browser:
        browser.open(results / "wind_rotor.html")
        browser.value("tenon.player.seek(3)")
        for key in "axonjgtvdc":
            browser.key(key)
            browser.frames(1)
        assert browser.value("document.documentElement.dataset.theme") == "dark"
        assert browser.value("tenon.view.traces.length") == 6
        assert browser.value("tenon.view.followed.name") == "tower"
        assert shown(browser)["colours"] > 100
        browser.screenshot(SCREENSHOTS / "wind_rotor_dark.png")
        quiet(browser)


@needs_browser
def test_the_arrow_of_a_reaction_points_along_the_force(crank, results):
    data = columns(results / "slider_crank.csv")
    crank.value("tenon.player.seek(2)")
    if not crank.value("tenon.view.show.forces"):
        crank.key("a")
    direction = crank.value(
        "(({ arrow }) => { const v = tenon.view.up.clone().set(0, 1, 0); return v.applyQuaternion(arrow.quaternion).toArray(); })"
        "(tenon.view.machines[0].arrows.arrows.find(({ joint }) => joint.name === 'pin'))"
    )
    force = [data[f"pin.f_0[{i}]"][200] for i in [1, 2, 3]]
    size = math.hypot(*force)
    assert direction == pytest.approx([f / size for f in force], abs=1e-5)


@needs_browser
def test_two_integrators_are_overlaid_and_can_be_switched_off(results, tmp_path):
    page = tmp_path / "compared.html"
    done(tenon("view", results / "slider_crank.csv", results / "decaying.csv", "-o", page, "--quiet"))
    with chromium.Chromium() as browser:
        browser.open(page)
        browser.value("tenon.player.seek(7)")
        assert browser.value("tenon.view.machines.length") == 2
        assert browser.value("tenon.plots.cards[0].mode") == "change"
        names = browser.value("[...document.querySelectorAll('.chip.run')].map((chip) => chip.textContent)")
        assert names == ["slider_crank", "decaying"]
        browser.screenshot(SCREENSHOTS / "compared.png")
        browser.value("document.querySelectorAll('.chip.run')[1].click()")
        assert browser.value("tenon.view.machines[1].group.visible") is False
        assert browser.value("tenon.plots.cards[0].series.length") == 1
        quiet(browser)


@pytest.fixture(scope="module")
def glued(tmp_path_factory):
    """The four-bar linkage in one piece, and the same motion as a run of three glued FMUs would have written it."""
    folder = tmp_path_factory.mktemp("glued")
    done(tenon("simulate", ROOT / "examples/glue/four_bar/whole.toml", "--every", "40", "--out", folder / "whole.csv", "--quiet"))
    bodies = {name: f"{name}.{name}" for name in ["crank", "coupler", "rocker"]}
    names, rows = read_csv(folder / "whole.csv")
    kept = [i for i, name in enumerate(names) if name.split(".")[0] in ["time", "left", "right", *bodies]]
    new = [re.sub(r"^(crank|coupler|rocker)\.", r"\1.\1.", names[i]) for i in kept]
    new += ["left.gap", "left.work_a", "left.work_b", "crank.energy.total", "rocker.energy.total"]
    lines = [",".join(new)]
    for row in rows:
        energy = float(row[names.index("energy.total")])
        more = [2e-13, 5.0, -5.0 + 1e-9 * float(row[0]), energy / 4, 3 * energy / 4]
        lines.append(",".join([row[i] for i in kept] + [repr(value) for value in more]))
    (folder / "glued.csv").write_text("\n".join(lines) + "\n")
    scene = read_json(folder / "whole.scene.json")
    for body in scene["bodies"]:
        body["name"] = bodies[body["name"]]
    for joint in scene["joints"]:
        joint["bodies"] = [bodies.get(name, name) for name in joint["bodies"]]
    (folder / "glued.scene.json").write_text(json.dumps(scene))
    return folder


@needs_page
def test_rows_and_columns_are_those_of_the_file_and_added_curves_are_named(glued, tmp_path):
    answer = done(tenon("view", glued / "glued.csv", "-o", tmp_path / "x.html", "--json", tmp_path / "s.json"))
    names, rows = read_csv(glued / "glued.csv")
    counts = f"glued: {len(rows)} rows, {len(names)} columns, 3 bodies\n"
    assert counts + "  and on the page left.ledger, energy.total\n" in answer.stdout
    (shown,) = read_json(tmp_path / "s.json")["runs"]
    assert shown["added"] == 2 and shown["columns"] == len(names) - 1 + 2  # without time, with those of the page


@needs_browser
def test_a_glued_run_has_colours_of_fmus_gaps_and_ledger_and_lies_over_the_whole_machine(glued, tmp_path):
    page = tmp_path / "both.html"
    done(tenon("view", glued / "glued.csv", glued / "whole.csv", "-o", page, "--quiet"))
    with chromium.Chromium() as browser:
        browser.open(page)
        assert browser.value("document.getElementById('hud').innerText").split() == ["crank", "coupler", "rocker"]
        assert len(set(browser.value("tenon.view.machines.flatMap(({ bodies }) => bodies.map(({ colour }) => colour))"))) == 4
        titles = browser.value("[...document.querySelectorAll('.card h2')].map((title) => title.textContent)")
        assert titles[:3] == ["Joint gaps", "Work of the glue", "Energy since the start"]
        assert browser.value("tenon.runs[0].value('left.ledger', 2)") == pytest.approx(2e-9, rel=1e-6)
        # Names with and without the FMU before them mean the same, but not where several FMUs have them.
        browser.value("void tenon.plots.add({ names: ['crank.crank.r_0[1]'], mode: 'difference' })")
        browser.value("void tenon.plots.add({ names: ['crank.energy.total'] })")
        drawn = browser.value("tenon.plots.cards.slice(-2).map(({ series }) => series.map(({ column }) => column.name))")
        assert drawn == [["crank.crank.r_0[1]", "crank.r_0[1]"], ["crank.energy.total"]]
        largest = browser.value("Math.max(...tenon.plots.cards.at(-2).plot.data[2].map(Math.abs))")
        assert largest == 0
        browser.value("tenon.panel.setTrace('crank.crank', true)")
        assert browser.value("tenon.view.traces.length") == 2
        browser.value("tenon.player.seek(1.3)")
        browser.screenshot(SCREENSHOTS / "glued.png")
        quiet(browser)


@needs_browser
def test_a_phone_shows_all_without_scrolling_sideways(results):
    done(tenon("view", results / "spring_pendulum.csv", "--quiet"))
    with chromium.Chromium(390, 780, mobile=True) as browser:
        browser.open(results / "spring_pendulum.html")
        browser.value("tenon.player.seek(2)")
        assert browser.value("document.documentElement.scrollWidth") == 390
        widths = browser.value("[...document.querySelectorAll('#bar, #transport, .card')].map((e) => e.getBoundingClientRect().right)")
        assert max(widths) <= 390
        browser.screenshot(SCREENSHOTS / "phone.png")
        quiet(browser)


@needs_browser
def test_hostile_names_are_shown_as_text(tmp_path):
    name = "<img src=x onerror=window.hit=1></script><script>window.hit=2</script>"
    (tmp_path / "x.csv").write_text(f'time,"{name}","{name}.angle"\n0,1,1\n1,2,0\n')
    scene = '{"format":"tenon-scene","version":1,"name":"%s","bodies":[{"name":"%s"}]}' % (name, name)
    (tmp_path / "x.scene.json").write_text(scene)
    done(tenon("view", tmp_path / "x.csv", "--quiet"))
    with chromium.Chromium() as browser:
        browser.open(tmp_path / "x.html")
        for key in "nvt":
            browser.key(key)
        browser.value("document.getElementById('add-plot').click()")
        browser.frames()
        assert browser.value("window.hit") is None
        assert name in browser.value("document.getElementById('title').textContent")
        quiet(browser)


@needs_browser
def test_a_long_result_is_thinned_keeps_its_peak_and_plays(tmp_path):
    with open(tmp_path / "long.csv", "w") as file:
        bodies = [f"b{i}" for i in range(20)]
        names = [f"{b}.{v}" for b in bodies for v in ["r_0[1]", "r_0[2]", "r_0[3]"]]
        file.write("time," + ",".join(names) + "\n")
        for i in range(80000):
            x = 9 if i == 51234 else math.sin(i / 500)
            file.write(f"{i * 1e-3:.3f}," + ",".join(f"{x if k == 4 else k},{k % 5},0" for k in range(20)) + "\n")
    scene = ",".join(f'{{"name":"{b}","position":[{k},{k % 5},0]}}' for k, b in enumerate(bodies))
    (tmp_path / "long.scene.json").write_text(f'{{"format":"tenon-scene","version":1,"bodies":[{scene}]}}')
    answer = done(tenon("view", tmp_path / "long.csv", "--json", tmp_path / "s.json"))
    assert "thinned" in answer.stdout
    run = read_json(tmp_path / "s.json")["runs"][0]
    assert not run["whole"] and 400 < run["frames"] <= 20001
    with chromium.Chromium() as browser:
        browser.open(tmp_path / "long.html")
        peak = browser.value(
            "(({ curve }) => { let best = 0; for (let i = 0; i < curve.length; ++i) if (curve.value(i) > curve.value(best)) best = i;"
            "return [curve.times[best], curve.value(best)]; })(tenon.runs[0].columns.get('b4.r_0[1]'))"
        )
        assert peak == pytest.approx([51.234, 9], abs=1e-5)
        browser.value("tenon.player.play()")
        browser.wait("tenon.player.time > 1")
        quiet(browser)


@needs_browser
def test_a_road_lies_where_the_scene_says_and_the_wheel_stands_on_it(tmp_path):
    out = tmp_path / "wheel.csv"
    words = ["--stop", "0.6", "--every", "5", "--vars", "*.r_0*,*.q*,tyre.penetration", "--out", out, "--quiet"]
    done(tenon("simulate", ROOT / "examples" / "braked_wheel.toml", *words))
    done(tenon("view", out, "--quiet"))
    (road,) = read_json(tmp_path / "wheel.scene.json")["roads"]
    data = columns(out)
    with chromium.Chromium() as browser:
        browser.open(tmp_path / "wheel.html")
        # How far the wheel is above the drawn surface, at the row of points nearest to it, over the first two bumps.
        below = """((time) => {
          tenon.player.seek(time);
          const { view } = tenon;
          const wheel = view.machines[0].byName.get("wheel").group.position;
          const rows = view.machines[0].roads[0].children[0].geometry.attributes.position;
          let best = 0;
          for (let i = 0; i < rows.count; ++i) if (Math.abs(rows.getX(i) - wheel.x) < Math.abs(rows.getX(best) - wheel.x)) best = i;
          return [rows.count, wheel.x, rows.getX(best), wheel.z - rows.getZ(best)];
        })"""
        heights = road["surface"][2::3]
        assert max(heights) > 0.29 and min(heights) == 0  # the ramp to 0.3 m
        for row in [0, 40, 59, 60, 61, len(data["time"]) - 1]:
            count, x, near, height = browser.value(f"{below}({data['time'][row]!r})")
            assert count == road["rows"] * road["columns"] and x == pytest.approx(data["wheel.r_0[1]"][row], abs=1e-5)
            assert abs(near - x) < 0.2
            # The radius less the penetration; the row beside is at most 0.2 m away on a slope of at most 0.05.
            assert height == pytest.approx(0.33 - data["tyre.penetration"][row], abs=0.01)
        # On a road one is beside the machine and moves along: the road's lines are in the picture and the wheel in its middle.
        middle = browser.value("tenon.view.stage.controls.target.x")
        assert abs(middle - data["wheel.r_0[1]"][-1]) < 0.5
        browser.screenshot(SCREENSHOTS / "road.png")
        browser.key("d")
        browser.screenshot(SCREENSHOTS / "road_dark.png")
        quiet(browser)
