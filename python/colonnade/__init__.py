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
)
from colonnade._errors import Cancelled, ColumnNotFoundError, CorruptError, DataError, Place
from colonnade._functions import column, open, read_table, release_unused_memory, scan, table

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

for _name in set(__all__) - {"__version__"}:
    globals()[_name].__module__ = __name__  # where users find it
del _name
