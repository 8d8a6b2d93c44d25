"""Bad model files: one clear line with file and line, exit code 65, and nothing written."""

import zipfile

import pytest
from conftest import MODEL, json_summary, refused, tenon

DISTANCE_JOINT = """
[[joint]]
name = "stay"
type = "distance"
bodies = ["world", "rod"]
points = [[0.7, 0.0, 1.0], [0.7, 0.0, 0.0]]
length = %s

[solver]"""


def check(model, verb="simulate"):
    """Refused as bad input; returns the message."""
    out, summary = model.folder / "out.csv", model.folder / "summary.json"
    words = ["--out", out, "--json", summary] if verb == "simulate" else []
    line = refused(tenon(verb, model.path, *words), 65)
    assert str(model.path) in line
    assert len(line) < 1500
    if verb == "simulate":
        content = json_summary(summary)
        assert content["status"] == "failed" and content["message"] == line.removeprefix("tenon: ")
        summary.unlink()
    assert [p.name for p in model.folder.iterdir()] == ["press.toml"]
    return line


def place(model, text):
    return f"press.toml:{model.line_of(text)}:"


# What is changed in the good model, what the message must say, and the text in the line that it must point at.
CASES = {
    "unknown key": ("mass = 1.0", "masss = 1.0", ["masss", "'mass'"], "masss"),
    "unknown table": ("[[force]]", "[[spring]]", ["spring"], "[[spring]]"),
    "key of another type": ("axis = [0.0, 1.0, 0.0]", "pitch = 1.0\naxis = [0.0, 1.0, 0.0]", ["pitch"], "pitch"),
    "wrong type": ("mass = 1.0", 'mass = "heavy"', ["mass"], "heavy"),
    "boolean for a number": ("mass = 1.0", "mass = true", ["mass"], "true"),
    "short vector": ("com = [0.1, 0.0, 0.0]", "com = [0.1, 0.0]", ["com"], "com = [0.1, 0.0]"),
    "table once too often": ("[[force]]", "[force]", ["force"], "[force]"),
    "missing key": ("mass = 1.0\n", "", ["mass", "crank"], None),
    "missing body": ('bodies = ["crank", "rod"]', 'bodies = ["krank", "rod"]', ["krank", "'crank'"], "krank"),
    "unknown joint type": ('type = "revolute"', 'type = "revolut"', ["revolut", "'revolute'"], "revolut\""),
    "unknown force type": ('type = "spring_damper"', 'type = "spring"', ["spring"], 'type = "spring"'),
    "negative mass": ("mass = 1.0", "mass = -1.0", ["mass", "-1"], "mass = -1.0"),
    "inertia against the triangle inequality": (
        "inertia = [0.001, 0.004, 0.004]", "inertia = [0.001, 0.004, 0.04]", ["crank", "inertia"], "0.04]"),
    "inertia not positive": (
        "inertia = [0.001, 0.004, 0.004]", "inertia = [0.001, 0.004, 0.004, 0.1, 0, 0]", ["crank", "inertia"], "0.1, 0, 0]"),
    "zero axis": ("axis = [0.0, 1.0, 0.0]", "axis = [0.0, 0.0, 0.0]", ["bearing", "axis"], "axis = [0.0, 0.0, 0.0]"),
    "NaN": ("mass = 1.0", "mass = nan", ["mass"], "mass = nan"),
    "infinite": ("position = [0.2, 0.0, 0.0]", "position = [0.2, inf, 0.0]", ["position"], "inf"),
    "a number beyond double": ("mass = 1.0", "mass = 1e999", ["1e999"], "1e999"),
    "name used twice": ('name = "rod"', 'name = "crank"', ["crank"], None),
    "name of another kind of element": ('name = "coil"', 'name = "pin"', ["pin"], None),
    "taken name": ('name = "coil"', 'name = "energy"', ["energy"], 'name = "energy"'),
    "name with a space": ('name = "coil"', 'name = "my coil"', ["my coil"], "my coil"),
    "joint of a body with itself": ('bodies = ["crank", "rod"]', 'bodies = ["rod", "rod"]', ["pin"], '["rod", "rod"]'),
    "unknown integrator": ('"projection"', '"projektion"', ["projektion", "'projection'"], "projektion"),
    "unknown option": ("step = 0.001", "stepp = 0.001", ["stepp", "'step'"], "stepp"),
    "zero step": ("step = 0.001", "step = 0.0", ["step"], "step = 0.0"),
    "negative stop": ("stop = 0.1", "stop = -0.1", ["stop"], "stop = -0.1"),
    "plural of a table": ("[[body]]", "[[bodies]]", ["bodies", "[[body]]"], "[[bodies]]"),
    "points of a spring that coincide": (
        "points = [[0.7, 0.0, 0.5], [0.7, 0.0, 0.0]]", "points = [[0.7, 0.0, 0.5], [0.7, 0.0, 0.5]]", ["coil", "points"], "points ="),
    "values beyond all measure": ("mass = 1.0", "mass = 1e308", ["not finite"], None),
    "too many steps": ("step = 0.001", "step = 1e-30", ["too many steps"], "step ="),
    "word of an option": (
        'integrator = "projection"', 'integrator = "munthe-kaas"\nstabilisation = 1', ["stabilisation", "none"], "stabilisation"),
    "option out of its range": ('integrator = "projection"', 'integrator = "gauss-newmark"\nrho = 2', ["rho", "2"], None),
    "option of another integrator": ("step = 0.001", "rho = 1\nstep = 0.001", ["rho", "gauss-newmark"], "rho"),
    "not TOML": ("[model]", "[model", [], None),
    "another word for the world": ('bodies = ["world", "crank"]', 'bodies = ["ground", "crank"]', ["'world'"], '"ground"'),
    "round brackets": ("at = [0.2, 0.0, 0.0]", "at = (0.2, 0.0, 0.0)", ["square brackets"], "at = (0.2"),
    "semicolons": ("at = [0.2, 0.0, 0.0]", "at = [0.2; 0.0; 0.0]", ["commas"], "at = [0.2;"),
    "a comment of another language": ("mass = 1.0", "mass = 1.0 // kg", ["begins with #"], "// kg"),
    "the same key twice": ("mass = 1.0", "mass = 1.0\nmass = 2.0", ["mass"], "mass = 2.0"),
}  # fmt: skip


@pytest.mark.parametrize("old, new, words, at", CASES.values(), ids=CASES.keys())
def test_a_mistake_is_answered_with_file_line_and_name(model, old, new, words, at):
    model.change(old, new)
    line = check(model)
    for word in words:
        assert word in line, line
    if at:
        assert place(model, at) in line, line


@pytest.mark.parametrize(
    "old, new",
    [pytest.param(old, new, id=name) for name, (old, new, _, _) in CASES.items()
     if name not in ("too many steps", "values beyond all measure")],
)  # fmt: skip
def test_info_refuses_the_same(model, old, new):
    model.change(old, new)
    check(model, "info")


def test_a_closure_violated_by_much_names_joint_and_gap(model):
    model.change("[solver]", DISTANCE_JOINT.lstrip() % "1.5")
    line = check(model)
    assert "stay" in line and "0.5" in line


def test_a_closure_violated_by_little_is_assembled_and_reported(model):
    model.change("[solver]", DISTANCE_JOINT.lstrip() % "1.002")
    summary = model.folder / "summary.json"
    result = tenon("simulate", model.path, "--json", summary)
    assert result.returncode == 0, result.stderr
    assert "corrected" in result.stdout and "stay" in result.stdout
    assert json_summary(summary)["start_position_correction"] == pytest.approx(0.002, rel=0.5)


def test_inconsistent_velocities_name_the_joint(model):
    model.change("position = [0.2, 0.0, 0.0]", "position = [0.2, 0.0, 0.0]\nvelocity = [1.0, 0.0, 0.0]")
    assert "pin" in check(model)


def test_a_body_without_inertia_that_is_free_to_turn_is_named(model):
    model.change("inertia = [0.0005, 0.0105, 0.0105]", "inertia = [0.0, 0.0, 0.0]")
    model.change("com = [0.25, 0.0, 0.0]", "com = [0.0, 0.0, 0.0]")
    assert "rod" in check(model)


def test_an_empty_file(model):
    model.path.write_text("")
    assert "bod" in check(model)


JOINTS = {
    "screw without pitch": ("screw", "at = [0.7, 0, 0]\naxis = [0, 1, 0]\npitch = 0", "pitch"),
    "universal with parallel axes": ("universal", "at = [0.7, 0, 0]\naxis = [0, 1, 0]\naxis2 = [0, 2, 0]", "parallel"),
    "universal with oblique axes": ("universal", "at = [0.7, 0, 0]\naxis = [0, 1, 0]\naxis2 = [1, 2, 0]", "right angles"),
    "wheel without radius": ("rolling", "normal = [0, 0, 1]\naxis = [0, 1, 0]\nradius = 0", "radius"),
    "wheel that lies flat": ("rolling", "normal = [0, 0, 1]\naxis = [0, 0, 1]\nradius = 1", "parallel"),
    "rod without length": ("distance", "points = [[0.7, 0, 0], [0.7, 0, 0]]", "differ"),
}


@pytest.mark.parametrize("kind, keys, word", JOINTS.values(), ids=JOINTS.keys())
def test_an_impossible_joint_is_named(model, kind, keys, word):
    model.change("[solver]", f'[[joint]]\nname = "extra"\ntype = "{kind}"\nbodies = ["world", "rod"]\n{keys}\n\n[solver]')
    line = check(model)
    assert "'extra'" in line and word in line


def test_an_fmu_for_a_model(model):
    with zipfile.ZipFile(model.path, "w") as archive:
        archive.writestr("modelDescription.xml", "<fmiModelDescription/>")
    assert "FMU" in check(model, "simulate")
    assert "fmiVersion is missing" in check(model, "info")  # which reads FMUs, this one too


def test_a_system_for_a_model(model):
    model.path.write_text('[system]\nname = "s"\n[[fmu]]\nname = "a"\nfile = "a.fmu"\n')
    assert "tenon run" in check(model)


def test_invalid_utf_8(model):
    model.path.write_bytes(MODEL.replace("crank_press", "cr\0nk").encode().replace(b"\0", b"\xe4"))
    assert "UTF-8" in check(model)


def test_lines_that_end_with_a_carriage_return_alone(model):
    model.path.write_bytes(MODEL.replace("\n", "\r").encode())
    assert "carriage return" in check(model)


def test_control_characters_in_a_name_are_shown_not_sent(model):
    model.change('name = "coil"', 'name = "c\\u001b[2Joil"')
    assert "\\x1b" in check(model)


@pytest.mark.parametrize(
    "junk",
    [
        b"\0" * 20_000_000,
        b"a" * 20_000_000,
        b"[[body]]\n" * 2_200_000,
        b"x = [" + b"1," * 9_999_990 + b"1]",
        b'x = "' + b"a" * 20_000_000 + b'"',
        bytes(range(256)) * 80_000,
        b"# nothing\n" * 2_000_000,
    ],
    ids=["zeros", "letters", "tables", "numbers", "text", "bytes", "comments"],
)
def test_20_mb_of_junk(model, junk):
    model.path.write_bytes(junk)
    check(model)


@pytest.mark.parametrize(
    "junk",
    [
        b"x = " + b"[" * 100_000,
        b"x = " + b"[" * 100_000 + b"]" * 100_000,
        b"x = " + b"{a=" * 100_000 + b"1" + b"}" * 100_000,
        b"[" + b".".join([b"a"] * 100_000) + b"]\n",
        b".".join([b"a"] * 100_000) + b" = 1\n",
    ],
    ids=["open arrays", "arrays", "tables", "table name", "key"],
)
def test_deep_nesting(model, junk):
    model.path.write_bytes(junk)
    check(model)
