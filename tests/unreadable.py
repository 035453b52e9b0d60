"""Files that no version of Colonnade reads in whole."""

import decimal
import io

import pyarrow as pa
import pyarrow.parquet as pq


def decimal_of_77_digits(path):
    """A file with a column `id` and a decimal `d` of one digit more than anybody reads: 76 in the footer, changed."""
    table = pa.table({"id": [1], "d": pa.array([decimal.Decimal(1)], pa.decimal256(76, 0))})
    sink = io.BytesIO()
    pq.write_table(table, sink, store_schema=False)
    contents = sink.getvalue()
    footer = len(contents) - 8 - int.from_bytes(contents[-8:-4], "little")
    path.write_bytes(contents[:footer] + contents[footer:].replace(b"\x98\x01", b"\x9a\x01"))
    return path
