# `make play` opens the house, `make test` tests it. Both prepare whatever is missing.
# `make test-all` runs the long tests too: servers that are killed, browsers, random sessions.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
ARGS ?=

.PHONY: play serve-scaled test test-all lint format types bench messages check clean
.DEFAULT_GOAL := play

play: $(VENV)/installed-play
	@$(PY) manage.py play $(ARGS)

# PostgreSQL and Redis from the installed programs, two server processes; Ctrl-C ends them all.
serve-scaled: $(VENV)/installed-scaled
	@$(PY) manage.py serve_scaled $(ARGS)

# A file's tests run in one worker, as they share a server; the longest files first.
TEST_WORKERS ?= auto
PYTEST = $(PY) -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder

test: $(VENV)/installed-dev
	@$(PY) manage.py compile_translations
	@$(PYTEST) --ignore=tests/browser -m "not long and not browser" $(ARGS)

# Two runs, one after the other: both want all of the processor, and what drives a browser leaves an event
# loop running in a worker's thread.
test-all: $(VENV)/installed-dev
	@$(PY) manage.py compile_translations
	@$(MAKE) --no-print-directory -k test-rest test-browser

.PHONY: test-browser test-rest
test-browser:
	@$(PYTEST) -m browser $(ARGS) $$(grep -rl --include='test_*.py' 'mark\.browser' tests)

test-rest:
	@$(PYTEST) --ignore=tests/browser -m "not browser" $(ARGS)

lint: $(VENV)/installed-dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

format: $(VENV)/installed-dev
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

types: $(VENV)/installed-dev
	@$(PY) -m mypy

bench: $(VENV)/installed-dev
	@$(PY) -m tests.bench $(ARGS)

messages: $(VENV)/installed-play
	@$(PY) manage.py messages

# Deletes what was installed and cached; the data in var/ stays.
clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Python 3.11 or newer is needed: PYTHON=/path/to/python3.11 make play"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is needed \
	  (on Debian and Ubuntu: the package python3-venv)."; exit 1; }

# The dependencies by name from pyproject.toml, their versions from constraints.txt.
WANTED = import sys, tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
  print(*p["dependencies"], *(d for e in sys.argv[1:] for d in p["optional-dependencies"][e]), sep="\n")

$(VENV)/installed-play: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what the house needs…"
	@$(PY) -c '$(WANTED)' > $(VENV)/wanted.txt
	@$(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt -r $(VENV)/wanted.txt
	@touch $@

$(VENV)/installed-scaled: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what several processes need…"
	@$(PY) -c '$(WANTED)' scaled > $(VENV)/wanted.txt
	@$(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt -r $(VENV)/wanted.txt
	@touch $@ $(VENV)/installed-play

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what the tests need…"
	@$(PY) -c '$(WANTED)' scaled dev > $(VENV)/wanted.txt
	@$(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt -r $(VENV)/wanted.txt
	@touch $@ $(VENV)/installed-play $(VENV)/installed-scaled
