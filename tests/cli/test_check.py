"""`check`: exit codes, the report for people and the one for programs."""

import signal
import subprocess
import zipfile

import pytest

from conftest import TENON, done, read_json, refused, tenon, wait_for

FMUS = TENON.parent / "fmus"  # tests/fmus, built

DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="empty" guid="1">
  <CoSimulation modelIdentifier="empty"/>
  <ModelVariables><ScalarVariable name="k" valueReference="0" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable></ModelVariables>
  <ModelStructure/>
</fmiModelDescription>
"""


def archive(path, **entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in entries.items():
            file.writestr(name, text)
    return path


@pytest.fixture
def mac_fmu(tmp_path):
    """An FMU that cannot run here."""
    return archive(tmp_path / "empty.fmu", **{"modelDescription.xml": DESCRIPTION, "binaries/darwin64/empty.dylib": "x"})


def rules(summary, severity):
    return [finding["rule"] for finding in summary["findings"] if finding["severity"] == severity]


def test_a_good_fmu_passes_and_says_so():
    result = done(tenon("check", FMUS / "oscillator.3.fmu"))
    assert "oscillator, FMI 3.0" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("passed: 0 errors")
    assert result.stderr == ""
    assert "\x1b" not in result.stdout


def test_errors_are_exit_code_65_and_come_first():
    result = tenon("check", FMUS / "misbehave-derivatives.2.fmu")
    assert "misbehave-derivatives.2.fmu: 2 errors" in refused(result, 65)
    lines = result.stdout.splitlines()
    assert lines[1].startswith("error    derivative-wrong")
    assert lines[2].strip() == "derivatives are taken at the current point, with the current inputs"
    assert lines[-1].startswith("failed: 2 errors")


def test_notes_and_the_list_of_checks_are_for_verbose():
    fmu = FMUS / "gain.2.fmu"
    assert "note " not in done(tenon("check", fmu)).stdout
    verbose = done(tenon("check", fmu, "--verbose")).stdout
    assert "note     glibc-version" in verbose
    assert "a restored state continues bit for bit" in verbose
    assert "left out  the FMU does not claim to have event mode" in verbose


def test_quiet_says_nothing_about_a_good_fmu():
    assert done(tenon("check", FMUS / "gain.2.fmu", "--quiet")).stdout == ""


def test_a_hanging_fmu_is_a_finding_in_all_reports(tmp_path):
    report = tmp_path / "report.json"
    refused(tenon("check", FMUS / "misbehave-hang.3.fmu", "--timeout", "0.5", "--json", report), 65)
    summary = read_json(report)
    assert summary["status"] == "failed"
    assert rules(summary, "error") == ["hang"]
    hang = next(finding for finding in summary["findings"] if finding["rule"] == "hang")
    assert hang["message"] == "no answer within 0.5 s, while fmi3DoStep(t = 0.4, h = 0.1) was under way"
    assert hang["hint"]


def test_json_has_counts_findings_and_checks(tmp_path):
    report = tmp_path / "report.json"
    done(tenon("check", FMUS / "gain.3.fmu", "--json", report))
    summary = read_json(report)
    assert summary["status"] == "done"
    assert summary["message"] == ""
    assert summary["model"] == "gain"
    assert summary["fmi_version"] == "3.0"
    assert summary["errors"] == 0
    assert summary["notes"] == len(rules(summary, "note")) > 0
    names = [check["name"] for check in summary["checks"]]
    assert names[:5] == ["archive", "description", "binaries", "load", "run"]
    assert {"rollback", "forbidden-calls", "memory"} < set(names)


def test_json_on_standard_output_is_alone_there():
    result = done(tenon("check", "--static", FMUS / "gain.3.fmu", "--json", "-"))
    assert result.stdout.startswith("{")
    assert "passed" not in result.stdout


def test_static_runs_nothing(tmp_path):
    report = tmp_path / "report.json"
    done(tenon("check", FMUS / "misbehave-segfault.2.fmu", "--static", "--json", report))
    assert [check["name"] for check in read_json(report)["checks"]] == ["archive", "description", "binaries"]


def test_only_makes_one_check(tmp_path):
    report = tmp_path / "report.json"
    done(tenon("check", FMUS / "misbehave-reset.2.fmu", "--only", "token", "--json", report))
    names = [check["name"] for check in read_json(report)["checks"]]
    assert names == ["archive", "description", "binaries", "load", "run", "token", "resources"]
    assert "reset-differs" in tenon("check", FMUS / "misbehave-reset.2.fmu", "--only", "reset").stdout


def test_an_unknown_check_is_bad_usage():
    assert "did you mean 'rollback'?" in refused(tenon("check", FMUS / "gain.2.fmu", "--only", "rolback"), 64)


def test_an_fmu_for_another_system_is_checked_as_far_as_it_goes(mac_fmu):
    result = done(tenon("check", mac_fmu, "--verbose"))
    assert "there is no library for this machine" in result.stdout


def test_a_check_that_ran_nothing_says_so(mac_fmu, tmp_path):
    report = tmp_path / "report.json"
    last = done(tenon("check", mac_fmu, "--json", report)).stdout.splitlines()[-1]
    assert last.startswith("passed, but nothing was run (") and "there is no library for this machine" in last
    assert read_json(report)["ran"] is False and "no library" in read_json(report)["not_run"]
    last = done(tenon("check", "--static", FMUS / "gain.3.fmu")).stdout.splitlines()[-1]
    assert last.startswith("passed, but nothing was run (only the file was looked at): 0 errors")


def test_json_says_that_the_fmu_was_run(tmp_path):
    report = tmp_path / "report.json"
    done(tenon("check", FMUS / "gain.3.fmu", "--only", "token", "--json", report))
    assert read_json(report)["ran"] is True and read_json(report)["not_run"] == ""


def test_broken_files_are_exit_code_65_with_the_reason(tmp_path):
    text = tmp_path / "text.fmu"
    text.write_text("no archive")
    assert "text.fmu: not a zip archive" in refused(tenon("check", text), 65)
    assert "1 error" in refused(tenon("check", archive(tmp_path / "empty.fmu", **{"a.txt": ""})), 65)


def test_models_and_systems_are_sent_to_the_verbs_that_check_them(model):
    report = model.folder / "report.json"
    answer = tenon("check", model.path, "--json", report)
    assert f"'tenon info {model.path}' checks it" in refused(answer, 65) and answer.stdout == ""
    assert read_json(report)["status"] == "failed" and "tenon export" in read_json(report)["message"]
    system, saved = model.folder / "system.toml", model.folder / "saved.ssp"
    system.write_text('[[fmu]]\nname = "press"\nfile = "press.toml"\n')
    done(tenon("run", system, "--save", saved, "--no-run", "--quiet"))
    for file in [system, saved]:
        assert f"'tenon run {file} --no-run'" in refused(tenon("check", file), 65)


def test_a_missing_file_is_exit_code_66(tmp_path):
    report = tmp_path / "report.json"
    assert "nowhere.fmu" in refused(tenon("check", tmp_path / "nowhere.fmu", "--json", report), 66)
    assert read_json(report)["status"] == "failed"


@pytest.mark.parametrize("words", [["--timeout", "0"], ["--timeout", "soon"], ["--memory", "-1"], ["--quick"]])
def test_bad_options_are_exit_code_64(words, mac_fmu):
    refused(tenon("check", mac_fmu, *words), 64)


def test_json_does_not_write_over_the_fmu(mac_fmu):
    before = mac_fmu.read_bytes()
    refused(tenon("check", mac_fmu, "--json", mac_fmu), 64)
    assert mac_fmu.read_bytes() == before


def test_an_interrupt_ends_the_check_and_leaves_nothing_behind(tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = [TENON, "check", FMUS / "misbehave-hang.2.fmu"]
    process = subprocess.Popen(command, env={"TMPDIR": str(folder)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: any(folder.glob("*/children/child-[3-9]")), "the run that hangs")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in errors
    assert list(folder.iterdir()) == []


def test_the_report_for_the_supplier_is_one_page_in_which_nothing_of_the_fmu_acts(tmp_path):
    hostile = DESCRIPTION.replace('modelName="empty"', 'modelName="&lt;script&gt;alert(1)&lt;/script&gt;&amp;"')
    path = archive(tmp_path / "x.fmu", **{"modelDescription.xml": hostile, "binaries/darwin64/empty.dylib": "x"})
    done(tenon("check", path, "--html", tmp_path / "report.html"))
    html = (tmp_path / "report.html").read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in html
    assert "<script" not in html and "http" not in html and "src=" not in html
    refused(tenon("check", FMUS / "misbehave-derivatives.2.fmu", "--html", tmp_path / "report.html"), 65)
    html = (tmp_path / "report.html").read_text()
    assert "Errors (2)" in html and "derivative-wrong" in html and "What was checked" in html


def test_a_check_ends_with_its_budget(tmp_path):
    report = tmp_path / "report.json"
    tenon("check", FMUS / "misbehave-hang.3.fmu", "--budget", "1", "--json", report)
    summary = read_json(report)
    assert summary["wall_seconds"] < 25 and "left-out" in rules(summary, "note")
