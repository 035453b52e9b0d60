"""Tables as columns: Parquet to Arrow.

>>> import colonnade
>>> trips = colonnade.read_table("trips.parquet", columns=["city", "riders"])
>>> trips.to_pydict()
{'city': ['Oslo', 'Lima', 'Oslo', 'Pune'], 'riders': [120, None, 75, 310]}

What it gives speaks Arrow's PyCapsule protocol: pyarrow.table(trips), polars.DataFrame(trips) and
duckdb.sql("from trips") take it as it is, pandas 3 with pyarrow by pandas.DataFrame.from_arrow(trips).

Errors are Python's own where there is one that says the same (FileNotFoundError, PermissionError, OSError,
ValueError, MemoryError, NotImplementedError, RuntimeError), else CorruptError, DataError, Cancelled and
ColumnNotFoundError. Each carries `code` and `place`.
"""

from colonnade._colonnade import (
    Batch,
    ChunkedColumn,
    Column,
    DataType,
    Field,
    File,
    Schema,
    Stream,
    Table,
    __version__,
    column,
    open,
    read_table,
    release_unused_memory,
    scan,
    table,
)
from colonnade._errors import Cancelled, ColumnNotFoundError, CorruptError, DataError, Place

__all__ = [
    "Batch",
    "Cancelled",
    "ChunkedColumn",
    "Column",
    "ColumnNotFoundError",
    "CorruptError",
    "DataError",
    "DataType",
    "Field",
    "File",
    "Place",
    "Schema",
    "Stream",
    "Table",
    "__version__",
    "column",
    "open",
    "read_table",
    "release_unused_memory",
    "scan",
    "table",
]

# Where users find them.
_class: type
for _class in (Batch, ChunkedColumn, Column, DataType, Field, File, Schema, Stream, Table):
    _class.__module__ = __name__
for _class in (Cancelled, ColumnNotFoundError, CorruptError, DataError, Place):
    _class.__module__ = __name__
del _class
