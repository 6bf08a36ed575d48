# Requires make and Python 3.11 or newer. All packages are installed in .venv, in the versions of constraints.txt.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# Marker files record which packages are installed. Their names contain Python's version, so a new Python gets a new .venv.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
MADE := $(VENV)/.made-$(VERSION)
RUN := $(VENV)/.run-$(VERSION)
SANDBOX := $(VENV)/.sandbox-$(VERSION)
DEV := $(VENV)/.dev-$(VERSION)
BENCH := $(VENV)/.bench-$(VERSION)
# The sandbox needs large packages (a simulated Discord with codecs), which are installed only if no token is set.
TOKEN := $(shell [ -n "$$DISCORD_TOKEN" ] || grep -qs '^DISCORD_TOKEN=.' .env && echo set)
# Further arguments, as in: make test ARGS="-k settings"
ARGS ?=

WANTED := import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*project["dependencies"], *(line for extra in sys.argv[1:] \
	for line in project["optional-dependencies"][extra]), sep="\n")
OLD := import sys; sys.version_info < (3, 11) and sys.exit("Bigger needs Python 3.11 or newer; $(PYTHON) is Python " \
	+ "%d.%d. With a newer Python installed, run for example: make run PYTHON=python3.12" % sys.version_info[:2])
define install # installs the bot's packages and the given extras
	@echo "Setting up $(VENV) ($(if $(1),$(1),bot)); this takes a moment, and only the first time."
	@$(PY) -c '$(WANTED)' $(1) > $@.txt
	@$(PY) -m pip install -qq --disable-pip-version-check --no-input -c constraints.txt -r $@.txt || { \
		echo "The packages could not be installed; pip has said why above. Is this machine online?" >&2; exit 2; }
	@touch $@
endef

.PHONY: help run test quick check bench soak mutants try words pictures clean
.DELETE_ON_ERROR:

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

run: $(if $(TOKEN),$(RUN),$(SANDBOX)) ## run the bot, or the sandbox if no token is set
	@$(PY) -m bot $(ARGS)

test: $(DEV) ## run all tests but the long trials, about seven minutes on two cores
	@$(PY) -m pytest -n 3 --dist worksteal -m "not soak" --durations=20 -rs $(ARGS)

quick: $(DEV) ## run the quick tests after each save, under a minute: rules, screens, sentences, docs
	@$(PY) -m pytest -n 2 --dist worksteal -m "not soak" --quick --hypothesis-profile=glance $(ARGS)

check: $(DEV) ## format, lint, types on Linux, Windows and macOS, and how docstrings read
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(PY) -m tests.readability --check --show 0 > /dev/null
	@for system in win32 darwin; do $(PY) -m mypy --platform $$system --cache-dir .mypy_cache/$$system bot cogs || exit 1; done

bench: $(BENCH) ## run the benchmarks; ARGS=--help lists them
	@$(PY) -m tests.bench $(ARGS)

soak: $(DEV) ## run the long trials in resumable parts; ARGS=--help lists them
	@$(PY) -m tests.soak $(ARGS)

mutants: $(DEV) ## mutate the code and see which changes the tests find; ARGS=--help lists the options
	@$(PY) -m tests.mutants $(ARGS)

try: $(SANDBOX) ## run the sandbox at a moment, as in: make try ARGS="b2 end-of-hand"; alone, list the moments
	@$(PY) -m tests.moments $(ARGS)

words: $(DEV) ## update the message catalogues
	@$(PY) -m bot.show.translation.catalogue $(ARGS)

pictures: $(DEV) ## take the pictures of the README again, in a browser
	@$(PY) -m tests.browser.pictures

clean: ## delete .venv and caches; games and .env stay
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
