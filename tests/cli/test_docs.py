"""The commands of docs/getting-started.md, typed in its order, print what the page says."""

import re
import shlex

from conftest import ROOT, done, tenon

# How long something took differs from machine to machine.
TIME = re.compile(r"\b[0-9.]+ (s|ms|us)\b")


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
    return TIME.sub("TIME", text.strip())


def test_getting_started_shows_what_is_printed(tmp_path):
    done(tenon("new", "swing", cwd=tmp_path))
    done(tenon("simulate", "swing.toml", "--out", "swing.csv", "--quiet", cwd=tmp_path))
    pages = sessions((ROOT / "docs" / "getting-started.md").read_text())
    assert len(pages) >= 9
    for command, lines in pages:
        words = shlex.split(command)
        assert words[0] == "tenon"
        answer = tenon(*words[1:], cwd=tmp_path)
        shown, printed = without_times("\n".join(lines)), without_times(answer.stdout + answer.stderr)
        if shown.endswith("\n..."):
            assert printed.startswith(shown.removesuffix("...")), (command, answer.stdout)
        else:
            assert printed == shown, (command, answer.stdout)
