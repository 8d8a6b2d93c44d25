"""Takes the picture of the README again: make demo, then build/venv/bin/python docs/pictures/take.py (needs Chromium)."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import chromium  # noqa: E402

with chromium.Chromium(1180, 640) as browser:
    browser.open(ROOT / "build" / "demo" / "four_bar.html")
    browser.value("tenon.player.seek(1.7)")
    browser.key("t")
    browser.screenshot(pathlib.Path(__file__).with_name("four_bar.png"))
