"""FMUs that are against the letter and do no harm: run, with the numbers of the plain FMU, noted, and refused with --strict."""

import io
import itertools
import os
import random
import re
import struct
import subprocess
import zipfile

import fmpy
import numpy
import pytest
from conftest import done, read_json, tenon
from systems import FMUS, csv_columns, run, write

DESCRIPTION = "modelDescription.xml"


def content(name="vanderpol", version=2):
    with zipfile.ZipFile(FMUS / f"{name}.{version}.fmu") as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def library(entries):
    return next(name for name, _ in entries if name.endswith(".so"))


def packed(entries, comment=b"", zip64=False, streamed=False, extra=b""):
    """A zip file as odd as is asked for."""
    raw = io.BytesIO()

    class Pipe(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            return raw.write(data)

    with zipfile.ZipFile(Pipe() if streamed else raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment
        for name, data in entries:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = (0o40755 << 16 | 0x10) if name.endswith("/") else 0o100644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith("/") else zipfile.ZIP_DEFLATED
            info.extra = extra
            with archive.open(info, "w", force_zip64=zip64) as entry:
                entry.write(data)
    return raw.getvalue()


# ---- quirks: each changes the entries of an FMU, or how they are packed -----------------------------------------------------


def in_description(change):
    def changed(entries, version):
        return [(name, change(data.decode("latin-1"), version).encode("latin-1") if name == DESCRIPTION else data)
                for name, data in entries]
    return changed


def encoded(name, codec, text):
    def changed(entries, version):
        def convert(data):
            xml = data.decode().replace('encoding="UTF-8"', f'encoding="{name}"')
            return xml.replace("a foreign FMU for the tests", text).encode(codec)
        return [(entry, convert(data) if entry == DESCRIPTION else data) for entry, data in entries]
    return changed


def dotted(entries, version):
    return [("./" + name, data) for name, data in entries]


def doubled(entries, version):
    return entries + [entries[0]]


def dot_at_the_end(entries, version):
    return entries + [("resources/notes.", b"x")]


def folders(entries, version):
    return [("resources/", b""), *entries, ("binaries/", b""), ("resources/deep/", b"")]


def renamed(identifier):
    def changed(entries, version):
        old = library(entries)
        new = old[: old.rfind("/") + 1] + identifier + ".so"
        entries = [(new if name == old else name, data) for name, data in entries]
        return in_description(lambda xml, _: re.sub('modelIdentifier="[^"]*"', f'modelIdentifier="{identifier}"', xml))(
            entries, version)
    return changed


def other_case(entries, version):
    old = library(entries)
    return [(old[: old.rfind("/") + 1] + "VanDerPol.so" if name == old else name, data) for name, data in entries]


def without_structure(xml, version):
    return re.sub("<ModelStructure>.*</ModelStructure>", "<ModelStructure/>", xml, flags=re.S)


def out_of_order(xml, version):
    if version == 3:
        return re.sub("(<Output .*?/>)(.*?)(<Output .*?/>)", r"\3\2\1", xml, count=1, flags=re.S)
    return xml.replace('<Unknown index="2"', '<Unknown index="0"', 1)


def without_starts(xml, version):
    return re.sub(' start="[^"]*"', "", xml)


def start_on_calculated(xml, version):
    return (xml.replace('name="der(x0)"', 'name="der(x0)" start="1.0"') if version == 3
            else re.sub(r'(name="der\(x0\)"[^>]*>\s*<Real)', r'\1 start="1.0"', xml))


def broken_bounds(xml, version):
    return (xml.replace('name="mu"', 'name="mu" min="1.2" max="INF"') if version == 3
            else re.sub(r'(name="mu"[^>]*>\s*<Real)', r'\1 min="1.2" max="INF"', xml))


def undefined_unit(xml, version):
    return (xml.replace('name="mu"', 'name="mu" unit="furlong" displayUnit="mile"') if version == 3
            else re.sub(r'(name="mu"[^>]*>\s*<Real)', r'\1 unit="furlong" displayUnit="mile"', xml))


def large_truth(xml, version):
    return xml.replace('canHandleVariableCommunicationStepSize="true"', 'canHandleVariableCommunicationStepSize="True"')


ENTRIES = {  # name: (change, rule)
    "latin-1": (encoded("ISO-8859-1", "latin-1", "Größe"), "description-encoding"),
    "latin-1-ascii": (encoded("iso-8859-1", "latin-1", "plain"), "description-encoding"),
    "windows-1252": (encoded("windows-1252", "cp1252", "5 € – Größe"), "description-encoding"),
    "us-ascii": (encoded("US-ASCII", "ascii", "plain"), "description-encoding"),
    "utf-16": (encoded("UTF-16", "utf-16", "Größe"), "description-encoding"),
    "dot-slash": (dotted, "archive-name"),
    "duplicate": (doubled, "archive-duplicate"),
    "dot-at-the-end": (dot_at_the_end, "archive-name-dot"),
    "folders": (folders, None),
    "hyphen": (renamed("van-der.pol 2"), "model-identifier"),
    "other-case": (other_case, "library-name"),
    "no-structure": (in_description(without_structure), "outputs"),
    "structure-order": (in_description(out_of_order), "structure-bounds"),
    "no-starts": (in_description(without_starts), "start-missing"),
    "start-calculated": (in_description(start_on_calculated), "start-forbidden"),
    "bounds": (in_description(broken_bounds), "start-range"),
    "unit": (in_description(undefined_unit), "unit-undefined"),
    "capital-truth": (in_description(large_truth), "boolean"),
}
PACKING = {
    "comment": ({"comment": b"made by hand"}, None),
    "zip64": ({"zip64": True}, "archive-version"),
    "streamed": ({"streamed": True}, None),
    "extra": ({"extra": struct.pack("<HHI", 0x5455, 4, 0)}, None),
}
ONE_OF = [{"latin-1", "latin-1-ascii", "windows-1252", "us-ascii", "utf-16"}, {"hyphen", "other-case"}]


def odd(folder, quirks, version, name="odd.fmu"):
    """Vanderpol with these quirks. The encoding is changed last."""
    entries = content("vanderpol", version)
    options = {}
    for quirk in sorted(quirks, key=lambda q: (q in ("dot-slash", "duplicate"), q in ONE_OF[0], q)):
        if quirk in ENTRIES:
            entries = ENTRIES[quirk][0](entries, version)
        else:
            options.update(PACKING[quirk][0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)  # of a name that is there twice
        (folder / name).write_bytes(packed(entries, **options))
    return folder / name


def results(folder, file, name="out.csv", *words):
    system = write(folder, f'[system]\nname = "s"\n[[fmu]]\nname = "a"\nfile = "{file}"\nset = {{ mu = 1.5 }}\n'
                   "[master]\nstep = 0.01\nstop = 1.0\n")
    done(run(system, "--out", folder / name, "--vars", "*.x0,*.x1", "--json", folder / "summary.json", *words))
    return (folder / name).read_bytes().split(b"\n", 3)[-1], csv_columns(folder / name)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    found = {}
    for version in (2, 3):
        folder = tmp_path_factory.mktemp(f"plain{version}")
        found[version] = results(folder, FMUS / f"vanderpol.{version}.fmu")[0]
        assert read_json(folder / "summary.json")["deviations"] == []
    return found


def rules(folder):
    return [one["rule"] for fmu in read_json(folder / "summary.json")["deviations"] for one in fmu["findings"]]


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("quirk", [*ENTRIES, *PACKING])
def test_each_quirk_runs_with_the_numbers_of_the_plain_fmu(tmp_path, plain, quirk, version):
    rule = {**ENTRIES, **PACKING}[quirk][1]
    if quirk == "structure-order" and version == 3:
        rule = None  # the order is free there
    file = odd(tmp_path, {quirk}, version)
    assert results(tmp_path, file)[0] == plain[version]
    found = rules(tmp_path)
    assert rule in found if rule else not found
    strict = tenon("info", file, "--strict")
    assert strict.returncode == (65 if rule else 0), strict.stderr
    check = tenon("check", file, "--static", "--json", tmp_path / "check.json")
    assert check.returncode == 0, check.stdout
    said = {one["rule"] for one in read_json(tmp_path / "check.json")["findings"] if one["severity"] == "warning"}
    assert set(found) <= said


def test_thirty_combinations_of_quirks_run_with_the_same_numbers(tmp_path, plain):
    choice = random.Random(16)
    for number in range(30):
        quirks = set(choice.sample([*ENTRIES, *PACKING], choice.randint(2, 8)))
        for group in ONE_OF:
            for extra in sorted(quirks & group)[1:]:
                quirks.discard(extra)
        version = 2 + number % 2
        file = odd(tmp_path, quirks, version)
        assert results(tmp_path, file)[0] == plain[version], quirks
        expected = {{**ENTRIES, **PACKING}[quirk][1] for quirk in quirks - {"structure-order"}} - {None}
        if "no-starts" in quirks:
            expected.discard("start-range")  # nothing to be out of range
        if "no-structure" in quirks:
            expected.discard("structure-bounds")
        assert expected <= set(rules(tmp_path)), quirks


def test_fmpy_finds_the_same_where_it_reads_the_file(tmp_path):
    for quirk, version in itertools.product(["latin-1", "dot-at-the-end", "comment", "zip64", "no-starts"], (2, 3)):
        file = odd(tmp_path, {quirk}, version)
        ours = results(tmp_path, file)[1]
        theirs = fmpy.simulate_fmu(str(file), validate=False, start_values={"mu": 1.5}, output=["x0", "x1"], stop_time=1.0,
                                   step_size=0.01, output_interval=0.01)
        assert numpy.abs(ours["a.x0"] - theirs["x0"]).max() < 1e-9, quirk


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("name, rule", [("odd-lacking", "symbol-missing"), ("odd-borrowed", "symbol-borrowed")])
def test_libraries_with_functions_missing_or_borrowed_run(tmp_path, plain, name, rule, version):
    file = FMUS / f"{name}.{version}.fmu"
    assert results(tmp_path, file)[0] == plain[version]
    assert rules(tmp_path)[:1] == [rule]
    assert results(tmp_path, file, "isolated.csv", "--isolate")[0] == plain[version]
    strict = tenon("info", file, "--strict")
    assert strict.returncode == 65 and "export" in strict.stderr


@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_that_takes_python_from_its_process_gets_the_library_of_the_python_on_the_path(tmp_path, plain, version, monkeypatch):
    for folder in ("bin", "lib"):
        (tmp_path / folder).mkdir()
    (tmp_path / "bin" / "python3.99").touch()
    (tmp_path / "bin" / "python3").symlink_to("python3.99")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    source, file = tmp_path / "python.c", FMUS / f"odd-python.{version}.fmu"

    def make_python(text):
        source.write_text(text)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "lib" / "libpython3.99.so.1.0", source], check=True)

    make_python("char _Py_NoneStruct; int Py_IsInitialized(void) { return 0; }")
    assert results(tmp_path, file)[0] == plain[version]
    assert "symbol-python" in rules(tmp_path)
    done(tenon("check", file, "--only", "reset"))
    make_python("char _Py_NoneStruct;")
    system = write(tmp_path, f'[system]\nname = "s"\n[[fmu]]\nname = "a"\nfile = "{file}"\n[master]\nstep = 0.1\nstop = 0.1\n')
    refused = run(system)
    assert refused.returncode == 65 and "Py_IsInitialized" in refused.stderr and "libpython3" in refused.stderr


@pytest.mark.parametrize("version", [2, 3])
def test_a_missing_function_is_refused_where_it_is_needed_and_named(tmp_path, version):
    def system(name):
        return write(tmp_path, f'[system]\nname = "s"\n[[fmu]]\nname = "a"\nfile = "{FMUS}/odd-{name}.{version}.fmu"\n'
                     "[master]\nstep = 0.01\nstop = 0.1\n")

    result = run(system("lacking"), "--checkpoint", tmp_path / "x.ckpt")  # it says that it has states
    assert result.returncode == 64 and "cannot write its state" in result.stderr
    done(run(system("lacking-strings"), "--out", tmp_path / "x.csv", "--vars", "a.float64_out"))
    for words in ((), ("--isolate",)):
        result = run(system("lacking-strings"), "--set", "a.string_in=x", *words)
        assert result.returncode == 70, result.stderr
        assert f"fmi{version}SetString, which is needed" in result.stderr


def test_a_run_says_in_one_line_what_is_against_the_letter_and_strict_refuses_it(tmp_path):
    file = odd(tmp_path, {"latin-1", "dot-slash", "unit"}, 2)
    system = write(tmp_path, f'[system]\nname = "s"\n[[fmu]]\nname = "wheel"\nfile = "{file}"\n[master]\nstep = 0.1\nstop = 0.1\n')
    lines = [line for line in run(system).stdout.splitlines() if "against the letter" in line]
    assert len(lines) == 1 and lines[0].startswith("fmu 'wheel' (odd.fmu): ")
    strict = run(system, "--strict")
    assert strict.returncode == 65 and "fmu 'wheel'" in strict.stderr and strict.stderr.count("\n") == 1
    assert "entry" in strict.stderr or "./" in strict.stderr
    done(tenon("check", file, "--static"))
    assert tenon("check", file, "--static", "--strict").returncode == 65


# ---- what stays refused --------------------------------------------------------------------------------------------------------


def test_a_library_of_fmi_2_that_calls_its_types_otherwise_is_run(tmp_path, plain):
    entries = content("vanderpol", 2)
    place = library(entries)
    assert b"\0default\0" in dict(entries)[place]
    changed = [(n, d.replace(b"\0default\0", b"\0standrd\0") if n == place else d) for n, d in entries]
    (tmp_path / "odd.fmu").write_bytes(packed(changed))
    assert results(tmp_path, tmp_path / "odd.fmu")[0] == plain[2]
    done(tenon("check", tmp_path / "odd.fmu", "--only", "reset"))


def twice(xml, version):
    return xml.replace('name="x1"', 'name="x0"')


def same_reference(xml, version):
    return xml.replace('name="x1" valueReference="2"', 'name="x1" valueReference="1"').replace('derivative="2"', 'derivative="1"')


HOSTILE = {
    "leaves the folder": (lambda entries, _: entries + [("./../evil", b"x")], "'..'"),
    "two contents": (lambda entries, _: entries + [(entries[0][0], b"other")], "twice"),
    "identifier is a path": (in_description(lambda xml, _: xml.replace('modelIdentifier="', 'modelIdentifier="../')), "modelIdentifier"),
    "bytes of another encoding": (lambda entries, _: [(n, d.replace(b"foreign", b"for\xffeign")) for n, d in entries], "UTF-8"),
    "unknown encoding": (in_description(lambda xml, _: xml.replace("UTF-8", "UTF-7")), "utf-7"),
    "names twice": (in_description(twice), "used twice"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_hostile_or_impossible_stays_refused_by_run_info_and_check(tmp_path, case):
    change, words = HOSTILE[case]
    for version in (2, 3):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("warnings.warn", lambda *_, **__: None)
            (tmp_path / "bad.fmu").write_bytes(packed(change(content("vanderpol", version), version)))
        system = write(tmp_path, '[[fmu]]\nname = "a"\nfile = "bad.fmu"\n')
        for result in (run(system), tenon("info", tmp_path / "bad.fmu"), tenon("check", tmp_path / "bad.fmu", "--static")):
            assert result.returncode == 65
            assert words in result.stderr + result.stdout


def test_value_references_that_collide_in_fmi_3_are_refused(tmp_path):
    (tmp_path / "bad.fmu").write_bytes(packed(in_description(same_reference)(content("vanderpol", 3), 3)))
    for result in (run(write(tmp_path, '[[fmu]]\nname = "a"\nfile = "bad.fmu"\n')), tenon("info", tmp_path / "bad.fmu")):
        assert result.returncode == 65 and "value reference 1 is that of 'x0' as well" in result.stderr


def test_300000_variables_are_read_and_checked(tmp_path):
    variables = "".join(f'<ScalarVariable name="v.a[{i}]" valueReference="{i}" causality="parameter" variability="fixed">'
                        f'<Real start="{i}.5" unit="m"/></ScalarVariable>\n' for i in range(1, 300_001))
    xml = ('<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g" '
           'variableNamingConvention="structured"><CoSimulation modelIdentifier="m"/><UnitDefinitions><Unit name="m">'
           f'<BaseUnit m="1"/></Unit></UnitDefinitions><ModelVariables>{variables}</ModelVariables><ModelStructure/>'
           "</fmiModelDescription>")
    (tmp_path / "large.fmu").write_bytes(packed([(DESCRIPTION, xml.encode()), ("sources/m.c", b"")]))
    done(tenon("check", tmp_path / "large.fmu", "--static", "--json", tmp_path / "check.json"))
    assert read_json(tmp_path / "check.json")["errors"] == 0
