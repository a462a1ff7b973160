# Everything a newcomer needs: make demo, make test, make deep, make check, make conformance, make bench.
# Each target makes its own virtual environment in .venv, once, from any Python >= 3.11 on the PATH
# (or the one named by PYTHON=...), and makes it again when pyproject.toml changes.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONUTF8 := 1

.PHONY: help demo test deep check conformance bench corpus clean

help:
	@echo 'make demo    run the fire alarm: server, devices, workflow and agent in one process'
	@echo 'make test    run every test at sample depth'
	@echo 'make deep    run every test at full depth (slow)'
	@echo 'make check   lint, formatting, types, layers and house rules'
	@echo 'make conformance   check the server against the Linked Data Platform, clause by clause'
	@echo 'make conformance N3_TESTS=DIR   the same, and the Notation3 tests of the W3C community group below DIR'
	@echo 'make bench   measure the engine on the rules that come with it'
	@echo 'make corpus PROGRAMS=DIR   load every .n3 file below DIR and tell what became of each'
	@echo 'make clean   remove the virtual environment and all caches'

demo: $(VENV)/.made
	@$(BIN)/milepost demo --headless

test: $(VENV)/.made-dev
	$(BIN)/python -m pytest -q -n auto

deep: $(VENV)/.made-dev
	MILEPOST_DEEP=1 $(BIN)/python -m pytest -q -n auto

check: $(VENV)/.made-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tests/support/house_rules.py .

conformance: $(VENV)/.made-dev
	$(BIN)/python -m tests.conformance.ldp
	@if [ -n '$(N3_TESTS)' ]; then \
	  $(BIN)/python -m tests.conformance.n3 '$(N3_TESTS)' --numeric=both; \
	else \
	  echo 'The Notation3 tests were not run: name their folder with N3_TESTS=DIR.'; \
	fi

bench: $(VENV)/.made-dev
	$(BIN)/python -m pytest -q --benchmark-enable --benchmark-only --benchmark-columns=min,median,rounds tests/benchmarks

corpus: $(VENV)/.made
	@$(BIN)/python -m agent.corpus '$(PROGRAMS)'

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks

$(VENV)/.made: pyproject.toml hatch_build.py
	@python=''; \
	for name in $(PYTHON) python3.11 python3 python3.14 python3.13 python3.12 python; do \
	  if "$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    python="$$name"; break; \
	  fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo 'Milepost needs Python 3.11 or later with the venv module, and found none on the PATH.' >&2; \
	  echo 'Install one (on Debian and Ubuntu also the package python3-venv), or name it: make PYTHON=/path/to/python3.11' >&2; \
	  exit 2; \
	fi; \
	"$$python" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.made-dev: $(VENV)/.made
	@$(BIN)/python -m pip install --quiet --group dev
	@touch $@
