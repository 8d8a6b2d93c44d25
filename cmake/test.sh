#!/usr/bin/env bash
# Builds and runs all tests, goes on after a failure, and ends with one line for each part. Called by `make test`.
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

# build PRESET [TARGET]
build() { ASAN_OPTIONS=detect_leaks=0 make --no-print-directory build PRESET="$1" TARGET="${2:-all}"; }

cli_tests() {
    TENON="$PWD/build/tenon" PYTHONDONTWRITEBYTECODE=1 \
        timeout 3600 build/venv/bin/python -m pytest -q -p no:cacheprovider tests/cli
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

if part "build (release)" build release; then
    part "unit tests (release)" ctest --preset release
    if compgen -G 'tests/cli/test_*.py' >/dev/null; then
        part "command-line tests" cli_tests
    else
        skipped "command-line tests (tests/cli has none)"
    fi
else
    skipped "unit tests (release), command-line tests"
fi
if part "build (sanitizers)" build sanitizers tenon_tests; then # the command itself is tested without them
    part "unit tests (sanitizers, without those tagged [slow])" sanitizer_tests
else
    skipped "unit tests (sanitizers)"
fi

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
exit $failed
