# Every target sets up what it needs in .venv; running one twice does no work twice.
PYTHON ?= python3
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: lab test test-browser demo bench lock

lab: .venv/ready
	edgewise lab

test: .venv/ready
	ruff format --check . && ruff check .
	mypy
	pytest -n 2 --dist loadfile --ignore=tests/browser

test-browser: .venv/ready
	pytest tests/browser

demo: .venv/ready
	python -m demo

bench: .venv/bench
	python -m benchmarks

lock: .venv/ready
	uv pip compile pyproject.toml --extra dev $(LOCK) -o requirements.lock
	uv pip compile pyproject.toml --extra dev --extra bench $(LOCK) -c requirements.lock -o benchmarks/requirements.lock

# rfc3987-syntax costs every notebook process 3 s at import, and jsonschema does without it.
LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet \
	--no-emit-package rfc3987-syntax --no-emit-package lark

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > .venv/uv.lock
	pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.lock
	uv pip install --quiet --no-deps --require-hashes -r requirements.lock \
		|| pip install --quiet --no-deps --require-hashes -r requirements.lock
	pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

.venv/bench: .venv/ready benchmarks/requirements.lock
	uv pip install --quiet --no-deps --require-hashes -r benchmarks/requirements.lock \
		|| pip install --quiet --no-deps --require-hashes -r benchmarks/requirements.lock
	touch $@
