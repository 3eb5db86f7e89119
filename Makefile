# Every target sets up what it needs first: a fresh clone needs git, make and Python 3.11+ only.
PY := .venv/bin/python
LOCKS := requirements/run.txt requirements/dev.txt
STAMP := .venv/.ready
ROBOTS := .venv/.robots
PEERS := .venv-peers/.ready
UV = $(shell command -v uv || echo .tools/bin/uv)

.PHONY: run test setup lint types unit bench bench-peers nightly lock clean

run: setup            ## start the demonstration
	@.venv/bin/farhand run

test: lint types unit ## everything CI checks

setup: $(STAMP)       ## install everything into .venv, from the lock files

$(STAMP): $(LOCKS) pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh

# Public robot descriptions (about 740 MB unpacked): only the tests load them.
$(ROBOTS): requirements/robots.txt $(STAMP)
	@echo "Fetching the robot descriptions that the tests load …"
	@$(UV) pip install --quiet --python $(PY) --no-deps --require-hashes -r $<
	@touch $@

lint: setup           ## ruff: rules and format
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: setup          ## mypy, strict, over library, tests and examples
	.venv/bin/mypy

unit: $(ROBOTS)          ## the tests, without the nightly campaigns
	.venv/bin/farhand compile
	.venv/bin/pytest -m "not slow"

bench: setup          ## every number, beside its control from the same run
	.venv/bin/farhand bench all

# Other libraries that do the same jobs, in an environment of their own: some pin old versions of what we use.
$(PEERS): requirements/peers.txt $(STAMP)
	@echo "Setting up .venv-peers …"
	@$(UV) venv --quiet --clear --python $(PY) .venv-peers
	@VIRTUAL_ENV=.venv-peers $(UV) pip sync --quiet --require-hashes $<
	@VIRTUAL_ENV=.venv-peers $(UV) pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

bench-peers: $(PEERS)  ## kinematics, distances and plans beside other libraries; writes benchmarks/RESULTS.md
	.venv-peers/bin/python -m farhand.bench.report benchmarks

nightly: $(ROBOTS)      ## all tests, large campaigns included
	.venv/bin/farhand compile
	.venv/bin/pytest

lock: setup           ## resolve the lock files anew (after editing pyproject.toml)
	@sh scripts/lock.sh

clean:                ## remove what setup and the tools made
	rm -rf .venv .venv-peers .tools build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
