"""Exported FMUs in tools that are not ours: FMPy, libcosim and ecos, and the rules of the package."""

import ctypes
import hashlib
import pathlib
import platform
import shutil
import subprocess
import sys
import zipfile

import fmpy
import fmpy.validation
import numpy
import pytest
from conftest import ROOT, done, read_csv, read_json, refused, tenon
from lxml import etree

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))
SCHEMAS = pathlib.Path(fmpy.__file__).parent / "schema"
STEPS = 30
HERE = "aarch64" if platform.machine() == "aarch64" else "linux64"  # other platforms: test_platforms.py


@pytest.fixture(scope="session")
def fmus(tmp_path_factory):
    """Every example in both versions: fmus(name, version) is the file."""
    folder = tmp_path_factory.mktemp("fmus")

    def make(name, version):
        path = folder / f"{name}.{version}.fmu"
        if not path.exists():
            words = ["--fmi", version, "--platforms", HERE, "-o", path, "--quiet"]
            done(tenon("export", ROOT / "examples" / f"{name}.toml", *words))
        return path

    return make


@pytest.fixture(scope="session")
def simulated(tmp_path_factory):
    """Results of `tenon simulate` over STEPS steps: names, and values row by row."""
    folder = tmp_path_factory.mktemp("simulated")
    known = {}

    def run(name, step):
        if (name, step) not in known:
            path = folder / f"{name}.csv"
            model = ROOT / "examples" / f"{name}.toml"
            done(tenon("simulate", model, "--stop", repr(STEPS * step), "--out", path, "--quiet"))
            names, rows = read_csv(path)
            known[name, step] = names, numpy.array(rows, dtype=float)
        return known[name, step]

    return run


def scalars(result):
    """Columns of a result of FMPy by scalar name."""
    columns = {}
    for name in result.dtype.names:
        values = result[name]
        for index in numpy.ndindex(values.shape[1:]):
            suffix = "[" + ",".join(str(i + 1) for i in index) + "]" if index else ""
            columns[name + suffix] = values[(slice(None), *index)]
    return columns


def step_of(description):
    return float(description.defaultExperiment.stepSize)


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_fmpy_validates_and_simulates_to_the_same_digits(fmus, simulated, name, version):
    path = fmus(name, version)
    assert fmpy.validation.validate_fmu(str(path)) == []
    description = fmpy.read_model_description(str(path))
    step = step_of(description)
    outputs = [v.name for v in description.modelVariables if v.causality == "output"]
    result = fmpy.simulate_fmu(
        str(path), stop_time=STEPS * step, step_size=step, output_interval=step, output=outputs
    )
    names, rows = simulated(name, step)
    columns = scalars(result)
    assert set(names) - {"time"} == set(columns) - {"time"}
    assert len(result) == len(rows)
    for i, column in enumerate(names):
        if column != "time":
            assert numpy.array_equal(columns[column], rows[:, i]), column


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_our_own_check_finds_no_errors(fmus, name, version):
    done(tenon("check", fmus(name, version)))


@pytest.mark.parametrize("name", ["double_pendulum", "bricard", "cart", "ports_flanges"])
def test_libcosim_gives_the_same_digits(fmus, simulated, name):
    path = fmus(name, "2")
    step = step_of(fmpy.read_model_description(str(path)))
    names, rows = simulated(name, step)
    script = f"""
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave
execution = CosimExecution.from_step_size({round(step * 1e9)})
slave = execution.add_local_slave(CosimLocalSlave(fmu_path={str(path)!r}, instance_name="machine"))
observer = CosimObserver.create_last_value()
execution.add_observer(observer)
execution.step({STEPS})
for v in execution.slave_variables(slave):
    if v.type == 0 and v.name.decode() != "time":
        print(v.name.decode(), repr(observer.last_real_values(slave, [v.reference])[0]))
"""
    lines = foreign(script)
    found = {line.split()[0]: float(line.split()[1]) for line in lines if len(line.split()) == 2}
    for i, column in enumerate(names):
        if column != "time":
            assert found[column] == rows[-1, i], column


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", ["double_pendulum", "ports_flanges"])
def test_ecos_gives_the_same_digits(fmus, simulated, name, version):
    path = fmus(name, version)
    step = step_of(fmpy.read_model_description(str(path)))
    names, rows = simulated(name, step)
    wanted = ["energy.kinetic", "energy.total", "constraint.position"]
    script = f"""
from ecospy import EcosSimulation, EcosSimulationStructure
with EcosSimulationStructure() as structure:
    structure.add_model("machine", {str(path)!r})
    with EcosSimulation(structure=structure, step_size={step!r}) as simulation:
        simulation.init()
        for i in range({STEPS}):
            simulation.step()
        for name in {wanted!r}:
            print("value", name, repr(simulation.get_real("machine::" + name)))
"""
    found = {line.split()[1]: float(line.split()[2]) for line in foreign(script) if line.startswith("value ")}
    for column in wanted:
        assert found[column] == rows[-1, names.index(column)], column


def foreign(script):
    """Lines that a script prints in a Python of its own: a foreign library that dies takes no other test along."""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, (result.stdout[-2000:], result.stderr[-2000:])
    return result.stdout.splitlines()


@pytest.mark.parametrize("version", ["2", "3"])
def test_terminals_validate_with_the_schema_of_the_standard(fmus, version):
    archive = zipfile.ZipFile(fmus("ports_flanges", version))
    schema = etree.XMLSchema(etree.parse(str(SCHEMAS / "fmi3" / "fmi3TerminalsAndIcons.xsd")))
    terminals = etree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    schema.assertValid(terminals)
    kinds = {t.get("name"): t.get("terminalKind") for t in terminals.find("Terminals")}
    assert kinds == {
        "mount": "dev.tenon.joint.frame3d",
        "tip": "dev.tenon.joint.frame3d",
        "drive": "dev.tenon.joint.flangeRot",
    }
    description = etree.fromstring(archive.read("modelDescription.xml"))
    names = {element.get("name") for element in description.find("ModelVariables")}
    for member in terminals.iter("TerminalMemberVariable"):
        assert member.get("variableName") in names
    icons = {g.get("iconBaseName") for g in terminals.iter("TerminalGraphicalRepresentation")}
    for icon in icons:
        assert archive.read(f"terminalsAndIcons/{icon}.png").startswith(b"\x89PNG")
    schema = etree.XMLSchema(etree.parse(str(SCHEMAS / "fmi3" / "fmi3LayeredStandardManifest.xsd")))
    assert archive.read("extra/dev.tenon.joint/fmi-ls-manifest.xml")


@pytest.mark.parametrize("version", ["2", "3"])
def test_the_archive_keeps_to_the_rules_and_is_the_same_every_time(tmp_path, version):
    files = [tmp_path / "a.fmu", tmp_path / "b.fmu"]
    for file in files:
        done(tenon("export", ROOT / "examples" / "cart.toml", "--fmi", version, "-o", file))
    digests = {hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    assert len(digests) == 1
    names = set()
    for info in zipfile.ZipFile(files[0]).infolist():
        assert info.compress_type in (0, 8)
        assert info.extract_version <= 20
        assert info.flag_bits & ~0x806 == 0
        assert info.extra == b""
        assert info.external_attr >> 16 in (0, 0o100644)
        assert not info.filename.startswith((".", "/")) and "\\" not in info.filename
        names.add(info.filename.lower())
    assert len(names) == len(zipfile.ZipFile(files[0]).infolist())
    assert {"modeldescription.xml", "documentation/index.html", "documentation/licenses/license.txt"} <= names
    assert ("model.png" if version == "2" else "terminalsandicons/icon.png") in names
    assert "resources/model.toml" in names and "resources/scene.json" in names


@pytest.mark.parametrize("version", ["2", "3"])
def test_binaries_and_read_only_resources_are_enough(fmus, tmp_path, version):
    """FMPy unpacks no more than these; nothing is written there."""
    folder = tmp_path / "only these"
    with zipfile.ZipFile(fmus("double_pendulum", version)) as archive:
        for name in archive.namelist():
            if name.startswith(("binaries/", "resources/")) or name == "modelDescription.xml":
                archive.extract(name, folder)
    before = sorted((p, p.stat().st_mtime_ns) for p in folder.rglob("*"))
    (folder / "resources").chmod(0o500)
    description = fmpy.read_model_description(str(folder))
    result = fmpy.simulate_fmu(str(folder), model_description=description, stop_time=0.05)
    assert len(result) > 5
    (folder / "resources").chmod(0o700)
    assert sorted((p, p.stat().st_mtime_ns) for p in folder.rglob("*")) == before


@pytest.mark.parametrize("start", [-2.0, 1e4])
@pytest.mark.parametrize("version", ["2", "3"])
def test_other_start_times_move_the_same(fmus, version, start):
    path = str(fmus("double_pendulum", version))
    zero = scalars(fmpy.simulate_fmu(path, start_time=0, stop_time=0.1, step_size=0.01, output_interval=0.01))
    other = scalars(
        fmpy.simulate_fmu(path, start_time=start, stop_time=start + 0.1, step_size=0.01, output_interval=0.01)
    )
    assert numpy.allclose(other["time"] - start, zero["time"], atol=1e-9)
    assert numpy.allclose(other["lower.r_0[1]"], zero["lower.r_0[1]"], rtol=0, atol=1e-7)


@pytest.mark.parametrize("version", ["2", "3"])
def test_the_integrator_is_a_parameter(fmus, version):
    path = str(fmus("double_pendulum", version))
    run = lambda number: fmpy.simulate_fmu(  # noqa: E731
        path, stop_time=0.5, step_size=0.01, output_interval=0.01, start_values={"solver.integrator": number},
        output=["energy.total", "solver.iterations"],
    )  # fmt: skip
    energies = {number: run(number)["energy.total"][-1] for number in range(1, 11)}
    assert len(set(energies.values())) > 5, energies
    assert abs(energies[5]) < 1e-9 < abs(energies[8])  # energy-preserving, baumgarte


def test_input_derivatives_sent_through_fmpy_raise_the_order(fmus, tmp_path):
    """A torque 5 t: with its rate the FMU follows it within a step, without it takes stairs."""
    from fmpy.fmi2 import FMU2Slave

    path = str(fmus("ports_flanges", "2"))
    description = fmpy.read_model_description(path)
    reference = {v.name: v.valueReference for v in description.modelVariables}
    folder = fmpy.extract(path, unzipdir=tmp_path / "fmu")

    def run(step, derivatives):
        fmu = FMU2Slave(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=str(folder),
            instanceName="arm",
        )
        fmu.instantiate()
        fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        for i in range(round(0.4 / step)):
            fmu.setReal([reference["drive.tau"]], [5 * i * step])
            if derivatives:
                one = (ctypes.c_uint * 1)(reference["drive.tau"])
                fmu.fmi2SetRealInputDerivatives(fmu.component, one, 1, (ctypes.c_int * 1)(1), (ctypes.c_double * 1)(5.0))
            fmu.doStep(i * step, step)
        angle = fmu.getReal([reference["shaft.angle"]])[0]
        fmu.terminate()
        fmu.freeInstance()
        return angle

    exact = run(0.001, True)
    assert abs(run(0.05, True) - exact) < 0.01 * abs(run(0.05, False) - exact)


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_hundred_loads_and_unloads_leave_nothing_behind(fmus, tmp_path, version):
    folder = tmp_path / "unpacked"
    zipfile.ZipFile(fmus("double_pendulum", version)).extractall(folder)
    library = next((folder / "binaries").rglob("*.so"))
    (tmp_path / "empty.c").write_text("int nothing(void) { return 0; }\n")
    empty = tmp_path / "empty.so"
    subprocess.run(["gcc", "-shared", "-fPIC", str(tmp_path / "empty.c"), "-o", str(empty)], check=True)
    script = """
import ctypes, _ctypes, sys
def resident():
    return int(open("/proc/self/statm").read().split()[1])
for i in range(100):
    for mode in (ctypes.RTLD_LOCAL, ctypes.RTLD_GLOBAL):
        handle = ctypes.CDLL(LIBRARY, mode=mode)
        _ctypes.dlclose(handle._handle)
        assert LIBRARY not in open("/proc/self/maps").read(), "still there after dlclose"
    if i == 20:
        before = resident()
print(resident() - before)
"""
    pages = [int(foreign(f"LIBRARY = {str(file)!r}\n{script}")[-1]) for file in (library, empty)]
    assert pages[0] < pages[1] + 40, pages  # what Python itself keeps of a load is not ours


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_hundred_thousand_steps_do_not_grow(fmus, version):
    script = f"""
import fmpy, fmpy.fmi2, fmpy.fmi3
path = {str(fmus("double_pendulum", version))!r}
description = fmpy.read_model_description(path)
folder = fmpy.extract(path)
make = fmpy.fmi2.FMU2Slave if {version} == 2 else fmpy.fmi3.FMU3Slave
fmu = make(guid=description.guid, modelIdentifier=description.coSimulation.modelIdentifier, unzipDirectory=folder)
fmu.instantiate()
if {version} == 2:
    fmu.setupExperiment(startTime=0.0)
fmu.enterInitializationMode()
fmu.exitInitializationMode()
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4
reference = [v.valueReference for v in description.modelVariables if v.name == "energy.total"]
for i in range(100000):
    fmu.doStep(i * 1e-4, 1e-4)
    (fmu.getReal if {version} == 2 else fmu.getFloat64)(reference)
    if i == 10000:
        before = resident()
assert resident() - before < 200, (before, resident())
fmu.terminate()
fmu.freeInstance()
print("ok")
"""
    assert foreign(script)[-1] == "ok"


def test_nothing_is_printed_and_the_environment_is_passed_back(fmus, tmp_path):
    """A host in C's clothes: the callback structure is gone after instantiation, the logger gets its own pointer."""
    folder = tmp_path / "host"
    zipfile.ZipFile(fmus("double_pendulum", "2")).extractall(folder)
    library = next((folder / "binaries").rglob("*.so"))
    token = fmpy.read_model_description(str(folder)).guid
    script = f"""
import ctypes
lib = ctypes.CDLL({str(library)!r})
LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
seen = []
logger = LOGGER(lambda env, name, status, category, form, text: seen.append((env, name, status, category, form, text)))
class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p),
                ("finished", ctypes.c_void_p), ("environment", ctypes.c_void_p)]
callbacks = Callbacks(logger, None, None, None, 0x1234)
lib.fmi2Instantiate.restype = ctypes.c_void_p
uri = {(folder / "resources").as_uri()!r}.encode()
component = lib.fmi2Instantiate(b"100% #1", 1, {token!r}.encode(), uri, ctypes.byref(callbacks), 0, 1)
assert component
ctypes.memset(ctypes.byref(callbacks), 0xff, ctypes.sizeof(callbacks))  # gone
assert lib.fmi2DoStep(ctypes.c_void_p(component), ctypes.c_double(0), ctypes.c_double(1), 0) == 3
env, name, status, category, form, text = seen[-1]
assert (env, name, status, category, form) == (0x1234, b"100% #1", 3, b"logStatusError", b"%s"), seen[-1]
assert b"fmi2DoStep is not allowed" in text
for bad in (None, b"", b"another"):
    assert not lib.fmi2Instantiate(b"x", 1, bad, uri, None, 0, 0)
assert lib.fmi2Instantiate(b"x", 1, {token!r}.encode(), None, None, 0, 0)   # found beside the library
assert lib.fmi2Instantiate(b"x", 1, {token!r}.encode(), b"http://nowhere/", None, 0, 0)
lib.fmi2FreeInstance(ctypes.c_void_p(component))
lib.fmi2FreeInstance(None)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "form", ["file:{}", "file://{}", "file://localhost{}", "file:////{}", "{}", "file://{}/", "nonsense"]
)
def test_resource_locations_that_importers_send(fmus, tmp_path, form):
    folder = tmp_path / "Prüf stand+%"
    zipfile.ZipFile(fmus("double_pendulum", "2")).extractall(folder)
    library = ctypes.CDLL(str(next((folder / "binaries").rglob("*.so"))))
    library.fmi2Instantiate.restype = ctypes.c_void_p
    path = (folder / "resources").as_uri().removeprefix("file://") if "file" in form else str(folder / "resources")
    token = fmpy.read_model_description(str(folder)).guid.encode()
    component = library.fmi2Instantiate(b"x", 1, token, form.format(path).encode(), None, 0, 0)
    assert component
    library.fmi2FreeInstance(ctypes.c_void_p(component))


def test_export_says_what_it_wrote(model):
    out = model.folder / "press.fmu"
    result = done(tenon("export", model.path, "-o", out, "--json", model.folder / "s.json"))
    assert "press.fmu" in result.stdout and "tenon check" in result.stdout
    summary = read_json(model.folder / "s.json")
    assert summary["status"] == "done" and summary["fmi"] == "2.0"
    assert done(tenon("export", model.path, "-o", out, "--quiet")).stdout == ""


def test_export_refuses_what_cannot_be(model):
    assert "--fmi must be 2 or 3" in refused(tenon("export", model.path, "--fmi", "1"), 64)
    assert "nowhere.toml" in refused(tenon("export", model.folder / "nowhere.toml"), 66)
    refused(tenon("export", model.path, "-o", model.folder / "no" / "where.fmu"), 73)
    model.change("mass = 1.0", "mass = -1.0")
    out = model.folder / "press.fmu"
    assert "press.toml:" in refused(tenon("export", model.path, "-o", out, "--json", model.folder / "s.json"), 65)
    assert not out.exists()
    assert read_json(model.folder / "s.json")["status"] == "failed"


def test_two_exports_have_the_same_bytes_and_are_sound_archives(model):
    files = [model.folder / name for name in ("one.fmu", "two.fmu")]
    for file in files:
        done(tenon("export", model.path, "-o", file))
    assert files[0].read_bytes() == files[1].read_bytes()
    with zipfile.ZipFile(files[0]) as archive:
        assert archive.testzip() is None
        assert all(entry.extract_version <= 20 and entry.extra == b"" for entry in archive.infolist())


def test_export_never_leaves_half_an_fmu(model):
    out = model.folder / "press.fmu"
    done(tenon("export", model.path, "-o", out))
    good = out.read_bytes()
    model.change("axis = [0.0, 1.0, 0.0]", "axis = [0.0, 0.0, 0.0]")
    refused(tenon("export", model.path, "-o", out), 65)
    assert out.read_bytes() == good
    assert sorted(p.name for p in model.folder.iterdir()) == ["press.fmu", "press.toml"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler")
def test_a_host_with_conflicting_symbols_does_not_disturb(fmus, tmp_path):
    """Symbols of C++ and of FMI that the host has too must not take the place of the FMU's own."""
    folder = tmp_path / "fmu"
    zipfile.ZipFile(fmus("double_pendulum", "2")).extractall(folder)
    library = next((folder / "binaries").rglob("*.so"))
    source = tmp_path / "host.c"
    source.write_text(
        """
#include <dlfcn.h>
#include <stdio.h>
const char* fmi2GetVersion(void) { return "hijacked"; }
void* _Znwm(unsigned long n) { (void)n; return 0; }
void _ZdlPv(void* p) { (void)p; }
int main(int argc, char** argv) {
    (void)argc;
    for (int mode = 0; mode < 2; ++mode) {
        void* lib = dlopen(argv[1], (mode ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
        if (!lib) { puts(dlerror()); return 1; }
        const char* (*version)(void) = (const char* (*)(void))dlsym(lib, "fmi2GetVersion");
        void* (*make)(const char*, int, const char*, const char*, void*, int, int) =
            (void* (*)(const char*, int, const char*, const char*, void*, int, int))dlsym(lib, "fmi2Instantiate");
        void (*release)(void*) = (void (*)(void*))dlsym(lib, "fmi2FreeInstance");
        puts(version());
        void* c = make("x", 1, argv[2], 0, 0, 0, 0);
        puts(c ? "made" : "not made");
        release(c);
        dlclose(lib);
    }
    return 0;
}
"""
    )
    host = tmp_path / "host"
    subprocess.run(["gcc", "-rdynamic", str(source), "-o", str(host), "-ldl"], check=True)
    token = fmpy.read_model_description(str(folder)).guid
    result = subprocess.run([str(host), str(library), token], capture_output=True, text=True, timeout=60)
    assert result.stdout.splitlines() == ["2.0", "made", "2.0", "made"], result


@pytest.mark.parametrize("name", ["ports_flanges", "double_pendulum"])
def test_scalars_are_the_elements_of_the_arrays(tmp_path, name):
    """FMI 3.0 without arrays: the names of FMI 2.0, value references from 1 on without a gap, the same numbers."""
    results = []
    for words in (["--fmi", "3"], ["--fmi", "3", "--scalars"]):
        path = tmp_path / f"{len(words)}.fmu"
        done(tenon("export", ROOT / "examples" / f"{name}.toml", *words, "--platforms", HERE, "-o", path))
        description = fmpy.read_model_description(str(path), validate=True)
        references = [variable.valueReference for variable in description.modelVariables]
        assert references == list(range(1, len(references) + 1))
        step = float(description.defaultExperiment.stepSize)
        outputs = [v.name for v in description.modelVariables if v.causality == "output"]
        results.append(scalars(fmpy.simulate_fmu(
            str(path), stop_time=STEPS * step, output_interval=step, output=outputs, fmi_type="CoSimulation"
        )))  # fmt: skip
        if "--scalars" in words:
            assert not any(variable.dimensions for variable in description.modelVariables)
            assert "-scalars" in description.instantiationToken
    arrays, elements = results
    assert set(elements) == set(arrays)
    for column, values in elements.items():
        numpy.testing.assert_array_equal(values, arrays[column], err_msg=column)
    result = tenon("check", tmp_path / "3.fmu")
    assert done(result).stdout.splitlines()[-1].startswith("passed: 0 errors, 0 warnings")
    assert "--scalars is for --fmi 3" in refused(tenon("export", ROOT / "examples" / f"{name}.toml", "--scalars"), 64)


@pytest.mark.parametrize("method, metric", [("conserving-projection", "mass"), ("projection", "tangent")])
def test_options_of_an_fmu_have_the_defaults_of_its_own_integrator(tmp_path, method, metric):
    model, fmu = tmp_path / "model.toml", tmp_path / "model.fmu"
    text = (ROOT / "examples" / "spring_pendulum.toml").read_text()
    model.write_text("\n".join(line for line in text.splitlines() if not line.startswith("integrator")).replace("[solver]", f'[solver]\nintegrator = "{method}"'))
    done(tenon("export", model, "-o", fmu))
    root = etree.fromstring(zipfile.ZipFile(fmu).read("modelDescription.xml"))
    start = root.find(".//ScalarVariable[@name='solver.metric']/Enumeration").get("start")
    words = [item.get("name") for item in root.findall(".//SimpleType[@name='Metric']/Enumeration/Item") if item.get("value") == start]
    assert words == [metric]
