"""Files that several tests read."""

import datetime
import decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest


def trips():
    day = datetime.date
    fare = decimal.Decimal
    return pa.table(
        {
            "city": pa.array(["Oslo", "Lima", "Oslo", "Pune"]),
            "day": pa.array([day(2024, 3, 1), day(2024, 3, 1), day(2024, 3, 2), None]),
            "riders": pa.array([120, None, 75, 310], pa.int64()),
            "fare": pa.array([fare("45.50"), fare("12.00"), None, fare("7.25")], pa.decimal128(9, 2)),
        },
        schema=pa.schema(
            [
                pa.field("city", pa.string(), nullable=False),
                ("day", pa.date32()),
                ("riders", pa.int64()),
                ("fare", pa.decimal128(9, 2)),
            ]
        ),
    )


@pytest.fixture
def trips_path(tmp_path):
    path = tmp_path / "trips.parquet"
    pq.write_table(trips(), path, store_schema=False)
    return path


def numbers(rows):
    """A table whose every value tells its row."""
    return pa.table(
        {
            "id": pa.array(range(rows), pa.int64()),
            "text": pa.array([None if i % 7 == 3 else f"value {i}" for i in range(rows)]),
            "half": pa.array([None if i % 5 == 1 else i / 2 for i in range(rows)]),
        }
    )


@pytest.fixture(scope="session")
def numbers_path(tmp_path_factory):
    """100,000 rows in row groups of 30,000."""
    path = tmp_path_factory.mktemp("numbers") / "numbers.parquet"
    pq.write_table(numbers(100_000), path, row_group_size=30_000, store_schema=False)
    return path


@pytest.fixture(scope="session")
def slow_path(tmp_path_factory):
    """16 Mi rows in four row groups: small on disk, and long to read one row at a time."""
    path = tmp_path_factory.mktemp("slow") / "slow.parquet"
    block = pa.table({"x": pa.array([7] * (1 << 22), pa.int64())})
    with pq.ParquetWriter(path, block.schema, store_schema=False) as writer:
        for _ in range(4):
            writer.write_table(block, row_group_size=1 << 22)
    return path
