# The two commands of the README: `make demo` and `make test`. The rest serves them.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo setup models test unit coverage browser serve notebooks site lock clients clean

demo: setup  ## Load the sample, ask it three questions, serve it (ARGS=--exit ends after the answers).
	$(BIN)/hippograph demo $(ARGS)

serve: setup  ## Run the service.
	$(BIN)/hippograph serve $(ARGS)

notebooks: .venv/run.stamp  ## Open the notebooks on the demo's graph, with the packages that they need.
	$(BIN)/pip install --disable-pip-version-check --require-hashes -r requirements/notebooks.txt
	$(BIN)/hippograph demo --exit
	$(BIN)/python -m scripts.tell_changes
	$(BIN)/hippograph --demo neo4j start
	variables="$$($(BIN)/hippograph --demo neo4j connection --shell)" && eval "$$variables" && cd notebooks && \
	  ../$(BIN)/jupyter lab --LabApp.news_url=None --LabApp.extension_manager=readonly \
	    --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate $(ARGS)
	$(BIN)/hippograph --demo neo4j stop

test: .venv/dev.stamp browser  ## Lint, types, import rules, all tests: what CI runs.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist loadfile --durations=60 --durations-min=5 $(ARGS)

unit: .venv/dev.stamp  ## Unit and contract tests, which need no Neo4j: what to run while working.
	$(BIN)/pytest -q -n 2 --dist loadfile tests/unit tests/contract $(ARGS)

coverage: .venv/dev.stamp browser  ## All tests, and which lines of the service they reach: at the end, and in build/coverage.
	$(BIN)/pytest -q -n 2 --dist loadfile --cov --cov-report=term:skip-covered --cov-report=html:build/coverage $(ARGS)

site: .venv/dev.stamp  ## Write the pages of docs/ as a site to build/site.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

CLIENTS := python langgraph llamaindex openai-agents pydantic-ai

clients: setup $(CLIENTS:%=clients/%/.venv/dev.stamp)  ## Types and tests of the clients, each in its environment, against the real service.
	for client in $(CLIENTS); do (cd clients/$$client && .venv/bin/mypy && .venv/bin/pytest -q tests $(ARGS)) || exit 1; done
	cd clients/typescript && npm ci && ../python/.venv/bin/pytest -q tests $(ARGS)

clients/%/.venv/dev.stamp: clients/%/requirements.txt clients/%/pyproject.toml
	$(PYTHON) -m venv clients/$*/.venv
	clients/$*/.venv/bin/pip install --disable-pip-version-check --require-hashes -r $<
	clients/$*/.venv/bin/pip install --disable-pip-version-check --no-deps --no-build-isolation \
	  $(addprefix -e clients/,$(sort python $*))
	touch $@

browser: .venv/dev.stamp  ## Install Chromium, in which tests look at pages, where that is possible: as root on Debian.
	@$(BIN)/python -m scripts.install_chromium

setup: .venv/run.stamp  ## Make .venv and fetch Java and Neo4j.
	$(BIN)/hippograph neo4j install

models: .venv/run.stamp  ## Add sentence-transformers, for any other embedding model (6 GB).
	$(BIN)/pip install --disable-pip-version-check --require-hashes -r requirements/models.txt

.venv/run.stamp: requirements/run.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hippograph needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --disable-pip-version-check --no-deps --require-hashes -r requirements/run.txt
	$(BIN)/pip install --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

.venv/dev.stamp: .venv/run.stamp requirements/dev.txt
	$(BIN)/pip install --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

lock:  ## Resolve the dependencies anew (needs uv).
	scripts/lock_requirements

clean:  ## Remove what was made here; data and downloads of the user stay.
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
