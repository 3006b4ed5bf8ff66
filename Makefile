# make            install into .venv and print the number of games under every convention
# make test       lint, types, import contract and all tests
# make check      the quick part of it
# make slow       the long tests
# make clean      remove .venv and what was built
# PYTHON=...      the Python to make .venv with

export PYTHON

.PHONY: all test check slow clean

all: .venv/.installed
	@.venv/bin/noughts count 3x3

test: .venv/.installed-test
	@scripts/check
	@scripts/test

check: .venv/.installed-test
	@scripts/check
	@scripts/test quick

slow: .venv/.installed-test
	@scripts/test slow

.venv/.installed: pyproject.toml
	@scripts/venv
	@touch $@

.venv/.installed-test: pyproject.toml
	@scripts/venv test
	@touch .venv/.installed $@

clean:
	rm -rf .venv dist build
