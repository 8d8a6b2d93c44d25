"""The commands of docs/getting-started.md and of README.md, typed in their order, do and print what the pages say."""

import re
import shlex

from conftest import ROOT, done, tenon

# How long something took differs from machine to machine.
TIME = re.compile(r"((?:wall time +|notes in ))[0-9.]+ (s|ms|us)\b.*")


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


def without_times(text):
    return TIME.sub(r"\1TIME", text.strip())


def test_getting_started_shows_what_is_printed(tmp_path):
    done(tenon("new", "swing", cwd=tmp_path))
    done(tenon("simulate", "swing.toml", "--out", "swing.csv", "--quiet", cwd=tmp_path))
    pages = sessions((ROOT / "docs" / "getting-started.md").read_text())
    assert len(pages) >= 9
    for command, lines in pages:
        words = shlex.split(command)
        assert words[0] == "tenon"
        answer = tenon(*words[1:], cwd=tmp_path)  # one of them fails on purpose
        shown, printed = without_times("\n".join(lines)), without_times(answer.stdout + answer.stderr)
        if shown.endswith("\n..."):
            assert printed.startswith(shown.removesuffix("...")), (command, answer.stdout)
        else:
            assert printed == shown, (command, answer.stdout)


def test_the_first_example_of_the_readme_works_as_it_stands(tmp_path):
    section = (ROOT / "README.md").read_text().split("## Ten lines")[1].split("\n## ")[0]
    commands = [line for line in section.splitlines() if line.startswith("    tenon ")]
    assert len(commands) == 8
    for command in commands:
        done(tenon(*shlex.split(command, comments=True)[1:], cwd=tmp_path))
    for name in ["swing.csv", "parts/system.toml", "upper.fmu", "glued.csv", "glued.png", "glued.svg"]:
        assert (tmp_path / name).exists(), name
