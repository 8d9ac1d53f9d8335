# Everything a fresh clone needs: `make demo` and `make test` set up .venv by themselves.
PYTHON ?= python3
BIN := .venv/bin

# modules compiled once are not compiled again by every process that the tests start
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-unit test-rest browser lint bench docs sample lock clean

demo: .venv/ready
	$(BIN)/measurand demo

# side by side: mypy keeps one core busy, and leaves the other idle
# two processes for two cores: each collects and reports its own half, which costs less than sharing all tests
test: .venv/ready browser
	@$(MAKE) --no-print-directory -j 2 test-rest lint test-unit

test-unit: .venv/ready
	$(BIN)/python -m pytest -q tests/unit src

test-rest: .venv/ready
	$(BIN)/python -m pytest -q $(filter-out tests/unit tests/conftest.py tests/__pycache__,$(wildcard tests/*))

# the page is tested in a real browser, where there is one or one may be installed
browser:
	@if command -v chromium || command -v chromium-browser || command -v google-chrome; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get; then \
		export DEBIAN_FRONTEND=noninteractive; \
		{ apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; } > /dev/null 2>&1 || \
		echo "NO BROWSER: chromium could not be installed, so that the page is not tested in one"; \
	else echo "NO BROWSER: the page is not tested in one; install chromium (apt install chromium) first"; fi

lint: .venv/ready
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready
	$(BIN)/python benchmarks/run.py

docs: .venv/ready
	$(BIN)/python docs/build.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "the documentation is in site/index.html"

sample: .venv/ready
	$(BIN)/python -m measurand.sample

lock: .venv/ready
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header \
		--group test --all-extras pyproject.toml -o requirements.lock

# made anew when the lock or the project's own metadata changes
.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "measurand needs Python 3.11 or later; say make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf .venv site report.html .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
