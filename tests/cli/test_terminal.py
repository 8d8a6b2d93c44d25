"""What only a terminal sees: colours, and a bar with rate and time left."""

import os
import re
import subprocess

import pytest
from conftest import ROOT, TENON, open_terminal


def on_a_terminal(*words, **environment):
    """What the command writes where standard output and standard error are a terminal of 100 columns, and its exit code."""
    ours, theirs = open_terminal()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment}
    if "NO_COLOR" not in environment:
        env.pop("NO_COLOR", None)
    process = subprocess.Popen([str(TENON), *map(str, words)], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    return text.decode(), process.wait(timeout=60)


LONG_RUN = ["simulate", ROOT / "examples" / "n_four_bar_40.toml", "--step", "2e-4", "--stop", "2"]  # well over the tenth of a second between two bars


def test_a_long_run_shows_a_bar_with_rate_and_time_left_and_takes_it_away():
    text, code = on_a_terminal(*LONG_RUN)
    assert code == 0
    assert re.search(r"\r\[#*\.*\] +\d+ %  t = \S+ of 2 s  \S+ s/s  \S+ \S+ left", text)
    assert text.rindex("\r\x1b[K") > text.rindex("left")


def test_quiet_has_no_bar():
    assert on_a_terminal(*LONG_RUN, "--quiet") == ("", 0)


def test_errors_are_coloured_on_a_terminal():
    text, code = on_a_terminal("simulate", "nothing.toml")
    assert code == 66 and text.startswith("\x1b[31mtenon:\x1b[0m nothing.toml")
    assert text.count("\n") == 1


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_switched_off(environment):
    assert "\x1b" not in on_a_terminal("simulate", "nothing.toml", **environment)[0]
    text, code = on_a_terminal("demo", "--list", **environment)
    assert code == 0 and "\x1b" not in text


def test_columns_of_tables_stand_below_each_other():
    lines = on_a_terminal("demo", "--list", NO_COLOR="1")[0].splitlines()
    column = lines[0].index("what it is")
    rows = [line for line in lines[1 : lines.index("")] if not line.endswith(":")]
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in rows)
