# Bigger needs make and Python 3.11 or newer. Everything else goes into .venv, in the versions of constraints.txt.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# A new Python makes a new .venv: its version is in the name of the marks that say what has been installed.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
MADE := $(VENV)/.made-$(VERSION)
RUN := $(VENV)/.run-$(VERSION)
SANDBOX := $(VENV)/.sandbox-$(VERSION)
DEV := $(VENV)/.dev-$(VERSION)
BENCH := $(VENV)/.bench-$(VERSION)
# The sandbox brings a simulated Discord with codecs of its own, so it is installed only where no token is set.
TOKEN := $(shell [ -n "$$DISCORD_TOKEN" ] || grep -qs '^DISCORD_TOKEN=.' .env && echo set)
# More words for the command, as in: make test ARGS="-k settings"
ARGS ?=

WANTED := import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*project["dependencies"], *(line for extra in sys.argv[1:] \
	for line in project["optional-dependencies"][extra]), sep="\n")
OLD := import sys; sys.version_info < (3, 11) and sys.exit("Bigger needs Python 3.11 or newer; $(PYTHON) is Python " \
	+ "%d.%d. With a newer one beside it, say for example: make run PYTHON=python3.12" % sys.version_info[:2])
define install # the extras to install beside what the bot itself needs
	@echo "Setting up $(VENV) ($(if $(1),$(1),bot)); this takes a moment, the first time only."
	@$(PY) -c '$(WANTED)' $(1) > $@.txt
	@$(PY) -m pip install -qq --disable-pip-version-check --no-input -c constraints.txt -r $@.txt || { \
		echo "The packages could not be installed; pip has said why above. Is this machine online?" >&2; exit 2; }
	@touch $@
endef

.PHONY: help run test quick check bench soak mutants try words pictures clean
.DELETE_ON_ERROR:

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

run: $(if $(TOKEN),$(RUN),$(SANDBOX)) ## the bot, or the sandbox where .env has no token
	@$(PY) -m bot $(ARGS)

test: $(DEV) ## everything that must hold, in about five minutes on two cores
	@$(PY) -m pytest -n 3 --dist worksteal -m "not soak" --durations=20 -rs $(ARGS)

quick: $(DEV) ## what to know at each save, in under a minute: rules, screens, words, docs
	@$(PY) -m pytest -n 2 --dist worksteal -m "not soak" --quick --hypothesis-profile=glance $(ARGS)

check: $(DEV) ## format, lint and types, on Linux, Windows and macOS
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@for system in win32 darwin; do $(PY) -m mypy --platform $$system --cache-dir .mypy_cache/$$system bot cogs || exit 1; done

bench: $(BENCH) ## how fast it is; ARGS=--help lists the measurements
	@$(PY) -m tests.bench $(ARGS)

soak: $(DEV) ## the long trials, in parts that can be resumed; ARGS=--help lists them
	@$(PY) -m tests.soak $(ARGS)

mutants: $(DEV) ## plant faults and see which the tests find; ARGS=--help says how to draw
	@$(PY) -m tests.mutants $(ARGS)

try: $(SANDBOX) ## the sandbox at a moment of a match, as in: make try ARGS="b2 end-of-hand"; without words, which there are
	@$(PY) -m tests.moments $(ARGS)

words: $(DEV) ## bring the message catalogues up to date
	@$(PY) -m bot.show.translation.catalogue $(ARGS)

pictures: $(DEV) ## take the pictures of the README anew, in a browser
	@$(PY) -m tests.browser.pictures

clean: ## take away .venv and caches; games and .env stay
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .bench .mutants .soak
	@find . -name __pycache__ -prune -exec rm -rf {} +

$(RUN): $(MADE) pyproject.toml constraints.txt
	$(call install)

$(SANDBOX): $(MADE) pyproject.toml constraints.txt
	$(call install,sandbox)

$(DEV): $(MADE) pyproject.toml constraints.txt
	$(call install,sandbox dev)

$(BENCH): $(MADE) pyproject.toml constraints.txt
	$(call install,sandbox dev bench)

$(MADE):
	@command -v $(PYTHON) >/dev/null || { \
		echo "Bigger needs Python 3.11 or newer, and there is no $(PYTHON) here." >&2; exit 2; }
	@$(PYTHON) -c '$(OLD)'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) lacks its module venv. On Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@
