# make reproduce   every figure and every check, on the page out/index.html; SYSTEMS=multiscale does a part
# make test        style, types and tests
# make test-thorough the tests that it leaves out: site, notebooks, a new system, and all checks that are quick
# make test-hard   all tests where a machine gives as little as it may: tools/hard.py says what
# make test-processors the tests as other processors run them; PROCESSORS="sse avx" chooses (tools/processors.py)
# make test-browser lessons and site in a real browser (needs Chromium on the path)
# make pages      the lessons as pages without a server, into out/lessons
# make site        the documentation into out/site
# make test-lowest the tests on the lowest versions that pyproject.toml allows
# make test-newest the tests on the newest versions that it allows, whatever is pinned: another day may differ
# make readme      rewrite the parts of README.md that come from the registry
# make mutants     100 small changes to the package, and who notices: COUNT SEED ROOMS choose, or AIMED=1
# make wheels      what a machine without a network needs for tools/gpu.sh besides Python and JAX, into wheels
# make dist        what is uploaded for a release, into dist
# make lock        pin the dependencies of pyproject.toml anew (needs uv)
# Each sets up what it needs. Needs make and Python 3.11 to 3.14: `make PYTHON=python3.12 test` names one.
PYTHON ?= python3
UV ?= uv
CORES ?= $(shell nproc 2>/dev/null || echo 2)
TOGETHER := --numprocesses $(CORES) --dist loadfile --no-loadscope-reorder # files stay whole: they share results
PIP_FLAGS := --quiet --disable-pip-version-check
# Later Pythons are not refused by pyproject.toml, but what is pinned has no wheels for them.
SUPPORTED = $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null || \
  { echo "$(PYTHON) must be Python 3.11 to 3.14; name another with: make PYTHON=python3.13 ..." >&2; exit 1; }

# Cores are shared out by process, not by thread. What is compiled once is kept, whatever the shell says. Types
# take one core half a minute: they are checked beside the tests.
test test-thorough test-hard test-processors test-lowest test-newest: export OPENBLAS_NUM_THREADS := 1
test test-thorough test-hard test-processors test-lowest test-newest: export PYTHONDONTWRITEBYTECODE :=

.PHONY: reproduce test test-thorough test-hard test-processors test-browser test-lowest test-newest pages site \
  readme wheels mutants dist lock
.SECONDARY:
.DELETE_ON_ERROR:

SYSTEMS :=
reproduce: .venv/ready
	.venv/bin/teacherstudent reproduce $(SYSTEMS)

test: .venv/ready
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	mkdir -p out
	.venv/bin/mypy > out/types.txt & types=$$!; \
	  .venv/bin/python -m pytest $(TOGETHER) -m "not thorough"; tests=$$?; \
	  wait $$types; types=$$?; cat out/types.txt; exit $$((tests + types))

test-thorough: .venv/ready
	.venv/bin/python -m pytest $(TOGETHER) -m thorough

test-hard: .venv/ready
	.venv/bin/python -m tools.hard

PROCESSORS :=
test-processors: .venv/ready
	.venv/bin/python -m tools.processors $(PROCESSORS) $(TOGETHER) -m "not thorough"

test-browser: .venv/ready
	.venv/bin/python -m pytest tests/browser

test-lowest: .venv-lowest/ready
	.venv-lowest/bin/python -m pytest $(TOGETHER) -m "not thorough"

test-newest:
	@$(SUPPORTED)
	$(PYTHON) -m venv .venv-newest
	.venv-newest/bin/python -m pip install $(PIP_FLAGS) --upgrade pip
	.venv-newest/bin/python -m pip install $(PIP_FLAGS) --upgrade --upgrade-strategy eager --editable '.[all]' --group dev
	.venv-newest/bin/python -m pip list --format freeze
	.venv-newest/bin/python -m pytest $(TOGETHER) -m "not thorough"

pages: .venv/ready
	.venv/bin/teacherstudent lesson --pages out/lessons

site: .venv/ready
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --site-dir out/site

readme: .venv/ready
	.venv/bin/python -m tools.readme

wheels: .venv/ready
	rm -rf wheels
	.venv/bin/python -m tools.gpu.wheels fetch wheels

dist: .venv/ready
	rm -rf dist
	.venv/bin/python -c "from setuptools import build_meta as b; b.build_sdist('dist'); b.build_wheel('dist')"

COUNT := 100
SEED := 0
ROOMS := theory sims problems optimisers
mutants: .venv/ready
	.venv/bin/python -m tools.mutants $(if $(AIMED),--aimed,--count $(COUNT) --seed $(SEED) --rooms "$(ROOMS)") \
	  --workers $(CORES)

# An environment holds what its lock pins (complete, so pip resolves nothing), and the project itself in
# editable form.
.venv/locked: requirements.lock
.venv-lowest/locked: requirements-lowest.lock
%/locked:
	@$(SUPPORTED)
	$(PYTHON) -m venv --clear $*
	$*/bin/python -m pip install $(PIP_FLAGS) --require-hashes --no-deps --no-compile --requirement $<
	$*/bin/python -m compileall -q -j 0 -x /tests/ $*/lib # on all cores, which pip does not use
	@touch $@

%/ready: %/locked pyproject.toml setup.py
	$*/bin/python -m pip install $(PIP_FLAGS) --no-deps --no-build-isolation --editable .
	@touch $@

LOCK := $(UV) pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
  --fork-strategy requires-python --generate-hashes --custom-compile-command "make lock" --quiet --upgrade
lock:
	$(LOCK) --output-file requirements.lock
	$(LOCK) --output-file requirements-lowest.lock --resolution lowest-direct
