"""What Colonnade makes of each column of a file that another system wrote, beside what others make of it."""

import dataclasses

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

import colonnade

from table_equality import same

# What this reader may say of a file; anything else is a fault.
REFUSALS = (NotImplementedError, colonnade.CorruptError, MemoryError)

# What pyarrow refuses although it is legal, or was always read: part of its message -> why.
PYARROW_REFUSES = {
    "Unexpected end": "dictionary ids of no bits, or a bit-packed run that is cut short",
    "EOF": "dictionary ids of no bits, or a bit-packed run that is cut short",
    "Map keys must be annotated as required": "map keys that are optional in the schema",
}
# (file, column) -> what it gives instead.
PYARROW_IS_WRONG = {("varbinary_flba.parquet", "int96_field"): "1970-01-01 for the Julian day 0"}


@dataclasses.dataclass
class Verdict:
    column: str  # empty: the whole file
    kind: str  # "read", "out of range at ns" (an INT96 that is read at us), or the refusal's class
    oracle: str = ""  # what it was compared with; empty where nobody reads it
    message: str = ""


def verdicts(path):
    """Of the file, or of each of its columns. AssertionError where values differ."""
    try:
        file = colonnade.open(path)
    except REFUSALS as error:
        return [refusal("", path, error)]
    return [verdict(path, field.name) for field in file.schema]


def refusal(column, path, error):
    assert path.name in str(error), error
    return Verdict(column, type(error).__name__, message=str(error))


def verdict(path, column):
    kind, unit = "read", "ns"
    try:
        try:
            actual = read(path, column, unit)
        except colonnade.DataError as error:
            assert "int96_unit" in str(error), error
            kind, unit = "out of range at ns", "us"
            actual = read(path, column, unit)
    except colonnade.DataError as error:
        assert path.name == "int96_from_spark.parquet", error
        return Verdict(column, "out of range at ns and us", "Spark, whose wrapping is asked for")
    except REFUSALS as error:
        return refusal(column, path, error)
    except ValueError as error:
        assert "several columns have this name" in str(error), error
        return refusal(column, path, error)
    oracle, expected = oracle_of(path, column, unit)
    if expected is not None:
        if expected.schema.field(0).type != actual.schema.field(0).type:
            expected = expected.cast(actual.schema)  # hints in ARROW:schema are not followed
        same(actual, expected)
    return Verdict(column, kind, oracle)


def read(path, column, unit):
    table = pa.table(colonnade.read_table(path, columns=[column], int96_unit=unit))
    table.validate(full=True)
    return table


def oracle_of(path, column, unit):
    try:
        if (path.name, column) in PYARROW_IS_WRONG:
            return duckdb_reads(path, column)
        file = pq.ParquetFile(path, coerce_int96_timestamp_unit=unit)
        return "pyarrow", file.read(columns=[column])
    except (OSError, pa.ArrowException) as error:
        known = next((why for part, why in PYARROW_REFUSES.items() if part in str(error)), None)
        if known is None and "GH-43605" not in path.name:
            raise
        return duckdb_reads(path, column)


def duckdb_reads(path, column):
    name = column.replace('"', '""')
    try:
        return "DuckDB", duckdb.connect().sql(f"""select "{name}" from read_parquet('{path}')""").arrow().read_all()
    except duckdb.Error:
        return "", None
