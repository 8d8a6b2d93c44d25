#!/usr/bin/env bash
# Builds and runs parts of the tests, goes on after a failure, and ends with one line for each part.
# Usage: cmake/test.sh [release] [cli] [sanitizers] [core] [format]. Called by `make test` and `make sanitize`.
set -uo pipefail
cd "$(dirname "$0")/.."
summary=()
failed=0

# part NAME COMMAND...: runs it and notes how it went.
part() {
    local name=$1 start=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    if "$@"; then
        summary+=("$(printf 'passed  %5d s  %s' $((SECONDS - start)) "$name")")
    else
        summary+=("$(printf 'FAILED  %5d s  %s' $((SECONDS - start)) "$name")")
        failed=1
        return 1
    fi
}
skipped() { summary+=("$(printf 'skipped          %s' "$1")"); }

# build PRESET TARGET...
build() { ASAN_OPTIONS=detect_leaks=0 make --no-print-directory build PRESET="$1" TARGET="${*:2}"; }

cli_tests() {
    TENON="$PWD/build/tenon" PYTHONDONTWRITEBYTECODE=1 \
        timeout 3600 build/venv/bin/python -m pytest -q -p no:cacheprovider -n 2 --dist loadfile tests/cli
}

# The leak check stops the other threads with ptrace, which some containers forbid; it then fails every test.
sanitizer_tests() {
    local leaks=1 probe
    probe=$(ASAN_OPTIONS=detect_leaks=1 build/sanitizers/tenon_tests --list-reporters 2>&1)
    if [[ $probe == *"LeakSanitizer has encountered a fatal error"* ]]; then
        echo "Leaks are not looked for: this machine does not allow ptrace."
        leaks=0
    fi
    ASAN_OPTIONS=detect_leaks=$leaks:quarantine_size_mb=64 UBSAN_OPTIONS=print_stacktrace=1 ctest --preset sanitizers
}

for job in "$@"; do
    case $job in
        release)
            if part "build (release)" build release all; then
                part "unit tests (release)" ctest --preset release
            else
                skipped "unit tests (release)"
            fi
            ;;
        cli)
            if [ -x build/tenon ]; then
                part "command-line tests" cli_tests
            else
                skipped "command-line tests: there is no build/tenon"
                failed=1
            fi
            ;;
        sanitizers)
            # The command itself is tested without them.
            if part "build (sanitizers)" build sanitizers tenon_tests; then
                part "unit tests (sanitizers, without those tagged [slow])" sanitizer_tests
            else
                skipped "unit tests (sanitizers)"
            fi
            ;;
        core) part "the core, file by file: every file includes what it uses" build separate tenon_simulation ;;
        format) part "format" make --no-print-directory format-check ;;
        *)
            echo "test: unknown part '$job' (release, cli, sanitizers, core, format)" >&2
            exit 64
            ;;
    esac
done

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
exit $failed
