# make            install into .venv what the answers need, and print the number of games under every convention
# make test       install the rest too: lint, types, import contract and all tests
# make check      the quick part of it
# make slow       the long tests
# make mutants    300 random changes to the package, one at a time: does a test fail? (2 s each, after up to 12 s for each of 70 test files)
# make installs   install it from wheels into bare environments, with smallest and newest dependencies
# make dist       sdist and wheels into dist/, checked by twine
# make docs       refresh the sessions, numbers and pictures in the documentation
# make test-browser  the pages of a site in Chromium, which is found or installed
# make clean      remove .venv and what was built
# PYTHON=...      the Python to make .venv with

export PYTHON

.PHONY: all test check slow mutants installs dist docs test-browser clean

all: .venv/.installed
	@.venv/bin/noughts count 3x3

test: .venv/.installed-test
	@scripts/check
	@scripts/test

check: .venv/.installed-test
	@scripts/check
	@scripts/test quick

slow: .venv/.installed-browser
	@scripts/test slow
	@scripts/test-browser -m "browser and slow"

mutants: .venv/.installed-test
	@.venv/bin/python scripts/mutants.py --count 300

installs: .venv/.installed-test
	@.venv/bin/python scripts/installs.py

dist: .venv/.installed-test
	@.venv/bin/python scripts/dist.py

docs: .venv/.installed-test
	@scripts/docs

test-browser: .venv/.installed-browser
	@scripts/test-browser

# Installing compiles the kernels where they have changed.
KERNELS = $(wildcard build_kernels/*.* src/noughts/kernels/*.py src/noughts/kernels/*/*.py)

.venv/.installed: pyproject.toml $(KERNELS)
	@scripts/venv
	@touch $@

.venv/.installed-test: pyproject.toml requirements/tested.txt $(KERNELS)
	@scripts/venv test
	@touch .venv/.installed $@

.venv/.installed-browser: pyproject.toml requirements/tested.txt $(KERNELS)
	@scripts/venv test,browser
	@touch .venv/.installed .venv/.installed-test $@

clean:
	rm -rf .venv dist build
