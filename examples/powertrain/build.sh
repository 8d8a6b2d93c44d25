#!/bin/sh
# Makes powertrain.fmu: build.sh [FOLDER OF THE FMI HEADERS [OUTPUT]]. Needs a C compiler and Python, nothing of Tenon.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
headers=${1:-$here/../../build/fmi}
output=${2:-powertrain.fmu}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $(uname -m) in x86_64) platform=linux64 ;; *) platform=$(uname -m)-linux ;; esac
mkdir -p "$work/binaries/$platform"
${CC:-cc} -std=c11 -O2 -Wall -Wextra -fPIC -shared -ffp-contract=off -I "$headers" \
    "$here/powertrain.c" "$here/fmi2.c" -o "$work/binaries/$platform/powertrain.so" -lm

python3 - "$here/modelDescription.xml" "$work/binaries/$platform/powertrain.so" "$output" "$platform" <<'PYTHON'
import sys, zipfile
description, library, output, platform = sys.argv[1:]
with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as fmu:
    fmu.write(description, "modelDescription.xml")
    fmu.write(library, f"binaries/{platform}/powertrain.so")
PYTHON
echo "Wrote $output"
