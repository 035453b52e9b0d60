#!/usr/bin/env python3
"""Makes the files that the benchmarks and the demo read: TPC-H's lineitem in several writings, and nested columns.

    python bench/data.py --out DIR lineitem_snappy lineitem_zstd lineitem_duckdb

Each name becomes DIR/NAME.parquet. A file that is there already is left alone (--force makes it
again); a file appears under its name only when it is whole, so that an interrupted run leaves
nothing half-written behind. With --scale other than 1 the names get a suffix: lineitem_snappy_sf0.01.

Needs tpchgen-cli and pyarrow, duckdb for lineitem_duckdb and numpy for nested columns (all from PyPI).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROW_GROUP_ROWS = 1 << 20


def scale_suffix(scale: float) -> str:
    return "" if scale == 1 else f"_sf{scale:g}"


def data_path(directory: Path, name: str, scale: float = 1) -> Path:
    """Where `name` stands in `directory`, made or not."""
    return Path(directory) / f"{name}{scale_suffix(scale)}.parquet"


@contextlib.contextmanager
def appearing_whole(path: Path) -> Iterator[Path]:
    """Gives a path to write to; it becomes `path` when the block ends well, and goes away when not."""
    with tempfile.TemporaryDirectory(prefix=f".{path.stem}-", dir=path.parent) as folder:
        written = Path(folder) / path.name
        yield written
        with open(written, "rb") as file:
            os.fsync(file.fileno())
        os.replace(written, path)


def find_tpchgen() -> str:
    beside_python = Path(sys.executable).with_name("tpchgen-cli")
    if beside_python.exists():
        return str(beside_python)
    found = shutil.which("tpchgen-cli")
    if found is None:
        sys.exit("tpchgen-cli is not installed: python -m pip install tpchgen-cli")
    return found


def generate(path: Path, scale: float) -> None:
    """lineitem as tpchgen-cli writes it: string views, row groups of about 128 MB."""
    with tempfile.TemporaryDirectory(prefix=".tpchgen-", dir=path.parent) as folder:
        subprocess.run(
            [find_tpchgen(), "parquet", "-s", f"{scale:g}", "--tables=lineitem", "--row-group-bytes=128MB",
             f"--output-dir={folder}", "--quiet"],
            check=True,
        )
        os.replace(Path(folder) / "lineitem.parquet", path)


def whole_row_groups(source: Path) -> Iterator["pyarrow.Table"]:  # noqa: F821
    """The rows of `source` in tables of ROW_GROUP_ROWS (the last one shorter), string views as strings."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source)
    fields = [
        field.with_type(pa.string()) if pa.types.is_string_view(field.type) else field
        for field in file.schema_arrow
    ]
    schema = pa.schema(fields, metadata=None)
    waiting: list[pa.RecordBatch] = []
    num_waiting = 0
    for batch in file.iter_batches(batch_size=1 << 16):
        while batch.num_rows:
            taken = batch.slice(0, ROW_GROUP_ROWS - num_waiting)
            waiting.append(taken)
            num_waiting += taken.num_rows
            batch = batch.slice(taken.num_rows)
            if num_waiting == ROW_GROUP_ROWS:
                yield pa.Table.from_batches(waiting).cast(schema).combine_chunks()
                waiting, num_waiting = [], 0
    if num_waiting:
        yield pa.Table.from_batches(waiting).cast(schema).combine_chunks()


def rewrite_by_pyarrow(source: Path, path: Path, **options) -> None:
    import pyarrow.parquet as pq

    writer = None
    try:
        for table in whole_row_groups(source):
            if writer is None:
                if callable(options.get("column_encoding")):
                    options["column_encoding"] = options["column_encoding"](table.schema)
                writer = pq.ParquetWriter(path, table.schema, store_schema=False, **options)
            writer.write_table(table, row_group_size=ROW_GROUP_ROWS)
    finally:
        if writer is not None:
            writer.close()


def delta_encodings(schema: "pyarrow.Schema") -> dict[str, str]:  # noqa: F821
    """DELTA_LENGTH_BYTE_ARRAY for strings, DELTA_BINARY_PACKED for integers and dates; decimals PLAIN."""
    import pyarrow as pa

    encodings = {}
    for field in schema:
        if pa.types.is_string(field.type):
            encodings[field.name] = "DELTA_LENGTH_BYTE_ARRAY"
        elif pa.types.is_integer(field.type) or pa.types.is_date(field.type):
            encodings[field.name] = "DELTA_BINARY_PACKED"
        else:
            encodings[field.name] = "PLAIN"
    return encodings


def rewrite_by_duckdb(source: Path, path: Path) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(f"copy (from read_parquet({quoted(source)})) to {quoted(path)} (format parquet)")


def quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def nested_column(kind: str, rows: int) -> "pyarrow.Array":  # noqa: F821
    """Lists and maps of 0 to 6 elements, a tenth of them and of their elements null; from a fixed seed."""
    import numpy as np
    import pyarrow as pa

    random = np.random.default_rng(42)
    words = np.array([f"word {i} " + "x" * (i % 12) for i in range(50_000)], dtype=object)

    def nulls(n: int) -> np.ndarray:
        return random.random(n) < 0.1

    def integers(n: int) -> pa.Array:
        return pa.array(random.integers(0, 1_000_000, n, dtype=np.int32), mask=nulls(n))

    def strings(n: int) -> pa.Array:
        return pa.array(words[random.integers(0, len(words), n)], pa.string(), mask=nulls(n))

    missing = nulls(rows)
    lengths = np.where(missing, 0, random.integers(0, 7, rows))
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    n = offsets[-1].as_py()
    if kind == "map":
        # The keys of a map differ: readers make different things of those that do not.
        position = np.arange(n) - np.repeat(offsets.to_numpy()[:-1], lengths)
        keys = (np.repeat(random.integers(0, len(words), rows), lengths) + 8191 * position) % len(words)
        return pa.MapArray.from_arrays(offsets, pa.array(words[keys], pa.string()), strings(n), mask=pa.array(missing))
    elements = {
        "list_int": lambda: integers(n),
        "list_string": lambda: strings(n),
        "list_struct": lambda: pa.StructArray.from_arrays([integers(n), strings(n)], ["number", "text"], mask=pa.array(nulls(n))),
    }[kind]()
    return pa.ListArray.from_arrays(offsets, elements, mask=pa.array(missing))


def write_nested(kind: str, path: Path, scale: float) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({kind: nested_column(kind, int(ROW_GROUP_ROWS * scale))})
    pq.write_table(table, path, row_group_size=ROW_GROUP_ROWS, store_schema=False)


NESTED = {f"nested_{kind}": kind for kind in ("list_int", "list_string", "list_struct", "map")}
PYARROW_WRITINGS = {
    "lineitem_snappy": {"compression": "snappy"},
    "lineitem_zstd": {"compression": "zstd"},
    "lineitem_plain": {"compression": "none", "use_dictionary": False},
    "lineitem_delta": {"compression": "none", "use_dictionary": False, "column_encoding": delta_encodings},
}
NAMES = [*PYARROW_WRITINGS, "lineitem_duckdb", *NESTED]


def make(directory: Path, name: str, scale: float = 1, force: bool = False) -> Path:
    """Makes one file and those it is made from; gives its path."""
    path = data_path(directory, name, scale)
    if path.exists() and not force:
        return path
    directory.mkdir(parents=True, exist_ok=True)
    if name == "lineitem_duckdb":
        source = make(directory, "lineitem_snappy", scale)
    elif name in PYARROW_WRITINGS:
        source = directory / f".lineitem_tpchgen{scale_suffix(scale)}.parquet"
        if not source.exists():
            started = time.monotonic()
            with appearing_whole(source) as written:
                generate(written, scale)
            report(source, started)
    elif name not in NESTED:
        raise ValueError(f"no data set is called {name}: there are {', '.join(NAMES)}")
    started = time.monotonic()
    with appearing_whole(path) as written:
        if name in NESTED:
            write_nested(NESTED[name], written, scale)
        elif name == "lineitem_duckdb":
            rewrite_by_duckdb(source, written)
        else:
            rewrite_by_pyarrow(source, written, **PYARROW_WRITINGS[name])
    report(path, started)
    return path


def report(path: Path, started: float) -> None:
    seconds = time.monotonic() - started
    print(f"made {path}: {path.stat().st_size / 1e6:,.1f} MB in {seconds:.1f} s", file=sys.stderr)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="+", metavar="NAME", choices=NAMES, help=", ".join(NAMES))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files go")
    parser.add_argument("--scale", type=float, default=1, help="TPC-H scale factor (default 1: 6 M rows)")
    parser.add_argument("--force", action="store_true", help="make the files even where they are there")
    options = parser.parse_args(arguments)
    for name in options.names:
        print(make(options.out, name, options.scale, options.force))


if __name__ == "__main__":
    main()
