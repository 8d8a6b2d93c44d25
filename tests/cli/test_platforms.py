"""FMUs on Windows (by wine) and ARM (by qemu): the same numbers as on Linux, and states that go from one to another.

`make platforms` runs this file over all examples (TENON_ALL_EXAMPLES); otherwise over a handful."""

import os
import pathlib
import sys
import zipfile
from xml.etree import ElementTree

import numpy
import pytest
from conftest import ROOT, done, refused, tenon

sys.path.append(str(ROOT / "tests" / "platforms"))
from hosts import EXTENSIONS, FOLDERS, PLATFORMS, Host, missing  # noqa: E402

ALL = bool(os.environ.get("TENON_ALL_EXAMPLES"))
EXAMPLES = (
    sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))
    if ALL
    else ["double_pendulum", "four_revolutes", "ports_flanges"]
)
STEPS = 40
SAVED = 20

# Against Linux, of the largest value that the output has in the run. libm is another one on each platform: sin, cos, exp and
# pow may differ in the last bit.
LIMIT = 1e-12


class Packed:
    """An exported FMU, unpacked for one platform: its library alone, so that the resources are found by their address."""

    def __init__(self, file, version, folder):
        self.version, self.folder = version, folder
        with zipfile.ZipFile(file) as archive:
            archive.extractall(folder / "Motor größer")
        root = ElementTree.parse(folder / "Motor größer" / "modelDescription.xml").getroot()
        self.identifier = root.find("CoSimulation").get("modelIdentifier")
        self.token = root.get("guid") or root.get("instantiationToken")
        self.step = float(root.find("DefaultExperiment").get("stepSize"))
        self.outputs = []
        self.counts = []  # the number of iterations is not the machine's motion
        for variable in root.find("ModelVariables"):
            real = variable.find("Real") is not None or variable.tag == "Float64"
            if variable.get("causality") == "output" and real:
                count = 1
                for dimension in variable.findall("Dimension"):
                    count *= int(dimension.get("start"))
                self.counts += [variable.get("name") == "solver.iterations"] * count
                self.outputs.append(f"real {variable.get('valueReference')} {count}")

    def library(self, platform):
        where = self.folder / "Motor größer" / "binaries" / FOLDERS[platform, self.version]
        return where / (self.identifier + EXTENSIONS[platform])

    def plan(self, name, host, *, moved=True, save=None, restore=None):
        library = self.library(host.platform)
        resources = self.folder / "Motor größer" / "resources"
        if moved:  # away from its FMU
            elsewhere = self.folder / host.platform
            elsewhere.mkdir(exist_ok=True)
            (elsewhere / library.name).write_bytes(library.read_bytes())
            library = elsewhere / library.name
        lines = [f"version {self.version}", f"library {host.path(library)}", f"token {self.token}",
                 f"step {self.step!r}", f"steps {STEPS}", f"every {SAVED}", *self.outputs]  # fmt: skip
        if moved:
            address = host.uri(resources) if self.version == "2" else host.path(resources)
            lines.append(f"resources {address}")
        if save:
            lines.append(f"save {host.path(save)} {SAVED}")
        if restore:
            lines.append(f"restore {host.path(restore)} {SAVED}")
        plan = self.folder / f"{name}-{host.platform}.plan"
        plan.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return plan


@pytest.fixture(scope="session")
def hosts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hosts")
    known = {}

    def host(platform):
        if lacks := missing(platform):
            pytest.skip(f"{platform} cannot be run here: no {lacks}")
        if platform not in known:
            known[platform] = Host(platform, folder)
        return known[platform]

    return host


@pytest.fixture(scope="session")
def packed(tmp_path_factory):
    """Every example in both versions, for all platforms that the command has."""
    known = {}

    def make(name, version):
        if (name, version) not in known:
            folder = tmp_path_factory.mktemp(f"{name}{version}")
            file = folder / "machine.fmu"
            done(tenon("export", ROOT / "examples" / f"{name}.toml", "--fmi", version, "-o", file, "--quiet"))
            known[name, version] = Packed(file, version, folder)
        return known[name, version]

    return make


@pytest.fixture(scope="session")
def linux(hosts, packed):
    """What each FMU prints on Linux, and the state that it saves on the way: linux(name, version)."""
    known = {}

    def run(name, version):
        if (name, version) not in known:
            fmu = packed(name, version)
            host = hosts("linux64")
            state = fmu.folder / "linux64.state"
            (rows,) = host.run([fmu.plan("saving", host, save=state)])
            known[name, version] = numpy.array(rows), state
        return known[name, version]

    return run


def available(fmu, platform):
    if not fmu.library(platform).exists():
        pytest.skip(f"the command was built without libraries for {platform}")
    return fmu


def difference(fmu, rows, expected):
    """The largest difference of an output of its largest value (or of 1, where all are smaller), and its column."""
    rows = numpy.array(rows)
    assert rows.shape == expected.shape
    relative = numpy.abs(rows - expected).max(axis=0) / numpy.maximum(1, numpy.abs(expected).max(axis=0))
    relative[1:][numpy.array(fmu.counts)] = 0
    return relative.max(), int(relative.argmax())


@pytest.mark.parametrize("platform", [p for p in PLATFORMS if p != "linux64"])
@pytest.mark.parametrize("version", ["2", "3"])
def test_every_platform_gives_the_numbers_of_linux_and_takes_its_states(version, platform, hosts, packed, linux):
    host = hosts(platform)
    fmus = {name: available(packed(name, version), platform) for name in EXAMPLES}
    plans = []
    for name, fmu in fmus.items():
        plans.append(fmu.plan("saving", host, save=fmu.folder / f"{platform}.state"))
        plans.append(fmu.plan("restoring", host, restore=linux(name, version)[1]))
        plans.append(fmu.plan("in place", host, moved=False))
    results = host.run(plans)  # one start of the emulator for all
    here = hosts("linux64")
    worst = {}
    for i, (name, fmu) in enumerate(fmus.items()):
        expected = linux(name, version)[0]
        there, restored, in_place = results[3 * i : 3 * i + 3]
        assert in_place == there, name
        (back,) = here.run([fmu.plan("back", here, restore=fmu.folder / f"{platform}.state")])
        worst[name] = max(
            difference(fmu, there, expected),
            difference(fmu, restored, expected[1:]),  # begins at the saved state
            difference(fmu, back, expected[1:]),
        )
    print("\n".join(f"{platform} FMI {version} {name}: {value:.1e}" for name, (value, _) in worst.items()))
    assert {name: value for name, (value, _) in worst.items() if value > LIMIT} == {}


def entries(fmu):
    with zipfile.ZipFile(fmu) as archive:
        return {pathlib.PurePosixPath(name).parts[1] for name in archive.namelist() if name.startswith("binaries/")}


def test_platforms_chooses_the_libraries_that_are_packed(tmp_path):
    model = ROOT / "examples" / "double_pendulum.toml"
    done(tenon("export", model, "--platforms", "linux64", "-o", tmp_path / "one.fmu"))
    assert entries(tmp_path / "one.fmu") == {"linux64"}
    everything = done(tenon("export", model, "--fmi", "3", "-o", tmp_path / "all.fmu"))
    there = entries(tmp_path / "all.fmu")
    for platform in PLATFORMS:
        is_there = FOLDERS[platform, "3"] in there
        assert (f"Not for {platform}: install g++-" in everything.stdout) == (not is_there)
        result = tenon("export", model, "--platforms", platform, "-o", tmp_path / "chosen.fmu")
        if is_there:
            done(result)
            assert entries(tmp_path / "chosen.fmu") == {FOLDERS[platform, "2"]}
        else:
            assert f"was built without libraries for {platform}; install" in refused(result, 64)


def test_an_unknown_platform_is_refused_with_the_one_that_was_meant(tmp_path):
    model = ROOT / "examples" / "double_pendulum.toml"
    line = refused(tenon("export", model, "--platforms", "linux64,win46", "-o", tmp_path / "x.fmu"), 64)
    assert "no platform 'win46' (did you mean 'win64'?); there are linux64, win64, aarch64" in line
    assert not (tmp_path / "x.fmu").exists()
