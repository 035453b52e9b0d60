"""The functions of the package: what they take, and what the extension module makes of it."""

from __future__ import annotations

from colonnade import _colonnade

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import Literal, TypeAlias

    from _typeshed import ReadableBuffer

    from colonnade._colonnade import ChunkedColumn, Column, File, Stream, Table
    from colonnade.protocols import ArrowArray, ArrowStream, BinaryReader

    _Path: TypeAlias = str | os.PathLike[str]
    _Source: TypeAlias = _Path | ReadableBuffer | BinaryReader
    _Unit: TypeAlias = Literal["s", "ms", "us", "ns"]
    _StringType: TypeAlias = Literal["string", "large_string", "view", "dictionary"]


def open(
    source: _Source,
    *,
    memory_limit: int | None = None,
    page_limit: int | None = None,
    int96_unit: _Unit = "ns",
    int96_wraps: bool = False,
    verify_checksums: bool = False,
) -> File:
    """Opens a Parquet file and reads its footer.

    source: a path (folders and globs are for read_table() and scan()); the bytes of a file (bytes, memoryview,
      mmap, ...), which are read in place; or an object with read(), seek() and tell() that was opened in
      binary mode.
    memory_limit: bytes that reading may take at once; MemoryError where that is not enough. Batches count
      until an Arrow consumer has taken them.
    page_limit: a page that is larger than so many bytes when decompressed is refused; 256 MiB by default.
    int96_unit: timestamps stored as INT96 become timestamps of this unit, rounded toward the past.
    int96_wraps: those outside of the unit's range wrap around, as in Spark, rather than raise DataError.
    verify_checksums: pages are compared with their checksums, where they have some; CorruptError.

    >>> colonnade.open("trips.parquet")
    <colonnade.File 'trips.parquet': 4 rows, 4 columns, 1 row group>
    >>> with open("trips.parquet", "rb") as f:
    ...     colonnade.open(f.read()).num_rows
    4
    """
    return _colonnade.open(
        source,
        memory_limit=memory_limit,
        page_limit=page_limit,
        int96_unit=int96_unit,
        int96_wraps=int96_wraps,
        verify_checksums=verify_checksums,
    )


def read_table(
    source: _Source | Iterable[_Path],
    columns: str | Iterable[str] | None = None,
    *,
    threads: int | None = None,
    string_type: _StringType = "string",
    row_number_column: str | None = None,
    global_row_number_column: str | None = None,
    union_by_name: bool = False,
    hive_partitioning: bool | Literal["text"] = True,
    memory_limit: int | None = None,
    page_limit: int | None = None,
    int96_unit: _Unit = "ns",
    int96_wraps: bool = False,
    verify_checksums: bool = False,
) -> Table:
    """Reads Parquet files into one table.

    source: a path, a glob such as "sales/*.parquet", a folder, or several of those in a list or another
      iterable; or one file in another form, as for open(). Several are read in the order given, the files of a
      glob or folder in the order of their names. Names that begin with "." or "_" or end in ".crc" are left out.
    columns, threads, string_type, row_number_column: as for File.batches().
    global_row_number_column: the same, on from file to file in the order in which they are read.
    union_by_name: the files may differ in their columns: one that a file lacks is null in its rows, and types
      become the narrowest that holds the values of all (int32 and int64, ...). ValueError otherwise.
    hive_partitioning: folders called key=value in a path become columns behind those of the files (whose own
      column of that name is not read), as int64 or date32 where all values are such; "text": all as strings;
      False: none.
    memory_limit, page_limit, int96_unit, int96_wraps, verify_checksums: as for open().

    >>> colonnade.read_table("trips.parquet", columns=["city", "fare"]).num_rows
    4
    >>> colonnade.read_table("trips.*").column_names
    ['city', 'day', 'riders', 'fare']
    """
    return _colonnade.read_table(
        source,
        columns,
        threads=threads,
        string_type=string_type,
        row_number_column=row_number_column,
        global_row_number_column=global_row_number_column,
        union_by_name=union_by_name,
        hive_partitioning=hive_partitioning,
        memory_limit=memory_limit,
        page_limit=page_limit,
        int96_unit=int96_unit,
        int96_wraps=int96_wraps,
        verify_checksums=verify_checksums,
    )


def scan(
    source: _Source | Iterable[_Path],
    columns: str | Iterable[str] | None = None,
    *,
    batch_rows: int | None = None,
    batch_bytes: int | None = None,
    threads: int | None = None,
    string_type: _StringType = "string",
    row_number_column: str | None = None,
    global_row_number_column: str | None = None,
    union_by_name: bool = False,
    hive_partitioning: bool | Literal["text"] = True,
    memory_limit: int | None = None,
    page_limit: int | None = None,
    int96_unit: _Unit = "ns",
    int96_wraps: bool = False,
    verify_checksums: bool = False,
) -> Stream:
    """Reads Parquet files as a stream of batches: read_table() for what is too large to keep.

    source, columns, threads, string_type, row numbers, union_by_name, hive_partitioning: as for read_table(); the
      options that are not named here: as for open().
    batch_rows, batch_bytes: as for File.batches().

    >>> for batch in colonnade.scan("trips.parquet", columns="city"):
    ...     print(batch["city"].to_pylist())
    ['Oslo', 'Lima', 'Oslo', 'Pune']
    """
    return _colonnade.scan(
        source,
        columns,
        batch_rows=batch_rows,
        batch_bytes=batch_bytes,
        threads=threads,
        string_type=string_type,
        row_number_column=row_number_column,
        global_row_number_column=global_row_number_column,
        union_by_name=union_by_name,
        hive_partitioning=hive_partitioning,
        memory_limit=memory_limit,
        page_limit=page_limit,
        int96_unit=int96_unit,
        int96_wraps=int96_wraps,
        verify_checksums=verify_checksums,
    )


def table(source: ArrowStream | ArrowArray, *, validate: bool = False) -> Table:
    """A table of any object that speaks Arrow's PyCapsule protocol (pyarrow, polars, duckdb, ...). Copies nothing.

    validate: look at every offset, id and UTF-8 byte; CorruptError where something is wrong. Without it only the
      structure is checked, and the producer is trusted for the rest.

    >>> import pyarrow
    >>> colonnade.table(pyarrow.table({"x": [1, None, 3]}), validate=True)
    Table, 3 rows, 1 column
        x
    int64
    -----
        1
     null
        3
    """
    return _colonnade.table(source, validate=validate)


def column(source: ArrowStream | ArrowArray, *, validate: bool = False) -> Column | ChunkedColumn:
    """A column of any object that speaks Arrow's PyCapsule protocol. Copies nothing.

    validate: as for table().

    >>> import pyarrow
    >>> colonnade.column(pyarrow.array(["a", "b", None])).to_pylist()
    ['a', 'b', None]
    """
    return _colonnade.column(source, validate=validate)


def release_unused_memory() -> int:
    """Gives the system back what is kept for the next read; returns how many bytes that was.

    Memory of tables and batches that are gone is used again rather than given back, up to 2 GiB; what exceeds
    256 MiB of it the system may take whenever it needs memory.

    >>> colonnade.release_unused_memory() >= 0
    True
    """
    return _colonnade.release_unused_memory()
