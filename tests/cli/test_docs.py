"""The commands of docs/getting-started.md, docs/tutorial.md, docs/users/vehicle.md and README.md, typed in their order, do and print what the pages say; links of all pages lead somewhere."""

import os
import re
import shlex
import shutil
import subprocess

import pytest
from conftest import ROOT, TENON, done, tenon

# How long something took differs from machine to machine, the size of a library from compiler to compiler.
TIME = re.compile(r"((?:wall time +|notes in ))[0-9.]+ (s|ms|us)\b.*")
SIZE = re.compile(r"[0-9.]+ MB unpacked")


def sessions(text):
    """Each "    $ command" of the page and the lines of its answer."""
    found = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif found and (line.startswith("    ") or not line):
            found[-1][1].append(line[4:])
        else:
            found.append(("", []))  # prose ends an answer
    return [(command, lines) for command, lines in found if command]


def comparable(text):
    return SIZE.sub("SIZE", TIME.sub(r"\1TIME", text.strip()))


def type_commands(text, folder):
    for command, lines in sessions(text):
        words = shlex.split(command)
        assert words[0] == "tenon"
        answer = tenon(*words[1:], cwd=folder)  # one of them fails on purpose
        shown, printed = comparable("\n".join(lines)), comparable(answer.stdout + answer.stderr)
        if shown.endswith("\n..."):
            assert printed.startswith(shown.removesuffix("...")), (command, answer.stdout)
        else:
            assert printed == shown, (command, answer.stdout)


def test_getting_started_shows_what_is_printed(tmp_path):
    done(tenon("new", "swing", cwd=tmp_path))
    done(tenon("simulate", "swing.toml", "--out", "swing.csv", "--quiet", cwd=tmp_path))
    page = (ROOT / "docs" / "getting-started.md").read_text()
    assert len(sessions(page)) >= 9
    type_commands(page, tmp_path)


def test_the_tutorial_shows_what_is_printed(tmp_path):
    page = (ROOT / "docs" / "tutorial.md").read_text()
    assert len(sessions(page)) >= 12
    _, driven, before, torque, after = re.split(r"```(?:toml)?\n", page)  # the model, and what replaces its driver
    model = tmp_path / "pump.toml"
    model.write_text(driven)
    type_commands(before, tmp_path)
    head, tail = driven[: driven.index("[[driver]]")], driven[driven.index("[solver]") :]
    model.write_text(head + torque + "\n" + tail)
    type_commands(after, tmp_path)


def test_the_commands_for_vehicles_work_as_they_stand(tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for folder in ["build", "bin"]:
        (tmp_path / folder).mkdir()
    (tmp_path / "build" / "fmi").symlink_to(ROOT / "build" / "fmi")
    (tmp_path / "bin" / "tenon").symlink_to(TENON)
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    commands = [command for command, _ in sessions((ROOT / "docs" / "users" / "vehicle.md").read_text())]
    assert len(commands) >= 6
    for command in commands:
        answer = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
        assert answer.returncode == 0, (command, answer.stderr)
    for name in ["iltis.html", "drive.csv", "glued.csv"]:
        assert (tmp_path / name).stat().st_size > 1e5, name


def test_the_commands_of_the_readme_work_as_they_stand(tmp_path):
    section = (ROOT / "README.md").read_text().split("## Eight commands")[1].split("\n## ")[0]
    commands = [line for line in section.splitlines() if line.startswith("    tenon ")]
    assert len(commands) == 8
    for command in commands:
        done(tenon(*shlex.split(command, comments=True)[1:], cwd=tmp_path))
    for name in ["swing.csv", "parts/system.toml", "upper.fmu", "glued.csv", "glued.png", "glued.svg"]:
        assert (tmp_path / name).exists(), name


def anchors(page):
    """The anchors that a forge makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "README.md").read_text()
    for page in ROOT.glob("docs/**/*.md"):
        name = page.relative_to(ROOT / "docs")
        assert name.parts[0] == "integrators" or name.name == "README.md" or f"({name})" in index, name
