# The usual jobs. Everything built goes to build/; `make clean` removes it.
# One target alone: make build TARGET=tenon_simulation (or tests_<folder>, tenon, ...); PRESET=sanitizers for that build.

PRESET ?= release
TARGET ?= all
LINT ?= core|fmu|modelDescription|tools|tests|bench
SOURCES = $(shell find core fmu modelDescription tools tests bench -name '*.cpp' -o -name '*.hpp' 2>/dev/null)

# What has been compiled before, in this source tree or another, is taken from ccache where that is installed.
ifneq ($(shell command -v ccache),)
export CMAKE_C_COMPILER_LAUNCHER = ccache
export CMAKE_CXX_COMPILER_LAUNCHER = ccache
export CCACHE_BASEDIR = $(CURDIR)
export CCACHE_NOHASHDIR = 1
endif

# ninja takes no lock of its own; two builds of one folder at a time would spoil each other.
configure_and_build = mkdir -p build && flock build/.lock sh -c \
    'cmake --preset $(1) >build/configure-$(1).log 2>&1 || { cat build/configure-$(1).log; exit 1; }; \
     cmake --build --preset $(1) --target $(2) -- -k 0'

.PHONY: help demo test sanitize platforms build bench trials format format-check lint coverage clean

help: ## This list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: ## Build the command and run its showcase
	@cmake/setup.sh demo
	@$(call configure_and_build,release,tenon)
	@build/tenon demo

test: ## Unit tests and command-line tests
	@cmake/setup.sh test
	@cmake/test.sh release cli

sanitize: ## Unit tests under the address and undefined-behaviour sanitizers; the core compiled file by file; the format of the sources
	@cmake/setup.sh test
	@cmake/setup.sh lint
	@cmake/test.sh sanitizers core format

platforms: ## Every example as FMUs on Windows (wine) and ARM (qemu) against Linux; half an hour
	@cmake/setup.sh test
	@$(call configure_and_build,release,tenon)
	@TENON_ALL_EXAMPLES=1 TENON="$(CURDIR)/build/tenon" \
	    build/venv/bin/python -m pytest -q -rs -s -p no:cacheprovider tests/cli/test_platforms.py

build: ## Build everything (or TARGET=..., PRESET=sanitizers)
	@cmake/setup.sh test
	@$(call configure_and_build,$(PRESET),$(TARGET))

bench: ## Build and run the benchmarks
	@cmake/setup.sh bench
	@$(call configure_and_build,release,tenon bench)
	@build/venv/bin/python bench/run.py

trials: ## Random machines by all methods, against the truth (docs/trials.md; an hour on two cores)
	@cmake/setup.sh test
	@$(call configure_and_build,release,tenon)
	@build/venv/bin/python tests/trials/trials.py

format: ## Format all sources
	@cmake/setup.sh lint
	@clang-format -i $(SOURCES)

format-check: ## Check the format
	@clang-format --dry-run -Werror $(SOURCES)

lint: ## Check the format and run clang-tidy
	@cmake/setup.sh lint
	@$(MAKE) --no-print-directory format-check
	@mkdir -p build && cmake --preset lint >build/configure-lint.log || { cat build/configure-lint.log; exit 1; }
	@run-clang-tidy -quiet -p build/lint -j 2 '/($(LINT))/'

coverage: ## Run the unit tests and report the covered lines in build/coverage/index.html
	@cmake/setup.sh coverage
	@$(call configure_and_build,coverage,all)
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage
	@build/venv/bin/gcovr --root . --filter core/ --filter tools/ --exclude-throw-branches \
	    --txt --html-details build/coverage/index.html build/coverage

clean: ## Remove build/
	rm -rf build
