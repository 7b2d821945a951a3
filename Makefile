# S2S Desktop.  `make run`: set up and talk.  `make test`: set up and check everything.
#
# PYTHON=python3.12    the Python to use, else 3.12, 3.13 or 3.11 is looked for
# ARGS="--model …"     options for s2s-desktop
# PYTEST_ARGS="-k vad" options for pytest
# PACKAGE_ARGS="--only deb"  options for packaging/build_packages.py
# S2S_TEST_MODELS=…    a folder with the models that the tests use, else the user's own is filled

SETUP := packaging/setup
BIN := .venv/bin

.NOTPARALLEL:
.PHONY: help run models test lint package system-libraries environment environment-dev clean

help:
	@echo "make run      set up and open the window; without a display, hold a sample conversation"
	@echo "make test     set up and run all checks and tests"
	@echo "make models   fetch the default models"
	@echo "make lint     run the checks without the tests"
	@echo "make package  build the packages of this system into dist/ and try them out"
	@echo "make clean    remove what these commands made here; models and settings stay"

run:
	@$(SETUP)/run.sh $(ARGS)

models: environment
	@$(BIN)/s2s-desktop models get

test: system-libraries lint $(if $(S2S_TEST_MODELS),,models)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: environment-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

package: system-libraries
	@packaging/build.sh $(PACKAGE_ARGS)

system-libraries:
	@$(SETUP)/system_libraries.sh tests

environment:
	@$(SETUP)/environment.sh

environment-dev:
	@$(SETUP)/environment.sh dev

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
