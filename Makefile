# Every target sets up what it needs first: a fresh clone needs git, make and Python 3.11+ only.
PY := .venv/bin/python
LOCKS := requirements/dev.txt
STAMP := .venv/.ready
ROBOTS := .venv/.robots
PEERS := .venv-peers/.ready
DOCS := .tools/docs/.ready
PAGE := src/farhand/server/page/index.html
# Folders too: they change when a file is removed.
PAGE_SOURCES := $(shell find web/src) web/index.html web/build.mjs web/package.json web/package-lock.json
UV = $(shell command -v uv || echo .tools/bin/uv)
# Some machines keep Python from writing bytecode: then each process compiles numba again (0.5 s), and pytest all tests (5 s).
unexport PYTHONDONTWRITEBYTECODE

# Prerequisites of tests; `make test` empties it after it has made them.
READY = compiled drawing

.PHONY: help run test quick fix setup page checked drawing compiled lint types web unit browser bench bench-peers nightly wire events notes docs pictures lock clean
.DELETE_ON_ERROR:

help:                 ## list these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## */\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  %-12s %s\n' "$$name" "$$text"; done

run: $(STAMP) $(PAGE) ## start the demonstration
	@.venv/bin/farhand run || [ $$? -eq 130 ]  # Ctrl-C is how it ends

# The kernels compile while the sources are looked at, and while what the tests need comes over the network.
test: $(STAMP)        ## everything CI checks
	@$(MAKE) --no-print-directory -j3 compiled drawing checked
	@$(MAKE) --no-print-directory -j1 READY= unit browser

quick: $(STAMP)       ## the tests of what differs from the main branch, at most a minute
	@$(PY) scripts/quick.py

fix: $(STAMP)         ## let ruff and eslint correct and format what they can
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	sh scripts/page.sh fix

checked: $(STAMP)     ## lint, types, the page and the docs
	@MAKEFLAGS= $(MAKE) --no-print-directory $(ROBOTS) lint types web page docs

drawing: $(STAMP)     ## install a browser and OpenGL where there is none
	@sh scripts/chromium.sh >/dev/null
	@sh scripts/gl.sh

setup: $(STAMP)       ## install everything into .venv, from the lock files

page: $(PAGE)         ## build the page if a source of it is newer

$(STAMP): $(LOCKS) pyproject.toml benchmarks/pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh

$(PAGE): $(PAGE_SOURCES) hatch_build.py | $(STAMP)
	@sh scripts/page.sh build

# Public robot descriptions and an oracle of distances (about 1 GB unpacked): only the tests load them.
$(ROBOTS): requirements/robots.txt | $(STAMP)
	@echo "Fetching the robot descriptions that the tests load …"
	@$(UV) pip install --quiet --python $(PY) --no-deps --require-hashes -r $<
	@touch $@

compiled: $(STAMP)    ## compile all kernels
	.venv/bin/farhand compile

lint: $(STAMP)        ## ruff: rules and format
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: $(STAMP)       ## mypy, strict, over library, tests and examples
	.venv/bin/mypy

web: $(STAMP)         ## the page's types, lint and unit tests
	sh scripts/page.sh types lint test

unit: $(ROBOTS) $(PAGE) $(READY) ## the tests, without the browser and the nightly campaigns
	.venv/bin/pytest tests/unit -m "not slow" -n 2 --dist loadfile
	sh scripts/play.sh tests/live -m "not slow"

browser: $(PAGE) $(READY) ## the page in Chromium, against a running cell
	chromium=$$(sh scripts/chromium.sh) && FARHAND_CHROMIUM="$$chromium" sh scripts/play.sh tests/browser -m "not slow"

bench: $(STAMP)       ## every number, beside its control from the same run
	.venv/bin/farhand bench all

# Other libraries that do the same jobs, in an environment of their own: some pin old versions of what we use.
$(PEERS): requirements/peers.txt $(STAMP)
	@echo "Setting up .venv-peers …"
	@$(UV) venv --quiet --clear --python $(PY) .venv-peers
	@VIRTUAL_ENV=.venv-peers $(UV) pip sync --quiet --require-hashes $<
	@VIRTUAL_ENV=.venv-peers $(UV) pip install --quiet --no-deps --no-build-isolation --editable . --editable benchmarks
	@touch $@

bench-peers: $(PEERS)  ## kinematics, distances and plans beside other libraries; writes benchmarks/RESULTS.md
	.venv-peers/bin/python -m farhand_bench.report benchmarks

nightly: $(ROBOTS) $(PAGE) $(READY) ## all tests, large campaigns included
	chromium=$$(sh scripts/chromium.sh) && FARHAND_CHROMIUM="$$chromium" .venv/bin/pytest

wire: $(STAMP)        ## write the page's half of the messages (after editing server/protocol/wire or server/protocol/messages.py)
	$(PY) -m farhand.server.protocol.typescript > .venv/wire.gen.ts
	mv .venv/wire.gen.ts web/src/wire.gen.ts

events: $(STAMP)      ## write docs/events.md from the table of events (after editing types/events)
	$(PY) -m farhand.server.protocol.event_page > .venv/events.md
	mv .venv/events.md docs/events.md

notes: $(STAMP)       ## write docs/notes.md and docs/modes.md (after editing notes or lane/modes)
	$(PY) -m farhand.notes.notes_page > .venv/notes.md
	mv .venv/notes.md docs/notes.md
	$(PY) -m farhand.lane.modes.diagram > .venv/modes.md
	mv .venv/modes.md docs/modes.md

# What builds the site lies beside .venv, whose library the reference is made of.
$(DOCS): requirements/docs.txt $(STAMP)
	@echo "Setting up the tools of the docs …"
	@rm -rf $(@D)
	@$(UV) pip install --quiet --python $(PY) --target $(@D) --require-hashes -r $<
	@touch $@

docs: $(DOCS)         ## build the documentation site into build/site; warnings are errors
	PYTHONPATH=$(<D) $(PY) -m sphinx -q -W --keep-going -c docs . build/site

pictures: $(DOCS) $(PAGE) ## take the pictures of README and docs from the real page (with farhand's own server)
	chromium=$$(sh scripts/chromium.sh) && FARHAND_CHROMIUM="$$chromium" PYTHONPATH=$(<D) $(PY) scripts/pictures.py

lock: $(STAMP)        ## resolve the lock files (after editing pyproject.toml)
	@sh scripts/lock.sh

clean:                ## remove what setup and the tools made
	rm -rf .venv .venv-peers .tools build dist web/node_modules src/farhand/server/page
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results
