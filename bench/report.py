#!/usr/bin/env python3
"""Makes docs/benchmarks.md from a stored measurement.

    python bench/report.py [JSON] [--decoders JSON] [--out MARKDOWN]
                                     (bench/results/read.json, bench/results/decoders.json, docs/benchmarks.md)

Ratios compare medians of wall time within one cell (file, mode, threads), measured side by side. "2.0×" beside a
peer is twice its speed; "2.0×" the floor is twice its time.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A pinned thread that is alone on its CPU needs about as much wall time as CPU time.
BUSY_RATIO = 1.1


@dataclass(frozen=True)
class Quartiles:
    q1: float
    median: float
    q3: float

    @classmethod
    def of(cls, samples: list[float]) -> Quartiles:
        if len(samples) == 1:
            return cls(samples[0], samples[0], samples[0])
        return cls(*statistics.quantiles(samples, n=4, method="inclusive"))

    def __str__(self) -> str:
        return f"{self.median:.3f} [{self.q1:.3f}–{self.q3:.3f}]"


class Cell:
    """The rows of one file, mode and number of threads."""

    def __init__(self, result: dict, file: str, mode: str, threads: int) -> None:
        self.file, self.mode, self.threads = file, mode, threads
        self.contenders, self.floors = result["contenders"], result["floors"]
        self.rows = {
            row["contender"]: row for row in result["rows"]
            if (row["file"], row["mode"], row["threads"]) == (file, mode, threads)
        }
        self.wall = {key: Quartiles.of(row["wall_s"]) for key, row in self.rows.items()}

    @property
    def title(self) -> str:
        return f"{self.file}, {self.mode}, {threads_text(self.threads)}"

    def is_peer(self, key: str) -> bool:
        return key in self.contenders and not self.contenders[key]["ours"]

    def best_peer_s(self) -> float | None:
        return min((wall.median for key, wall in self.wall.items() if self.is_peer(key)), default=None)

    def floor_s(self) -> float | None:
        """Reading, decompression and copying, one after the other; None where one was not measured."""
        if not set(self.floors) <= self.wall.keys():
            return None
        return sum(self.wall[key].median for key in self.floors)

    def speed(self, ours: str, peer: str) -> float | None:
        """How many times the speed of `peer`; None where one of the two was not measured."""
        if ours not in self.wall or peer not in self.wall:
            return None
        return self.wall[peer].median / self.wall[ours].median

    def times_floor(self, key: str) -> float | None:
        floor = self.floor_s()
        return self.wall[key].median / floor if floor and key in self.wall else None


def threads_text(threads: int) -> str:
    return "one thread" if threads == 1 else f"{threads} threads"


def times(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.2f}×"


def seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def table(header: list[str], rows: Iterable[list[str]], numbers_from: int = 1) -> str:
    rule = ["---" if column < numbers_from else "--:" for column in range(len(header))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, rule, *rows])


def cells_of(result: dict) -> list[Cell]:
    keys = dict.fromkeys((row["file"], row["mode"], row["threads"]) for row in result["rows"])
    return [Cell(result, *key) for key in keys]


def summary(cells: list[Cell]) -> str:
    rows = []
    for cell in cells:
        best_form = min(("colonnade-utf8", "colonnade-views"), key=lambda key: cell.wall[key].median
                        if key in cell.wall else float("inf"))
        rows.append([
            cell.title,
            seconds(cell.wall["colonnade-utf8"].median if "colonnade-utf8" in cell.wall else None),
            times(cell.speed("colonnade-utf8", "pyarrow")),
            times(cell.speed("colonnade-utf8", "duckdb")),
            seconds(cell.wall["colonnade-views"].median if "colonnade-views" in cell.wall else None),
            times(cell.speed("colonnade-views", "polars")),
            times(cell.times_floor(best_form)),
        ])
    return table(["file, mode, threads", "Arrow utf8, s", "speed of pyarrow", "of DuckDB", "Arrow views, s",
                  "of Polars", "time of the floor"], rows)


def spreading(cells: list[Cell], cell: Cell, peer: str, ours: str) -> str:
    """What it costs the two to spread the work of `cell` over its threads, where one thread was measured too."""
    alone = next((c for c in cells if (c.file, c.mode, c.threads) == (cell.file, cell.mode, 1)), None)
    shown = (ours, "colonnade-own", peer)
    if alone is None or alone is cell or not set(shown) <= alone.rows.keys() & cell.rows.keys():
        return ""
    growth = [times(statistics.median(cell.rows[key]["cpu_s"]) / statistics.median(alone.rows[key]["cpu_s"]))
              for key in shown]
    return (f" CPU time beside that of one thread: {growth[0]}, Colonnade's own batches, which are handed over as they "
            f"are, {growth[1]}, the peer {growth[2]}.")


def misses(cells: list[Cell], contenders: dict) -> str:
    """Each cell in which a peer is faster than Colonnade in the form that peer ends in."""
    lines = []
    measured = False
    for cell in cells:
        for peer, ours in [("pyarrow", "colonnade-utf8"), ("duckdb", "colonnade-utf8"), ("polars", "colonnade-views")]:
            speed = cell.speed(ours, peer)
            if speed is None:
                continue
            measured = True
            if speed < 1:
                lines.append(
                    f"- {cell.title}: {contenders[peer]['name']} is {1 / speed:.2f}× as fast as "
                    f"{contenders[ours]['name']} ({seconds(cell.wall[peer].median)} s, "
                    f"{seconds(cell.wall[ours].median)} s).{spreading(cells, cell, peer, ours)}")
    if not measured:
        return "Colonnade was not measured in this run."
    return "\n".join(lines) or "No peer is faster in any row of this run."


def details(cell: Cell) -> str:
    best_peer = cell.best_peer_s()
    rows = []
    for key, row in cell.rows.items():
        if key in cell.floors:
            continue
        cpu = statistics.median(row["cpu_s"])
        wall = cell.wall[key]
        rows.append([
            cell.contenders[key]["name"], str(wall), seconds(cpu),
            times(best_peer / wall.median if best_peer else None),
            times(cell.times_floor(key)),
            f"{row['peak_bytes'] / 1e6:,.0f}" if row.get("peak_bytes") else "–",
        ])
    for key, what in cell.floors.items():
        if key in cell.rows:
            rows.append([f"*floor: {what.partition(' (')[0]}*", str(cell.wall[key]),
                         seconds(statistics.median(cell.rows[key]["cpu_s"])), "", "", ""])
    if cell.floor_s() is not None:
        rows.append(["*floor: the three together*", seconds(cell.floor_s()), "", "", times(1.0), ""])
    return f"### {cell.title}\n\n" + table(
        ["", "wall, s: median [quartiles]", "CPU, s: median", "speed of the best peer", "time of the floor",
         "peak memory, MB"], rows)


def machine_text(result: dict) -> str:
    machine, build, versions = result["machine"], result["build"], result["versions"]
    lines = [
        f"- Machine: {machine['cpu']}{' (virtual)' if machine['virtual'] else ''}, {machine['cpus']} CPUs, "
        f"{machine['simd']}, L3 {machine['l3'] or 'unknown'}, {machine['memory_bytes'] / 2**30:.0f} GiB of memory, huge pages: "
        f"{machine['huge_pages'] or 'unknown'}; {machine['system']}, Linux {machine['kernel']}; Python {machine['python']}.",
    ]
    if build:
        known = [build.get("compiler"), build.get("build_type"), build.get("flags")]
        size = f"; {build['package_bytes'] / 1e6:.1f} MB installed" if build.get("package_bytes") else ""
        lines.append(f"- Colonnade {build['version']} ({build['commit']}), {build['kind']}"
                     f"{''.join(', ' + fact for fact in known if fact)}{size}.")
    peers = ", ".join(f"{name} {version}" for name, version in versions.items() if name != "colonnade")
    floor = result["floor"]
    lines.append(f"- Peers: {peers} (wheels from PyPI). Floor: snappy {floor['snappy']}, zstd {floor['zstd']} of the "
                 f"system, {floor['compiler']}, `{floor['flags']}`.")
    lines.append(f"- {machine['date']}; load average before the run {machine['load_average']:.2f}.")
    return "\n".join(lines)


def busy_text(cells: list[Cell]) -> str:
    """Says so where other work on the machine shows in the wall times."""
    ratios = [
        statistics.median(row["wall_s"]) / max(statistics.median(row["cpu_s"]), 1e-9)
        for cell in cells if cell.threads == 1 for key, row in cell.rows.items() if key in cell.floors
        and statistics.median(row["cpu_s"]) > 0.01
    ]
    if not ratios or max(ratios) < BUSY_RATIO:
        return ""
    return (f"**The machine did other work meanwhile**: pinned single threads took up to {max(ratios):.2f}× their CPU "
            "time. The CPU times and the ratios within a table say more than the wall times.\n\n")


def files_text(files: list[dict]) -> str:
    rows = [
        [file["name"], file["created_by"], file["codec"], f"{file['rows']:,}", str(file["columns"]),
         f"{file['row_groups']}", f"{file['bytes'] / 1e6:,.1f}", f"{file['uncompressed_bytes'] / 1e6:,.1f}",
         f"{file['arrow_bytes'] / 1e6:,.1f}"]
        for file in files
    ]
    return table(["file", "written by", "codec", "rows", "columns", "row groups", "MB", "MB decompressed",
                  "MB as Arrow (decimal128, utf8)"], rows, numbers_from=3)


def contenders_text(result: dict) -> str:
    measured = {row["contender"] for row in result["rows"]}
    rows = []
    for key, contender in result["contenders"].items():
        if key in measured:
            how = contender["how"]
            rows.append([contender["name"], contender["form"], f"`{how['streaming']}`", f"`{how['kept']}`"])
    return table(["", "ends in", "streaming", "kept"], rows, numbers_from=4)


def left_out_text(result: dict) -> str:
    lines = []
    for item in result["left_out"]:
        name = result["contenders"].get(item["contender"], {}).get("name", item["contender"])
        where = f", {item['file']}, {item['mode']}, {threads_text(item['threads'])}" if "file" in item else ""
        lines.append(f"- {name}{where}: {item['why']}")
    return "\n\nLeft out:\n" + "\n".join(lines) if lines else ""


def decoders_text(result: dict | None) -> str:
    """Each decoder's page, decoded beside skipped, from Google Benchmark's JSON of parquet_bench."""
    if result is None:
        return ""
    medians: dict[tuple[str, str], dict[str, float]] = {}
    for row in sorted(result["benchmarks"], key=lambda row: (row["family_index"], row["per_family_instance_index"])):
        if row.get("aggregate_name") == "median":
            name, case, skip = row["run_name"].split("/")
            what = name.removeprefix("BM_").replace("<", " of ").rstrip(">"), case.replace(":", " ").replace("_", " ")
            medians.setdefault(what, {})[skip] = 1e9 / row["items_per_second"]
    rows = [[*what, f"{ns['skip:0']:.3f}", f"{ns['skip:1']:.3f}", f"{ns['skip:1'] / ns['skip:0']:.1%}"]
            for what, ns in medians.items()]
    return f"""
## Decoders: skipping beside decoding

A decompressed page of 16,384 values in the cache, in blocks of 2,048 values or skipped in one go (levels are passed by counting them); ns a value, CPU time, medians.
From `bench/results/decoders.json` (`src/parquet/encoding/encoding_bench.cc`, one pinned CPU, {result['context']['date'][:10]}).

{table(["decoder", "page", "decode, ns", "skip, ns", "skip of decode"], rows, numbers_from=2)}
"""


METHOD = """\
Measured side by side in one run. Each contender has a warm process of its own for each table below, pinned to as
many CPUs as it has threads ("one thread" is one CPU, whatever a library starts on it). The processes are asked in
turn, {rounds} rounds, each round beginning with another one, after {warm_ups} rounds that are not counted, so that
memory is touched and recycled. Before that, {touched:.1f} GB of the machine's memory were written to once, and the row
count and the values of {num_checked} columns (all of nested files) were compared between all contenders, in the same mode and with the same
threads. The file is in the page cache. A run opens the file, reads all columns and rows, and ends when the last batch
is dropped (streaming) or the whole table is held (kept); letting go of a kept table is not timed. Wall time is the
process's own clock, CPU time is user and system time of all its threads.

Colonnade's Arrow rows go over the Arrow C stream interface to a consumer in C that drops or keeps each batch; the
peers hand over their own objects, the cheapest way they have. Polars' frames are not exported: its memory has Arrow's
layout already, and its export would first copy it. A kept table measures the allocator, too: every round after the
first lets Colonnade reuse the memory that the round before let go (its free lists hold up to 2 GiB), where an allocator
that has given it back to the system pays for fresh pages again, which is dear on a virtual machine. Peak memory is the
process's highest resident size in the timed rounds, with the libraries and what the allocator holds back.

The floor is three things done alone, one after the other:
{floors}

Where batches are dropped, the copy goes into a batch that stays in the cache; where the table is kept, into all of its
memory."""


def page(result: dict, source: str, decoders: dict | None = None) -> str:
    cells = cells_of(result)
    method = result["method"]
    facts = METHOD.format(
        rounds=method["rounds"], warm_ups=method["warm_ups"], touched=method.get("touched_bytes", 0) / 1e9,
        num_checked=len(method["checked_columns"]), floors="\n".join(f"- {what};" for what in result["floors"].values())[:-1] + ".")
    scale = "" if method["scale"] == 1 else f" at scale {method['scale']:g}"
    return f"""# Benchmarks

<!-- Made by bench/report.py from {source}: measure again instead of editing. -->

How fast a Parquet file becomes Arrow: TPC-H's lineitem{scale}, all columns, and nested columns of 1 Mi rows (`bench/data.py`), beside the readers
people use and beside what the machine cannot go below. Figures are comparable within one table only.

{busy_text(cells)}{summary(cells)}

Speeds beside pyarrow and DuckDB are those of Arrow with utf8 strings, beside Polars those with string views: the form
that each of them ends in. The last column takes the faster of the two.

## Where a peer is faster

{misses(cells, result["contenders"])}
{decoders_text(decoders)}
## How it is measured

{facts}

{contenders_text(result)}

{files_text(result["files"])}

{machine_text(result)}{left_out_text(result)}

To measure again: `make bench`, then `.venv/bin/python bench/report.py` (the files of docs/benchmarks-encodings.md: `bench/run.py --files … --out bench/results/encodings.json`).

## In full

{chr(10).join(details(cell) + chr(10) for cell in cells)}"""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="?", type=Path, default=ROOT / "bench" / "results" / "read.json")
    parser.add_argument("--decoders", type=Path, default=ROOT / "bench" / "results" / "decoders.json")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks.md")
    options = parser.parse_args(arguments)
    path = options.json.resolve()
    source = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
    options.out.parent.mkdir(parents=True, exist_ok=True)
    decoders = json.loads(options.decoders.read_text()) if options.decoders.exists() else None
    options.out.write_text(page(json.loads(options.json.read_text()), source, decoders))


if __name__ == "__main__":
    main()
