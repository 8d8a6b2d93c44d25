"""Packs the foreign FMUs: pack.py LIBRARIES OUTPUT

LIBRARIES has <model>.<2|3>.so, OUTPUT gets <name>.<2|3>.fmu. The same libraries give the same bytes. Python's standard
library only.
"""

import pathlib
import platform
import sys
import zipfile

from description import description_2, description_3, terminals, xml
from models import all_models

ARM = platform.machine() in ("aarch64", "arm64")
PLATFORMS = {2: "aarch64-linux" if ARM else "linux64", 3: "aarch64-linux" if ARM else "x86_64-linux"}


def content(model, version, libraries):
    """What is in the archive, in its order: name and bytes."""
    describe = description_2 if version == 2 else description_3
    yield "modelDescription.xml", xml(describe(model)).encode()
    if model.terminals:
        yield "terminalsAndIcons/terminalsAndIcons.xml", xml(terminals(model, version)).encode()
    library = libraries / f"{model.library or model.name}.{version}.so"
    yield f"binaries/{PLATFORMS[version]}/{model.identifier()}.so", library.read_bytes()
    for name in model.neighbours:
        name = f"{name}.{version}.so"
        yield f"binaries/{PLATFORMS[version]}/{name}", (libraries / name).read_bytes()
    for name, text in model.resources.items():
        yield "resources/" + name, text.encode()


def pack(file, entries):
    temporary = file.with_suffix(".new")
    with zipfile.ZipFile(temporary, "w") as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data)
    temporary.replace(file)


def main():
    libraries, output = map(pathlib.Path, sys.argv[1:])
    output.mkdir(parents=True, exist_ok=True)
    for model in all_models():
        for version in model.versions:
            pack(output / f"{model.file or model.name}.{version}.fmu", content(model, version, libraries))


if __name__ == "__main__":
    main()
