# Every target sets up what it needs in .venv, with the versions of requirements/ (tools/lock.py); nothing is done
# twice while these files stay the same.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Where the atlas finds its geodata (docs/atlas.md): the first of these folders that exists.
GROGNARD_GEODATA ?= $(firstword $(wildcard geodata ../geodata ../shared/geo))
export GROGNARD_GEODATA

.DEFAULT_GOAL := help
.PHONY: help play play-terminal page test setup format bench maps conformance lock dist clean mutants

help:
	@echo "make play    set the table in the browser and print its address"
	@echo "make play-terminal  play Leningrad in the terminal (ARGS='--side soviet --lang fr')"
	@echo "make test    formatting, types, tests, conformance: what must pass before a change goes in"
	@echo "make bench   speed and memory, as JSON"
	@echo "make mutants GAME=leningrad  small breaks of a game's rules: do its tests notice? (ARGS='--sample 300')"
	@echo "make setup   everything a contributor needs in .venv"
	@echo "make format  format the code"
	@echo "make dist    the wheel and the source archive, in dist/"
	@echo "make lock    requirements/ again from pyproject.toml (ARGS=--upgrade for the newest)"
	@echo "make maps    draft the maps again from geodata and draw them"

# Just enough to play; then all that a contributor needs.
$(VENV)/.ready-to-play: pyproject.toml requirements/play.txt tools/venv.py
	$(PYTHON) tools/venv.py $(VENV)
	$(PIP) --requirement requirements/play.txt
	$(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.ready-to-work: pyproject.toml requirements/dev.txt tools/venv.py
	$(PYTHON) tools/venv.py $(VENV)
	$(PIP) --requirement requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.ready-to-play

# Ranges are for users, requirements/ for us: the newest versions that fit are taken by hand, tested, and written down.
lock: setup
	$(PIP) 'uv>=0.5'
	$(BIN)/python tools/lock.py $(ARGS)

# What is published: the source archive, and the wheel made of it (docs/releasing.md).
dist: setup
	$(BIN)/python tools/dist.py

play: page
	@$(BIN)/grognard serve --open $(ARGS)

play-terminal: $(VENV)/.ready-to-play
	@$(BIN)/grognard play leningrad $(ARGS)

# The page is built once, and again when its sources change.
page: $(VENV)/.ready-to-play
	@$(BIN)/python tools/page.py

setup: $(VENV)/.ready-to-work

test: setup
	$(BIN)/python tools/page.py --check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/page.py
	$(BIN)/python tools/test.py $(ARGS)
	$(BIN)/grognard conformance leningrad
	$(BIN)/grognard conformance a_victory_lost
	$(BIN)/grognard conformance stalingrad_roads
	$(BIN)/grognard conformance typhoon
	$(BIN)/grognard conformance second_front

conformance: setup
	@$(BIN)/grognard conformance leningrad
	@$(BIN)/grognard conformance a_victory_lost
	@$(BIN)/grognard conformance stalingrad_roads
	@$(BIN)/grognard conformance typhoon
	@$(BIN)/grognard conformance second_front

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python tools/typography.py

bench: setup
	@$(BIN)/grognard bench --json $(ARGS)

GAME ?= leningrad

mutants: setup
	@$(BIN)/python tools/mutants.py $(GAME) $(ARGS)

MAPS = $(notdir $(wildcard src/grognard/atlas/overlays/*))

maps: setup
	@test -n "$(GROGNARD_GEODATA)" || { echo "Set GROGNARD_GEODATA to the folder of geodata (docs/atlas.md)."; exit 1; }
	@for game in $(MAPS); do $(BIN)/grognard atlas build $$game && $(BIN)/grognard check $$game || exit 1; done
	@$(BIN)/python docs/maps/make.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
