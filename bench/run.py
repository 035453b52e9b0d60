#!/usr/bin/env python3
"""Measures how fast Parquet files become Arrow: Colonnade, its peers and the machine's limits, side by side.

    python bench/run.py                    everything, nine rounds -> bench/results/read.json
    python bench/run.py --quick            one file, three rounds -> build/bench/quick.json
    python bench/report.py                 docs/benchmarks.md from bench/results/read.json

A cell is a file, a mode (streaming: each batch is dropped; kept: the whole table is held) and a number of
threads. In each cell every contender has a warm process of its own, pinned to as many CPUs as it has
threads; the processes are asked in turn, round by round, each round beginning with another one. Before
anything is timed, the values they read are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import time
from pathlib import Path

import contenders
import data
import machine
import native
from contenders import ALL, FLOORS, MODES, OURS
from pages import file_pages
from worker import Task, Worker, WorkerFailed

ROOT = native.ROOT
FILES = ["lineitem_snappy", "lineitem_zstd", "lineitem_duckdb", "lineitem_plain", "lineitem_delta", *data.NESTED]
# What makes these differ from the others is decoding, which one thread shows.
ONE_THREAD = {"lineitem_plain", "lineitem_delta", *data.NESTED}
# Enough to tell a wrong value, a wrong order or a lost row apart; the tests compare everything.
CHECKED_COLUMNS = ["l_orderkey", "l_extendedprice", "l_shipdate", "l_shipmode", "l_comment"]
TOUCHED_BYTES_LIMIT = 16 << 30
# What a warm process may hold beside the table: the library, its allocator's free lists.
WORKER_BYTES = 600 << 20


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def file_facts(path: Path) -> dict[str, object]:
    import pyarrow.parquet as pq

    metadata = pq.read_metadata(path)
    pages = file_pages(path)
    with open(path, "rb") as file:  # into the page cache, too
        while file.read(1 << 24):
            pass
    return {
        "name": path.stem,
        "bytes": path.stat().st_size,
        "rows": metadata.num_rows,
        "columns": metadata.num_columns,
        "row_groups": metadata.num_row_groups,
        "created_by": metadata.created_by,
        "codec": metadata.row_group(0).column(0).compression,
        "pages": len(pages),
        "compressed_bytes": sum(page.compressed_bytes for page in pages),
        "uncompressed_bytes": sum(page.uncompressed_bytes for page in pages),
    }


class Cell:
    """One file, mode and number of threads, with a warm worker per contender."""

    def __init__(self, path: Path, mode: str, threads: int, keys: list[str], facts: dict) -> None:
        self.path, self.mode, self.threads, self.keys, self.facts = path, mode, threads, keys, facts
        self.left_out: dict[str, str] = {}
        self.stack = contextlib.ExitStack()
        self.workers: dict[str, Worker] = {}

    def __enter__(self) -> Cell:
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.__exit__(*error)

    def start(self, key: str) -> None:
        task = Task(key, str(self.path), self.mode, self.threads, self.facts.get("arrow_bytes", 0), self.facts["rows"])
        try:
            self.workers[key] = self.stack.enter_context(Worker(task))
        except WorkerFailed as error:
            self.left_out[key] = str(error)
            say(f"  left out: {error}")

    def start_and_check(self) -> None:
        """Starts the contenders and compares what they read; then the floors, which need the output's size."""
        digests = {}
        for key in self.keys:
            if key in FLOORS:
                continue
            self.start(key)
            if key in self.workers:
                digests[key] = self.workers[key].check(None if self.path.stem.startswith("nested") else CHECKED_COLUMNS)
        expected_key = "pyarrow" if "pyarrow" in digests else next(iter(digests), None)
        for key, found in digests.items():
            for part in ("rows", "columns"):
                if found[part] != digests[expected_key][part]:
                    raise SystemExit(
                        f"{self.path}, {self.mode}, {self.threads} threads: {key} and {expected_key} read different "
                        f"{part}:\n{found[part]}\n{digests[expected_key][part]}"
                    )
        for key in self.keys:
            if key in FLOORS:
                self.start(key)

    def measure(self, rounds: int, warm_ups: int) -> list[dict]:
        samples: dict[str, list[dict]] = {key: [] for key in self.workers}
        order = list(self.workers)
        for number in range(-warm_ups, rounds):
            first = number % len(order)
            for key in order[first:] + order[:first]:
                sample = self.workers[key].run()
                if sample["rows"] != self.facts["rows"]:
                    raise SystemExit(f"{key} read {sample['rows']} rows of {self.facts['rows']}")
                if number >= 0:
                    samples[key].append(sample)
        return [self.row(key, samples[key]) for key in order]

    def row(self, key: str, samples: list[dict]) -> dict:
        return {
            "file": self.path.stem, "mode": self.mode, "threads": self.threads, "contender": key,
            "wall_s": [sample["wall_s"] for sample in samples],
            "cpu_s": [sample["cpu_s"] for sample in samples],
            "page_faults": [sample["page_faults"] for sample in samples],
            **self.workers[key].memory(),
        }


def arrow_bytes(path: Path) -> int:
    """What all columns take as Arrow with decimal128 and utf8: validity aside, the same for every reader."""
    with Worker(Task("pyarrow", str(path), contenders.STREAMING, 1)) as worker:
        return worker.check()["bytes"]


def touch_memory(num_workers: int, table_bytes: int) -> int:
    """Writes once to as much memory as the workers will need, so that a virtual machine has it at hand."""
    touched = min(num_workers * 2 * table_bytes, TOUCHED_BYTES_LIMIT, machine.available_bytes() * 3 // 4)
    native.touch(touched)
    return touched


def warn_about_memory(keys: list[str], table_bytes: int) -> None:
    needed = len(keys) * (table_bytes + WORKER_BYTES)
    if machine.available_bytes() < needed:
        say(f"warning: {machine.available_bytes() / 1e9:.1f} GB of memory are free, and warm processes may take "
            f"{needed / 1e9:.1f} GB: name fewer contenders or modes, or a smaller --scale")


def short_table(rows: list[dict]) -> str:
    lines = []
    for row in rows:
        name = ALL[row["contender"]].name if row["contender"] in ALL else FLOORS[row["contender"]].split(" (")[0]
        wall, cpu = statistics.median(row["wall_s"]), statistics.median(row["cpu_s"])
        lines.append(f"  {name:32} {wall:8.3f} s wall {cpu:8.3f} s CPU")
    return "\n".join(lines)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT / "build" / "data", metavar="DIR",
                        help="where the files are or will be made (build/data)")
    parser.add_argument("--out", type=Path, metavar="JSON", help="where the result goes (bench/results/read.json)")
    parser.add_argument("--files", nargs="+", choices=data.NAMES, metavar="NAME", help=", ".join(FILES))
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES, metavar="MODE", help=", ".join(MODES))
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2], metavar="N", help="1 2")
    parser.add_argument("--contenders", nargs="+", choices=[*ALL, *FLOORS], metavar="KEY",
                        help=", ".join([*ALL, *FLOORS]))
    parser.add_argument("--rounds", type=int, help="timed rounds (9)")
    parser.add_argument("--warm-ups", type=int, default=2, help="rounds before that (2)")
    parser.add_argument("--scale", type=float, default=1, help="TPC-H scale factor (1)")
    parser.add_argument("--quick", action="store_true", help="one file, three rounds, to see that all works")
    options = parser.parse_args(arguments)
    options.files = options.files or (FILES[:1] if options.quick else FILES)
    options.rounds = options.rounds or (3 if options.quick else 9)
    options.contenders = options.contenders or [*ALL, *FLOORS]
    quick_out = ROOT / "build" / "bench" / "quick.json"
    options.out = options.out or (quick_out if options.quick else ROOT / "bench" / "results" / "read.json")
    if options.rounds < 1 or options.warm_ups < 1:
        parser.error("at least one round and one warm-up")
    num_cpus = len(os.sched_getaffinity(0))
    if not all(1 <= threads <= num_cpus for threads in options.threads):
        parser.error(f"--threads: this process may use {num_cpus} CPUs")
    return options


def main(arguments: list[str] | None = None) -> None:
    options = parse(arguments)
    started = time.monotonic()
    native.build()
    result: dict[str, object] = {
        "name": options.out.stem,
        **machine.facts(),
        "method": {"rounds": options.rounds, "warm_ups": options.warm_ups, "checked_columns": CHECKED_COLUMNS,
                   "scale": options.scale},
        "contenders": {
            key: {"name": kind.name, "form": kind.form, "how": kind.how, "ours": key in OURS,
                  "package": kind.package}
            for key, kind in ALL.items()
        },
        "floors": FLOORS,
        "files": [], "rows": [], "left_out": [],
    }
    keys = []
    for key in options.contenders:
        if key in ALL and not ALL[key].is_installed():
            say(f"left out: {ALL[key].name} is not installed")
            result["left_out"].append({"contender": key, "why": "not installed"})
        else:
            keys.append(key)
    for name in options.files:
        path = data.make(options.data, name, options.scale)
        facts = file_facts(path)
        facts["arrow_bytes"] = arrow_bytes(path)
        result["files"].append(facts)
        if len(result["files"]) == 1:
            warn_about_memory(keys, facts["arrow_bytes"])
            result["method"]["touched_bytes"] = touch_memory(len(keys), facts["arrow_bytes"])
        for threads in options.threads:
            if threads > 1 and name in ONE_THREAD:
                continue
            for mode in options.modes:
                with Cell(path, mode, threads, keys, facts) as cell:
                    cell.start_and_check()
                    rows = cell.measure(options.rounds, options.warm_ups)
                result["rows"] += rows
                for key, why in cell.left_out.items():
                    result["left_out"].append(
                        {"contender": key, "file": name, "mode": mode, "threads": threads, "why": why})
                say(f"{name}, {mode}, {threads} thread{'s' if threads > 1 else ''}\n{short_table(rows)}")
    result["machine"]["load_average_after"] = os.getloadavg()[0]
    result["method"]["seconds"] = time.monotonic() - started
    options.out.parent.mkdir(parents=True, exist_ok=True)
    partial = options.out.with_suffix(".json.partial")
    partial.write_text(json.dumps(result, indent=1) + "\n")
    os.replace(partial, options.out)
    say(f"wrote {options.out}; python bench/report.py {options.out} makes a page of it")


if __name__ == "__main__":
    main()
