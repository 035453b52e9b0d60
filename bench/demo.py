#!/usr/bin/env python3
"""Shows a real file of 6 million rows through Colonnade's command line, then reads all of it into Arrow with
Colonnade and with the readers that are installed beside it, in turn, and compares the values. `make demo`.

    python bench/demo.py [--cli build/release/bin/colonnade] [--data build/data]

COLONNADE_CLI names the command line, too. Ends with status 1 when values differ or a command fails.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import data
import machine
import native
from contenders import ALL, KEPT, PEERS, STREAMING
from worker import Task, Worker, WorkerFailed

ROOT = native.ROOT
SHOWN = ["colonnade-utf8", "colonnade-views", *PEERS]
HEAD_COLUMNS = "l_orderkey,l_quantity,l_extendedprice,l_shipdate,l_shipmode,l_comment"
ROUNDS = 5
# No further round begins after so many seconds of them, so that the demo ends within a minute on a busy machine.
ROUNDS_SECONDS = 20
# What a process may hold beside the table: the library, and what its allocator does not give back.
WORKER_BYTES = 800 << 20


def find_cli(named: Path | None) -> Path | None:
    if named is not None:
        return named if named.exists() else None
    candidates = [os.environ.get("COLONNADE_CLI"), ROOT / "build" / "release" / "bin" / "colonnade",
                  ROOT / "build" / "dev" / "bin" / "colonnade", shutil.which("colonnade")]
    return next((Path(path) for path in candidates if path and Path(path).exists()), None)


def bold(text: str) -> str:
    return f"\033[1m{text}\033[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def say(text: str = "") -> None:
    print(text, flush=True)


def shown_path(path: Path) -> str:
    """As one would type it in the project's folder."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def command_output(cli: Path, *arguments: str) -> str:
    done = subprocess.run([str(cli), *arguments], capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(['colonnade', *arguments])} ended with status {done.returncode}:\n{done.stderr}")
    return done.stdout.rstrip("\n")


def show_file(cli: Path, path: Path) -> None:
    name = shown_path(path)
    metadata = json.loads(command_output(cli, "meta", "--json", name))
    groups = metadata["row_groups"]
    codecs = sorted({chunk["codec"] for group in groups for chunk in group["columns"]})
    encodings = sorted({encoding for group in groups for chunk in group["columns"] for encoding in chunk["encodings"]})
    say(bold("The file") + f": {name}, {metadata['file_bytes'] / 1e6:,.0f} MB, TPC-H's lineitem")
    say(f"  written by {metadata['created_by']}: {metadata['num_rows']:,} rows x {len(metadata['fields'])} columns in "
        f"{len(groups)} row groups")
    say(f"  {', '.join(codecs)}; {', '.join(encodings)}")
    for arguments in (["schema", name], ["head", "-n", "5", "--columns", HEAD_COLUMNS, name]):
        say()
        say(bold(f"$ colonnade {shlex.join(arguments)}"))
        say(command_output(cli, *arguments))
    say()


def start_workers(stack: contextlib.ExitStack, path: Path, mode: str, threads: int) -> dict[str, Worker]:
    workers = {}
    missing = dict.fromkeys(ALL[key].package for key in SHOWN if not ALL[key].is_installed())
    if missing:
        say(f"  not installed, left out: {', '.join(missing)}")
    for key in SHOWN:
        if not ALL[key].is_installed():
            continue
        try:
            workers[key] = stack.enter_context(Worker(Task(key, str(path), mode, threads)))
        except WorkerFailed as error:
            say(f"  left out: {error}")
    return workers


def compare_values(workers: dict[str, Worker]) -> str:
    """A sentence on what was compared; ends the program where values differ."""
    if "pyarrow" not in workers:
        return "Values were not compared: that needs pyarrow."
    for worker in workers.values():  # all at once, then their answers: this is not timed
        worker.send(do="check", columns=None)
    digests = {key: worker.receive() for key, worker in workers.items()}
    expected = digests["pyarrow"]
    for key, found in digests.items():
        if found["rows"] != expected["rows"]:
            sys.exit(f"{ALL[key].name} read {found['rows']:,} rows, pyarrow {expected['rows']:,}")
        differing = [name for name in expected["columns"] if found["columns"].get(name) != expected["columns"][name]]
        if differing or found["columns"].keys() != expected["columns"].keys():
            sys.exit(f"{ALL[key].name} and pyarrow read different values in {', '.join(differing) or 'other columns'}")
    compared = list(dict.fromkeys(ALL[key].package for key in workers if key != "pyarrow"))
    if not compared:
        return "Values were not compared: pyarrow is alone."
    compared = [{"colonnade": "Colonnade", "polars": "Polars", "duckdb": "DuckDB"}[package] for package in compared]
    return (f"All values compared, {len(expected['columns'])} columns x {expected['rows']:,} rows: "
            f"{' and '.join([', '.join(compared[:-1]), compared[-1]] if len(compared) > 1 else compared)} "
            f"read{'s' if len(compared) == 1 else ''} the same as pyarrow.")


def measure(workers: dict[str, Worker]) -> dict[str, list[dict]]:
    """In turn, each round beginning with another reader; one round beforehand does not count."""
    samples: dict[str, list[dict]] = {key: [] for key in workers}
    order = list(workers)
    for worker in workers.values():
        worker.run()
    started = time.monotonic()
    for number in range(ROUNDS):
        if number and time.monotonic() - started > ROUNDS_SECONDS:
            break
        first = number % len(order)
        for key in order[first:] + order[:first]:
            samples[key].append(workers[key].run())
    return samples


def table(samples: dict[str, list[dict]]) -> list[str]:
    medians = {key: statistics.median(sample["wall_s"] for sample in taken) for key, taken in samples.items()}
    ours = medians.get("colonnade-utf8")
    lines = [f"  {'reader':<28}{'seconds':>9}{'rows/s':>13}{'CPU s':>9}{'time':>9}", "  " + "-" * 68]
    for key, wall in medians.items():
        cpu = statistics.median(sample["cpu_s"] for sample in samples[key])
        rows = samples[key][0]["rows"]
        relative = f"{wall / ours:.2f}x" if ours else "-"
        lines.append(f"  {ALL[key].name:<28}{wall:>9.2f}{rows / wall / 1e6:>11.1f} M{cpu:>9.2f}{relative:>9}")
    return lines


def compare_readers(path: Path) -> None:
    threads = len(os.sched_getaffinity(0))
    mode = KEPT
    # lineitem takes 1 GB as Arrow, and each process holds a table of its own.
    needed = len(SHOWN) * (5 * path.stat().st_size + WORKER_BYTES)
    if machine.available_bytes() < needed:
        mode = STREAMING
    what = "whole table held" if mode == KEPT else "batches dropped (too little memory to hold a table per reader)"
    say(bold("The same file into Arrow") + f": all columns, {threads} thread{'s' if threads > 1 else ''}, {what}")
    with contextlib.ExitStack() as stack:
        workers = start_workers(stack, path, mode, threads)
        if not workers:
            sys.exit("no reader is installed, not even Colonnade")
        compared = compare_values(workers)
        samples = measure(workers)
    say()
    for line in table(samples):
        say(line)
    num_rounds = len(next(iter(samples.values())))
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions().items())
    say()
    say(compared)
    say(f"Medians of {num_rounds} round{'s' if num_rounds > 1 else ''} in turn, each reader in a warm process of its own, "
        "file in the page cache.")
    if {"colonnade-utf8", "colonnade-views"} <= samples.keys():
        say("Polars ends in string views, as the second row does; pyarrow and DuckDB in utf8, as the first.")
    say(f"{machine.machine()['cpu']}, {threads} CPUs; {versions}.")
    say("More, and how it is measured: docs/benchmarks.md")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", type=Path, help="the command line (COLONNADE_CLI, build/release/bin/colonnade)")
    parser.add_argument("--data", type=Path, default=ROOT / "build" / "data", metavar="DIR",
                        help="where the file is or will be made (build/data)")
    parser.add_argument("--scale", type=float, default=1, help="TPC-H scale factor (1: 6 million rows)")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")  # a terminal that has no arrows
    path = data.make(options.data, "lineitem_snappy", options.scale)
    with open(path, "rb") as file:  # into the page cache
        while file.read(1 << 24):
            pass
    native.build()
    cli = find_cli(options.cli)
    if cli is None:
        say("The command line is not built (make release): the file is not shown.")
    else:
        show_file(cli, path.resolve())
    compare_readers(path.resolve())


if __name__ == "__main__":
    main()
