"""Saved SSPs in other tools: FMPy's schema and reader, libcosim's run."""

import pathlib
import zipfile

import fmpy.ssp
import fmpy.ssp.ssd
import lxml.etree
import pytest
from conftest import done
from systems import FMUS, connection, csv_columns, fmu, run, write

SCHEMAS = pathlib.Path(fmpy.ssp.__file__).parent / "schema"

PAIR = (
    '[system]\nname = "pair"\n'
    + fmu("a", "oscillator.2.fmu", "set = { k = 12.5 }")
    + fmu("b", "oscillator.2.fmu")
    + connection("a.x", "b.F", "suppress_unit_conversion = true")
    + connection("b.x", "a.F", "factor = 0.5\nsuppress_unit_conversion = true")
    + '[master]\nmethod = "jacobi"\nstep = 0.01\nstop = 0.1\n'
)


@pytest.fixture
def saved(tmp_path):
    done(run(write(tmp_path, PAIR), "--save", tmp_path / "pair.ssp", "--out", tmp_path / "out.csv"))
    return tmp_path / "pair.ssp"


@pytest.mark.parametrize(
    "entry, schema",
    [("SystemStructure.ssd", "SystemStructureDescription.xsd"), ("resources/a.ssv", "SystemStructureParameterValues.xsd")],
)
def test_what_is_saved_follows_the_schema_of_ssp_1_0(saved, entry, schema):
    document = lxml.etree.fromstring(zipfile.ZipFile(saved).read(entry))
    rules = lxml.etree.XMLSchema(lxml.etree.parse(str(SCHEMAS / schema)))
    assert rules.validate(document), rules.error_log


def test_fmpy_reads_a_saved_system(saved):
    system = fmpy.ssp.ssd.read_ssd(str(saved)).system
    assert [element.name for element in system.elements] == ["a", "b"]
    ends = {(c.startElement, c.startConnector, c.endElement, c.endConnector) for c in system.connections}
    assert ends == {("a", "x", "b", "F"), ("b", "x", "a", "F")}


def test_libcosim_runs_a_saved_system_to_the_same_numbers(saved, tmp_path):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver

    zipfile.ZipFile(saved).extractall(tmp_path / "folder")
    execution = CosimExecution.from_ssp_file(ssp_path=str(tmp_path / "folder"), step_size=10_000_000)
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)
    assert execution.step(10)
    mine = csv_columns(tmp_path / "out.csv")
    for name in ("a", "b"):
        number = execution.slave_index_from_instance_name(name)
        values = observer.last_real_values(slave_index=number, variable_references=[1, 2])
        assert values == pytest.approx([mine[f"{name}.x"][-1], mine[f"{name}.v"][-1]], rel=1e-12)


def test_joints_between_fmus_for_another_machine_can_be_saved(tmp_path):
    with zipfile.ZipFile(FMUS / "flywheel.2.fmu") as given, zipfile.ZipFile(tmp_path / "wheel.fmu", "w") as changed:
        for name in given.namelist():
            changed.writestr(name.replace("linux64/", "win64/").replace("flywheel.so", "flywheel.dll"), given.read(name))
    joint = '[[joint]]\nname = "shaft"\ntype = "fixed"\na = "one/shaft"\nb = "other/shaft"\n'
    system = tmp_path / "system.toml"
    system.write_text("".join(f'[[fmu]]\nname = "{name}"\nfile = "wheel.fmu"\n' for name in ("one", "other")) + joint)
    answer = done(run(system, "--save", tmp_path / "wheels.ssp", "--no-run"))
    assert "wheels.ssp" in answer.stdout
    assert zipfile.is_zipfile(tmp_path / "wheels.ssp")
