"""tests/platforms/host.c on each platform: compiled here, run by the system, by wine or by qemu."""

import os
import pathlib
import shutil
import subprocess
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLATFORMS = ["linux64", "win64", "aarch64"]
FOLDERS = {
    ("linux64", "2"): "linux64", ("linux64", "3"): "x86_64-linux",
    ("win64", "2"): "win64", ("win64", "3"): "x86_64-windows",
    ("aarch64", "2"): "aarch64-linux", ("aarch64", "3"): "aarch64-linux",
}  # fmt: skip
EXTENSIONS = {"linux64": ".so", "win64": ".dll", "aarch64": ".so"}
COMPILERS = {
    "linux64": "gcc",
    "win64": "x86_64-w64-mingw32-gcc-posix",
    "aarch64": "aarch64-linux-gnu-gcc",
}


def wine():
    """Debian's wine64 without its launcher, which wants a display's programs."""
    return next((path for path in ["/usr/lib/wine/wine64", shutil.which("wine64"), shutil.which("wine")]
                 if path and os.path.exists(path)), None)  # fmt: skip


def emulator(platform):
    """The words before the program; nothing where the platform cannot be run here."""
    if platform == "linux64":
        return []
    if platform == "win64":
        return [wine()] if wine() else None
    qemu = shutil.which("qemu-aarch64")
    return [qemu, "-L", "/usr/aarch64-linux-gnu"] if qemu else None


def missing(platform):
    """What is not there to run FMUs of a platform; empty: all is."""
    lacks = []
    if not shutil.which(COMPILERS[platform]):
        lacks.append(COMPILERS[platform])
    if emulator(platform) is None:
        lacks.append("wine64" if platform == "win64" else "qemu-aarch64")
    return ", ".join(lacks)


class Host:
    """The importer of one platform, compiled into a folder."""

    def __init__(self, platform, folder):
        self.platform = platform
        self.program = folder / ("host.exe" if platform == "win64" else f"host-{platform}")
        self.environment = dict(os.environ)
        words = [COMPILERS[platform], "-O2", "-Wall", "-Wextra", "-Werror", "-isystem", ROOT / "build" / "fmi",
                 ROOT / "tests" / "platforms" / "host.c", "-o", self.program]  # fmt: skip
        if platform == "win64":
            words.append("-D__USE_MINGW_ANSI_STDIO=1")  # all digits in printf
            # A prefix of its own, no display, nothing of the desktop or of .NET.
            self.environment |= {
                "WINEPREFIX": str(ROOT / "build" / "wine"),
                "WINEDEBUG": "-all",
                "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=",
                "LC_ALL": "C.UTF-8",
            }
            self.environment.pop("DISPLAY", None)
            (ROOT / "build").mkdir(exist_ok=True)
        else:
            words.append("-ldl")
        subprocess.run(words, check=True)

    def path(self, path):
        """As the platform calls a file here: wine has the root as drive Z:."""
        return f"Z:{path}" if self.platform == "win64" else str(path)

    def uri(self, path):
        drive = "/Z:" if self.platform == "win64" else ""
        return f"file://{drive}{urllib.parse.quote(str(path))}"

    def run(self, plans):
        """Rows of numbers for each plan file, in the order of the plans."""
        words = [*emulator(self.platform), self.program, *map(self.path, plans)]
        result = subprocess.run(words, env=self.environment, capture_output=True, timeout=1500)
        assert result.returncode == 0, result.stderr.decode(errors="replace")[-2000:]
        outputs = []
        for line in result.stdout.decode().splitlines():
            if line.startswith("plan "):
                outputs.append([])
            else:
                outputs[-1].append([float(word) for word in line.split()])
        return outputs
