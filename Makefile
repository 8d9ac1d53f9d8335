# Everything a fresh clone needs: `make demo` and `make test` set up .venv by themselves.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench docs sample lock clean

demo: .venv/ready
	$(BIN)/measurand demo

test: .venv/ready lint
	$(BIN)/python -m pytest -q -n 2

lint: .venv/ready
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready
	$(BIN)/python benchmarks/run.py

docs: .venv/ready
	$(BIN)/python docs/build.py

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
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
