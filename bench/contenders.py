"""Who is measured, and how each reads a file: the way its own documentation gives, with its defaults, and
where it offers several, the fastest one found.

A contender lives in a process of its own (worker.py), which has set the affinity and, through
`environment`, what must be known before a library is loaded. It is asked for
    stream()  read everything, each batch dropped when the next one is there -> number of rows
    keep()    read everything and hold it -> (number of rows, what holds it)
    batches(mode)  the same reading as record batches of pyarrow, to compare values
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Callable, Iterator

import native

STREAMING, KEPT = "streaming", "kept"
MODES = [STREAMING, KEPT]


class Unavailable(Exception):
    """A contender cannot be measured here; the text says why."""


class Contender:
    name = ""  # as in a table
    package = ""  # of PyPI; "" for none
    form = ""  # what a run ends in
    how: dict[str, str] = {}  # mode -> the call that is timed

    def __init__(self, path: str, threads: int) -> None:
        self.path, self.threads = path, threads

    @staticmethod
    def environment(threads: int) -> dict[str, str]:
        return {}

    @classmethod
    def version(cls) -> str:
        return importlib.metadata.version(cls.package)

    @classmethod
    def is_installed(cls) -> bool:
        return not cls.package or importlib.util.find_spec(cls.package) is not None

    def stream(self) -> int:
        raise NotImplementedError

    def keep(self) -> tuple[int, object]:
        raise NotImplementedError

    def batches(self, mode: str) -> Iterator[object]:
        raise NotImplementedError


class Colonnade(Contender):
    """`string_type` is the layout of strings; batches go over the Arrow C stream into native.drain."""

    package = "colonnade"
    string_type = "string"
    how = {
        STREAMING: "open(path).batches(threads=, string_type=), drained over the Arrow C stream",
        KEPT: "read_table(path, threads=, string_type=), its Arrow C stream kept",
    }

    def __init__(self, path: str, threads: int) -> None:
        super().__init__(path, threads)
        import colonnade

        self.colonnade = colonnade

    def scan(self) -> object:
        file = self.colonnade.open(self.path)
        return file.batches(threads=self.threads, string_type=self.string_type)

    def table(self) -> object:
        return self.colonnade.read_table(self.path, threads=self.threads, string_type=self.string_type)

    def stream(self) -> int:
        return native.drain(self.scan())

    def keep(self) -> tuple[int, object]:
        kept = native.Kept(self.table())
        return kept.num_rows, kept

    def batches(self, mode: str) -> Iterator[object]:
        import pyarrow as pa

        yield from pa.RecordBatchReader.from_stream(self.scan() if mode == STREAMING else self.table())


class ColonnadeUtf8(Colonnade):
    name = "Colonnade → Arrow (utf8)"
    form = "Arrow: decimal128, utf8"


class ColonnadeViews(Colonnade):
    name = "Colonnade → Arrow (views)"
    form = "Arrow: decimal128, utf8 views"
    string_type = "view"


class ColonnadeOwn(Colonnade):
    name = "Colonnade, own batches"
    form = "Colonnade's batches: decimals of up to 18 digits in 8 bytes, strings with 32-bit offsets"
    how = {STREAMING: "for batch in open(path).batches(threads=)", KEPT: "read_table(path, threads=)"}

    def stream(self) -> int:
        num_rows = 0
        for batch in self.scan():
            num_rows += batch.num_rows
        return num_rows

    def keep(self) -> tuple[int, object]:
        table = self.table()
        return table.num_rows, table


class PyArrow(Contender):
    name = "pyarrow"
    package = "pyarrow"
    form = "Arrow: decimal128, utf8"
    how = {
        STREAMING: "ParquetFile(path).iter_batches(use_threads=threads > 1)",
        KEPT: "ParquetFile(path).read(use_threads=threads > 1)",
    }

    def __init__(self, path: str, threads: int) -> None:
        super().__init__(path, threads)
        import pyarrow as pa
        import pyarrow.parquet as pq

        pa.set_cpu_count(threads)
        self.pq = pq

    def stream(self) -> int:
        num_rows = 0
        for batch in self.pq.ParquetFile(self.path).iter_batches(use_threads=self.threads > 1):
            num_rows += batch.num_rows
        return num_rows

    def keep(self) -> tuple[int, object]:
        table = self.pq.ParquetFile(self.path).read(use_threads=self.threads > 1)
        return table.num_rows, table

    def batches(self, mode: str) -> Iterator[object]:
        if mode == STREAMING:
            yield from self.pq.ParquetFile(self.path).iter_batches(use_threads=self.threads > 1)
        else:
            yield from self.keep()[1].to_batches()


class Polars(Contender):
    """collect_batches and sink_batches took the same CPU time. A frame is kept as it is, not exported: its memory
    has Arrow's layout, and __arrow_c_stream__ would first copy the columns into one chunk."""

    name = "Polars"
    package = "polars"
    form = "Polars' frames: decimal128, string views"
    how = {
        STREAMING: "scan_parquet(path).collect_batches()",
        KEPT: "read_parquet(path)",
    }

    def __init__(self, path: str, threads: int) -> None:
        super().__init__(path, threads)
        import polars as pl

        self.pl = pl
        if pl.thread_pool_size() != threads:
            raise Unavailable(f"Polars has {pl.thread_pool_size()} threads, not {threads}")

    @staticmethod
    def environment(threads: int) -> dict[str, str]:
        return {"POLARS_MAX_THREADS": str(threads)}

    def frames(self) -> Iterator[object]:
        scan = self.pl.scan_parquet(self.path)
        if not hasattr(scan, "collect_batches"):
            raise Unavailable(f"Polars {self.pl.__version__} has no LazyFrame.collect_batches")
        return iter(scan.collect_batches())

    def stream(self) -> int:
        num_rows = 0
        for frame in self.frames():
            num_rows += frame.height
        return num_rows

    def keep(self) -> tuple[int, object]:
        frame = self.pl.read_parquet(self.path)
        return frame.height, frame

    def batches(self, mode: str) -> Iterator[object]:
        newest = self.pl.CompatLevel.newest()
        for frame in self.frames() if mode == STREAMING else [self.keep()[1]]:
            yield from frame.to_arrow(compat_level=newest).to_batches()


class DuckDB(Contender):
    name = "DuckDB"
    package = "duckdb"
    form = "Arrow: decimal128, utf8"
    # Of 8,192, 32,768, 122,880 and 1,000,000 rows a batch, this took the least CPU time.
    batch_rows = 32768
    how = {
        STREAMING: f"sql('from read_parquet(path)').to_arrow_reader({batch_rows})",
        KEPT: "sql('from read_parquet(path)').to_arrow_table()",
    }

    def __init__(self, path: str, threads: int) -> None:
        super().__init__(path, threads)
        import duckdb

        self.connection = duckdb.connect(config={"threads": threads})
        self.query = "from read_parquet('" + path.replace("'", "''") + "')"

    def stream(self) -> int:
        num_rows = 0
        for batch in self.connection.sql(self.query).to_arrow_reader(self.batch_rows):
            num_rows += batch.num_rows
        return num_rows

    def keep(self) -> tuple[int, object]:
        table = self.connection.sql(self.query).to_arrow_table()
        return table.num_rows, table

    def batches(self, mode: str) -> Iterator[object]:
        if mode == STREAMING:
            yield from self.connection.sql(self.query).to_arrow_reader(self.batch_rows)
        else:
            yield from self.keep()[1].to_batches()


PEERS: dict[str, type[Contender]] = {"pyarrow": PyArrow, "polars": Polars, "duckdb": DuckDB}
OURS: dict[str, type[Contender]] = {
    "colonnade-utf8": ColonnadeUtf8,
    "colonnade-views": ColonnadeViews,
    "colonnade-own": ColonnadeOwn,
}
ALL: dict[str, type[Contender]] = {**OURS, **PEERS}
# The limits of the machine, measured like a contender: FLOORS[key] is the work done alone.
FLOORS: dict[str, str] = {
    "floor-read": "reading the cached file (pread of 1 MiB at a time into one buffer)",
    "floor-decompress": "decompressing its pages (into one buffer)",
    "floor-copy": "writing the output's bytes (memcpy from a cached source)",
}


class Floor:
    """One of FLOORS. `output_bytes` is what the output takes as Arrow with decimal128 and utf8."""

    READ_PIECE_BYTES = 1 << 20

    def __init__(self, key: str, path: str, threads: int, mode: str, output_bytes: int, output_rows: int) -> None:
        self.key, self.num_rows = key, output_rows
        pages = []
        if key == "floor-decompress":
            from pages import CODECS, file_pages

            pages = [page for page in file_pages(path) if page.codec != CODECS["UNCOMPRESSED"]]
        array = (native.Page * max(len(pages), 1))()
        for ordinal, page in enumerate(pages):
            array[ordinal] = native.Page(page.offset, page.compressed_bytes, page.uncompressed_bytes, page.codec, 0)
        # A batch of 8,192 rows stays in the cache where batches are dropped.
        batch_bytes = max(output_bytes * 8192 // max(output_rows, 1), 1)
        piece_bytes = batch_bytes if key == "floor-copy" else self.READ_PIECE_BYTES
        self.kept = mode == KEPT and key == "floor-copy"
        self.handle = native.library().bench_floor_open(
            os.fsencode(path), array, len(pages), output_bytes if key == "floor-copy" else 0, piece_bytes,
            self.kept, threads,
        )
        if not self.handle:
            raise Unavailable(f"{key}: the file or memory for it cannot be had")
        library = native.library()
        self.work: Callable[[], int] = {
            "floor-read": lambda: library.bench_floor_read(self.handle),
            "floor-decompress": lambda: library.bench_floor_decompress(self.handle),
            "floor-copy": lambda: library.bench_floor_copy(self.handle, self.kept),
        }[key]

    def run(self) -> int:
        if self.work() < 0:
            raise RuntimeError(f"{self.key} failed")
        return self.num_rows


def colonnade_size_bytes() -> int | None:
    """What the installed Python package takes on disk."""
    spec = importlib.util.find_spec("colonnade")
    if spec is None or not spec.submodule_search_locations:
        return None
    total = 0
    for folder in spec.submodule_search_locations:
        for parent, _, names in os.walk(folder):
            total += sum(os.path.getsize(os.path.join(parent, name)) for name in names if not name.endswith(".pyc"))
    return total


