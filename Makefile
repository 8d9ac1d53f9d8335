# Everything a fresh clone needs: `make demo` and `make test` set up .venv by themselves.
PYTHON ?= python3
BIN := .venv/bin

QUIET := -q --disable-pip-version-check
VERSIONS ?= 3.11 3.12 3.13 3.14
TESTS ?= tests tests_next src

# types as users see them: checked after our own, with what mypy then knows
TYPES := tests/house/test_types.py

# measurand_next, and its tests without the long comparisons
NEXT := src/measurand_next tests_next
QUICK := -m 'not parity_deep'

# modules compiled once are not compiled again by every process that the tests start
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo native test test-unit test-rest test-next next parity carried mutants test-all test-peers browser tex lint bench docs sample lock audit dist fuzz clean

demo: .venv/ready
	$(BIN)/measurand demo

# side by side, the longest first
# two processes for two cores: each collects and reports its own half, which costs less than sharing all tests
test: .venv/ready browser tex
	@$(MAKE) --no-print-directory -j 2 test-rest test-unit test-next lint

# what the papers compute is kept within a process, so that all tests of papers run in one
test-unit: .venv/ready
	$(BIN)/python -m pytest -q --ignore tests/unit/papers tests/unit src/measurand

test-rest: .venv/ready
	$(BIN)/python -m pytest -q --ignore $(TYPES) tests/unit/papers $(filter-out tests/unit tests/peers tests/conftest.py tests/__pycache__,$(wildcard tests/*))

test-next: .venv/ready
	$(BIN)/python -m pytest -q $(QUICK) tests_next src/measurand_next

# measurand_next alone: at most 120 s of CPU time
next: SHELL := bash
next: .venv/ready
	@TIMEFORMAT='make next: %U s of CPU time and %S s of the system, of 120 s'; time (set -e; \
	$(BIN)/ruff check $(NEXT); $(BIN)/ruff format --check $(NEXT); $(BIN)/mypy -p measurand_next; $(BIN)/lint-imports; \
	$(BIN)/python -m pytest -q $(QUICK) $(NEXT))

# measurand_next beside measurand, on thousands of drawn campaigns
parity: .venv/ready
	$(BIN)/python -m pytest -q tests_next/parity

# tests of measurand, run against measurand_next: how many pass, file by file
carried: .venv/ready
	$(BIN)/python tests_next/carried/run.py $(FILES)

# planted bugs, each of which the tests of its room must catch: ROOM=data
mutants: .venv/ready
	$(BIN)/python tests_next/mutants.py $(ROOM)

# the tests on every version of Python that is here, from the path or from pyenv; each has a .venv-VERSION of its own
test-all:
	@failed=; for version in $(VERSIONS); do \
		python=$$(for found in python$$version "$$HOME"/.pyenv/versions/$$version.*/bin/python; do \
			"$$found" -c 'import sys; print(sys.executable)' 2> /dev/null && break; done); \
		if [ -z "$$python" ]; then echo "SKIPPED: there is no Python $$version here"; continue; fi; \
		venv=.venv-$$version; \
		if [ ! -e $$venv/ready ] || [ requirements.lock -nt $$venv/ready ] || [ pyproject.toml -nt $$venv/ready ]; then \
			{ "$$python" -m venv $$venv && $$venv/bin/python -m pip install $(QUIET) -r requirements.lock && \
			$$venv/bin/python -m pip install $(QUIET) --no-deps --no-build-isolation -e . && touch $$venv/ready; } || \
			{ echo "SKIPPED: what the tests need cannot be installed on Python $$version"; continue; }; \
		fi; \
		echo "Python $$version:"; \
		$$venv/bin/python -m pytest -q $(TESTS) || failed="$$failed $$version"; \
	done; \
	if [ -n "$$failed" ]; then echo "FAILED on Python$$failed"; exit 1; fi

# what other tools call, against the real packages; these have a .venv-peers of their own, which nothing else needs
test-peers: .venv-peers/ready
	.venv-peers/bin/python -m pytest -q tests/peers

.venv-peers/ready: requirements-peers.lock pyproject.toml
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install $(QUIET) -r requirements-peers.lock
	.venv-peers/bin/python -m pip install $(QUIET) --no-deps --no-build-isolation -e .
	touch $@

# the page is tested in a real browser, where there is one or one may be installed
browser:
	@if command -v chromium || command -v chromium-browser || command -v google-chrome; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get; then \
		export DEBIAN_FRONTEND=noninteractive; \
		{ apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; } > /dev/null 2>&1 || \
		echo "NO BROWSER: chromium could not be installed, so that the page is not tested in one"; \
	else echo "NO BROWSER: the page is not tested in one; install chromium (apt install chromium) first"; fi

# tables for papers are compiled, where there is TeX or it may be installed: 50 MB, half a minute
tex:
	@if command -v pdflatex || command -v tectonic; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get; then \
		export DEBIAN_FRONTEND=noninteractive; \
		{ apt-get update -qq && apt-get install -qq -y --no-install-recommends texlive-latex-recommended; } > /dev/null 2>&1 || \
		echo "NO TEX: it could not be installed, so that tables for papers are not compiled"; \
	else echo "NO TEX: tables for papers are not compiled; install it (apt install texlive-latex-recommended) first"; fi

lint: .venv/ready
	$(BIN)/ruff check src tests tests_next benchmarks docs fuzz native .ci setup.py
	$(BIN)/ruff format --check src tests tests_next benchmarks docs fuzz native .ci setup.py
	$(BIN)/mypy
	$(BIN)/python -m pytest -q $(TYPES)
	$(BIN)/lint-imports

bench: .venv/ready
	$(BIN)/python benchmarks/run.py

docs: .venv/ready
	$(BIN)/python docs/build.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "the documentation is in site/index.html"

sample: .venv/ready
	$(BIN)/python -m measurand.sample

# every version, with the hashes of its files, which pip then insists on; a version that is pinned already stays, unless
# UPGRADE=--upgrade or UPGRADE="--upgrade-package NAME"
COMPILE = .venv-audit/bin/uv pip compile -q --universal --python-version 3.11 --no-header --generate-hashes $(UPGRADE)

lock: .venv-audit/ready
	$(COMPILE) --group test --all-extras pyproject.toml -o requirements.lock
	$(COMPILE) --group dist -o requirements-dist.lock
	$(COMPILE) --group peers pyproject.toml -o requirements-peers.lock
	$(COMPILE) --group audit -o requirements-audit.lock

# known vulnerabilities of what the locks pin; fails with 1 where there is one, with 3 where they could not be looked up
audit: .venv-audit/ready
	@.venv-audit/bin/python .ci/audit.py

.venv-audit/ready: requirements-audit.lock
	test -x .venv-audit/bin/python || $(PYTHON) -m venv .venv-audit
	.venv-audit/bin/python -m pip install $(QUIET) -r requirements-audit.lock
	touch $@

# what goes to the package index: checked, built again from the source archive without an index, installed and tried;
# the wheel is for this platform alone (those of others: [tool.cibuildwheel]), and is dated as the commit, so that it is the same each time
dist: export SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct 2> /dev/null),1767225600)
dist: requirements-dist.lock
	rm -rf dist .venv-dist
	$(PYTHON) -m venv .venv-dist
	.venv-dist/bin/python -m pip install $(QUIET) -r requirements-dist.lock
	.venv-dist/bin/python -m build --no-isolation
	.venv-dist/bin/twine check --strict dist/*
	.venv-dist/bin/python -m pip wheel $(QUIET) --no-index --no-deps --no-build-isolation -w dist/again dist/*.tar.gz
	cmp dist/*.whl dist/again/*.whl && rm -r dist/again
	$(PYTHON) -m venv .venv-dist/fresh
	.venv-dist/fresh/bin/python -m pip install $(QUIET) dist/*.whl
	.venv-dist/fresh/bin/measurand --version
	.venv-dist/fresh/bin/python native/check_installed.py
	.venv-dist/fresh/bin/measurand demo -o .venv-dist/report.html

# whatever could break it, for ten minutes, or SECONDS=30: a table of what was tried, and of what failed; a failure says
# how to try its case again (TARGET=, SEED=, CASE=); RECORD=1 writes the figures into docs/reliability.md
fuzz: .venv/ready
	$(BIN)/python -m fuzz.run $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(if $(TARGET),--target $(TARGET)) $(if $(CASE),--case $(CASE)) $(if $(RECORD),--record)

# what is in C, built again where its sources changed
native: .venv/ready
	$(BIN)/python setup.py --quiet build_ext --inplace

# made anew when the lock, the module in C or the project's own metadata changes
.venv/ready: requirements.lock pyproject.toml setup.py $(wildcard native/* src/measurand_next/native/*.[ch])
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "measurand needs Python 3.11 or later; say make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install $(QUIET) -r requirements.lock
	$(BIN)/python -m pip install $(QUIET) --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf .venv .venv-* build dist site src/measurand.egg-info src/measurand/_native.* src/measurand_next/native/_reader.* report.html .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
