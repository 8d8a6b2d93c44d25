#!/usr/bin/env bash
# Gets what a job needs: Debian packages that are missing, and a Python environment in build/venv.
# Usage: cmake/setup.sh [demo|test|bench|lint|coverage]. Does nothing, quickly, when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
job=${1:-test}

packages=(g++ cmake ninja-build libeigen3-dev libtomlplusplus-dev libcli11-dev libfmt-dev catch2
    libzip-dev zlib1g-dev libseccomp-dev libpugixml-dev libhdf5-dev libcairo2-dev fonts-dejavu-core pkg-config nlohmann-json3-dev
    python3 python3-venv)
# The viewer's page is bundled by node; one that does not come from Debian does as well.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
python=()
case $job in
    demo) ;;
    test) python=(pytest pytest-xdist numpy fmpy h5py libcosimpy ecospy) ;;
    bench) python=(pytest numpy matplotlib fmpy h5py libcosimpy ecospy) ;;
    lint) packages+=(clang-format clang-tidy) ;;
    coverage) python=(pytest pytest-xdist numpy fmpy h5py libcosimpy ecospy gcovr) ;;
    *) echo "setup: unknown job '$job' (demo, test, bench, lint, coverage)" >&2; exit 64 ;;
esac

case $job in test | bench | coverage) packages+=(libtbb12 unzip chromium) ;; esac # ecospy's; the viewer's tests
# Libraries of FMUs for Windows and ARM, and what runs them here. The command is built without them where they are not there.
case $job:$(uname -m) in test:x86_64) packages+=(g++-mingw-w64-x86-64-posix g++-aarch64-linux-gnu wine64 qemu-user) ;; esac

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# apt_install PACKAGE...: with apt's own progress on a terminal, or else a line for each package. The list of packages may
# be stale, so it is fetched first.
apt_install() {
    local log=build/setup-apt.log try
    local apt=(as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
    local install=("${apt[@]}" install -y --no-install-recommends "$@")
    mkdir -p build
    for try in 1 2 3; do
        "${apt[@]}" update >"$log" 2>&1 || true
        if [ -t 1 ]; then
            "${install[@]}" && return 0
        else
            "${install[@]}" 2>&1 | tee -a "$log" | sed -nuE \
                -e 's/^Get:[0-9]+ [^ ]+ [^ ]+ [^ ]+ ([^ ]+) .*(\[.*\])$/setup: fetched \1 \2/p' \
                -e 's/^Setting up ([^ ]+) .*/setup: installed \1/p' && return 0
        fi
        echo "setup: apt-get failed (try $try of 3)" >&2
        sleep $((try * 3))
    done
    tail -n 20 "$log" >&2
    return 1
}

if command -v dpkg-query >/dev/null; then
    # dpkg-query fails when it does not know one of the packages; what it prints of the others is right.
    installed=" $({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true; } |
        sed -n 's/^installed //p' | tr '\n' ' ')"
    missing=()
    for package in "${packages[@]}"; do
        case $installed in *" $package "*) ;; *) missing+=("$package") ;; esac
    done
    if ((${#missing[@]})); then
        command="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
            echo "setup: these packages are missing: ${missing[*]}; as root: $command" >&2
            exit 1
        fi
        echo "setup: installing ${missing[*]}"
        apt_install "${missing[@]}" || { echo "setup: cannot install them; try: $command" >&2; exit 1; }
    fi
else
    echo "setup: not a Debian system; CMake will say what it does not find of: ${packages[*]}"
fi

# The environment is stamped with the packages it has; a stamp is written only when all of them are there.
venv=build/venv
stamp=$venv/installed
has_all() {
    local package
    [ -x $venv/bin/python ] && [ -f $stamp ] || return 1
    for package in "$@"; do grep -qx "$package" $stamp || return 1; done
}
importable() {
    $venv/bin/python -c 'import sys; [__import__(name) for name in sys.argv[1:]]' "$@" 2>/dev/null
}
make_venv() { # make_venv [option]: with python3 of the PATH, or else the system's
    local interpreter
    for interpreter in python3 /usr/bin/python3; do
        rm -rf $venv
        if "$interpreter" -m venv "$@" $venv >build/setup-venv.log 2>&1; then return 0; fi
    done
    cat build/setup-venv.log >&2
    return 1
}
pip_install() {
    $venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input "$@" >build/setup-pip.log 2>&1
}

# The headers of FMI 2.0 and 3.0 are in the wheel of FMPy; nothing of it is installed here.
if [ ! -f build/fmi/fmi3Functions.h ]; then
    echo "setup: FMI headers from the FMPy package"
    mkdir -p build/fmi
    if ! [ -x $venv/bin/python ]; then make_venv; fi
    if ! $venv/bin/python -m pip download --quiet --disable-pip-version-check --no-input --no-deps -d build/fmi/wheel fmpy \
        >build/setup-pip.log 2>&1; then
        tail -n 3 build/setup-pip.log >&2
        echo "setup: cannot get the FMPy package, whose wheel carries the FMI headers; put fmi2*.h and fmi3*.h into build/fmi" >&2
        exit 1
    fi
    $venv/bin/python - build/fmi <<'PYTHON'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
wheel = zipfile.ZipFile(next((folder / "wheel").glob("*.whl")))
for name in wheel.namelist():
    file = pathlib.PurePosixPath(name).name
    if name.startswith("fmpy/c-code/fmi") and file.endswith(".h") and file[3] in "23":
        (folder / file).write_bytes(wheel.read(name))
PYTHON
fi

((${#python[@]})) || exit 0

mkdir -p build
if ! has_all "${python[@]}"; then
    echo "setup: Python environment $venv with ${python[*]}"
    if ! { [ -x $venv/bin/python ] && $venv/bin/python -m pip --version >/dev/null 2>&1; }; then make_venv; fi
    if ! pip_install "${python[@]}"; then
        # No package index within reach: Debian's own packages do as well.
        tail -n 3 build/setup-pip.log >&2
        echo "setup: pip failed; taking Debian's packages instead" >&2
        apt_install "${python[@]/#/python3-}" 2>/dev/null || true
        rm -rf $venv
        /usr/bin/python3 -m venv --system-site-packages $venv
    fi
    if ! importable "${python[@]/#pytest-xdist/xdist}"; then
        echo "setup: $venv lacks some of: ${python[*]} (see build/setup-pip.log)" >&2
        exit 1
    fi
    printf '%s\n' "${python[@]}" >>$stamp
fi

if [ "$job" = bench ] && ! grep -qxE 'exudyn|no-exudyn' $stamp; then
    if pip_install exudyn && importable exudyn; then
        echo exudyn >>$stamp
    else
        echo "setup: no exudyn for this Python; the benchmarks run without the comparison"
        echo no-exudyn >>$stamp
    fi
fi
