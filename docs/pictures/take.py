"""Takes the moving picture of the README again, after `make demo` and `build/venv/bin/pip install pillow numpy`:
build/venv/bin/python docs/pictures/take.py (needs Chromium). One turn of the crank, so that the end fits the beginning."""

import io
import pathlib
import sys
import tempfile

import numpy
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import chromium  # noqa: E402

PAGE = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "demo" / "four_bar.html"
TURN, FRAMES, COLOURS = 1.0452, 36, 48

images = []
with chromium.Chromium(960, 500) as browser, tempfile.TemporaryDirectory() as folder:
    browser.open(PAGE)
    browser.key("t")
    for i in range(FRAMES):
        browser.value(f"tenon.player.seek({TURN * i / FRAMES})")
        images.append(Image.open(io.BytesIO(browser.screenshot(pathlib.Path(folder) / "frame.png").read_bytes())).convert("RGB"))
palette = images[FRAMES // 3].quantize(COLOURS, dither=Image.Dither.NONE)
frames = [numpy.array(image.quantize(palette=palette, dither=Image.Dither.NONE)) for image in images]
# Only what has changed is stored: the rest of a frame is transparent.
moving = frames[:1] + [numpy.where(new == old, COLOURS, new) for old, new in zip(frames, frames[1:])]
pictures = [Image.fromarray(frame.astype(numpy.uint8), "P") for frame in moving]
for picture in pictures:
    picture.putpalette(palette.getpalette()[: 3 * COLOURS] + [255, 255, 255])
pictures[0].save(pathlib.Path(__file__).with_name("four_bar.gif"), save_all=True, append_images=pictures[1:],
                 duration=60, loop=0, optimize=False, transparency=COLOURS, disposal=1)  # fmt: skip
