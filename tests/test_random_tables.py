"""Random flat tables, written by other systems, read by Colonnade: the same values in the same order.

Every table is made from a fixed seed. The matrix: each type x nulls of 0, 1, 50 and 100 %; page versions, codecs, dictionaries that
are full in mid-chunk, pages down to a few bytes; batches of 1, 7, 8,192 and all rows; 1, 2, 4 and 8 threads.
"""

import datetime
import decimal
import itertools
import random
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade

from table_equality import same

ROWS = 3_000


def signed(bits):
    return lambda r: r.choice((-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, r.getrandbits(bits) - 2 ** (bits - 1)))


def unsigned(bits):
    return lambda r: r.choice((0, 2**bits - 1, r.getrandbits(bits)))


def decimals(precision, scale):
    def make(r):
        digits = r.randrange(1, precision + 1)
        unscaled = r.randrange(10 ** (digits - 1), 10**digits) * r.choice((-1, 1))
        return decimal.Decimal(unscaled).scaleb(-scale, context=decimal.Context(prec=80))

    return make


def floating(r):
    return r.choice((0.0, -0.0, float("inf"), float("-inf"), float("nan"), r.uniform(-1e30, 1e30), r.uniform(-1, 1)))


def text(r):
    alphabet = "abcXYZ 09,\"\n'\\é日😀"
    return "".join(r.choices(alphabet, k=r.choice((0, 1, 3, 12, 13, 40))))


def octets(r):
    return r.randbytes(r.choice((0, 1, 4, 12, 13, 100)))


TYPES = {
    "int8": (pa.int8(), signed(8)),
    "int16": (pa.int16(), signed(16)),
    "int32": (pa.int32(), signed(32)),
    "int64": (pa.int64(), signed(64)),
    "uint8": (pa.uint8(), unsigned(8)),
    "uint16": (pa.uint16(), unsigned(16)),
    "uint32": (pa.uint32(), unsigned(32)),
    "uint64": (pa.uint64(), unsigned(64)),
    "float32": (pa.float32(), floating),
    "float64": (pa.float64(), floating),
    "bool": (pa.bool_(), lambda r: r.random() < 0.5),
    "bool_runs": (pa.bool_(), lambda r: False),
    "decimal_9": (pa.decimal128(9, 2), decimals(9, 2)),
    "decimal_18": (pa.decimal128(18, 0), decimals(18, 0)),
    "decimal_38": (pa.decimal128(38, 10), decimals(38, 10)),
    "decimal_76": (pa.decimal256(76, 20), decimals(76, 20)),
    "date32": (pa.date32(), lambda r: datetime.date(1, 1, 1) + datetime.timedelta(days=r.randrange(3_600_000))),
    "time_ms": (pa.time32("ms"), lambda r: r.randrange(86_400_000)),
    "time_us": (pa.time64("us"), lambda r: r.randrange(86_400_000_000)),
    "time_ns": (pa.time64("ns"), lambda r: r.randrange(86_400_000_000_000)),
    "timestamp_ms": (pa.timestamp("ms"), signed(42)),
    "timestamp_us_utc": (pa.timestamp("us", "UTC"), signed(52)),
    "timestamp_ns": (pa.timestamp("ns"), signed(63)),
    "string": (pa.string(), text),
    "string_few": (pa.string(), lambda r: r.choice(("", "one", "a value of more than twelve bytes"))),
    "binary": (pa.binary(), octets),
    "fixed_5": (pa.binary(5), lambda r: r.randbytes(5)),
    "fixed_16": (pa.binary(16), lambda r: r.randbytes(16)),
    "float16": (pa.float16(), lambda r: r.choice((0.0, -0.0, 1.5, -2.25, float("inf"), 65504.0))),
}


def random_array(r, arrow_type, make, null_percent, rows):
    values = [None if r.randrange(100) < null_percent else make(r) for _ in range(rows)]
    if pa.types.is_float16(arrow_type):
        import numpy

        mask = numpy.array([v is None for v in values], dtype=bool)
        data = numpy.array([0.0 if v is None else v for v in values], dtype=numpy.float16)
        return pa.array(data, mask=mask, type=arrow_type)
    if pa.types.is_integer(arrow_type) or pa.types.is_decimal(arrow_type) or pa.types.is_date(arrow_type):
        return pa.array(values, type=arrow_type)
    if pa.types.is_time(arrow_type) or pa.types.is_timestamp(arrow_type):
        storage = pa.int32() if arrow_type.bit_width == 32 else pa.int64()
        return pa.array(values, type=storage).cast(arrow_type) if pa.types.is_time(arrow_type) else pa.array(
            values, type=pa.int64()
        ).view(arrow_type)
    return pa.array(values, type=arrow_type)


def random_table(seed, null_percent, rows=ROWS, types=TYPES):
    r = random.Random(seed)
    columns = {name: random_array(r, *TYPES[name], null_percent, rows) for name in types}
    # A required column beside the optional ones.
    fields = [pa.field(name, column.type) for name, column in columns.items()]
    fields.append(pa.field("required", pa.int64(), nullable=False))
    columns["required"] = pa.array([r.getrandbits(40) for _ in range(rows)])
    return pa.table(list(columns.values()), schema=pa.schema(fields))


def read(path, **options):
    """All batches of a scan, checked, as one table; and the rows of each batch."""
    stream = colonnade.open(path).batches(**options)
    schema = pa.schema(stream.schema)
    batches = [pa.record_batch(batch) for batch in stream]
    for batch in batches:
        batch.validate(full=True)
    return pa.Table.from_batches(batches, schema), [batch.num_rows for batch in batches]


def check(path, expected, batch_rows=(1, 7, 8192, None), threads=(1, 2, 4, 8)):
    for rows in batch_rows:
        # Single-row batches are slow to compare: a short file is enough for them.
        if rows == 1 and expected.num_rows > 300:
            continue
        borders = None
        for count in threads:
            actual, rows_read = read(path, threads=count, batch_rows=rows or 1 << 40)
            same(actual, expected)
            assert borders is None or borders == rows_read
            borders = rows_read
    same(pa.table(colonnade.read_table(path)), expected)


# lz4 is LZ4_RAW in pyarrow and Polars. Files of the old LZ4 are in the corpus.
CODECS = ("none", "snappy", "zstd", "gzip", "brotli", "lz4")
WRITER_OPTIONS = [
    dict(compression=codec, data_page_version=version, use_dictionary=dictionary, data_page_size=page_size)
    for codec, version, dictionary, page_size in itertools.product(
        CODECS, ("1.0", "2.0"), (True, False), (64, 1 << 20)
    )
]


@pytest.mark.parametrize("null_percent", (0, 1, 50, 100))
def test_pyarrow_every_type(tmp_path, null_percent):
    table = random_table(null_percent, null_percent)
    for i, options in enumerate(WRITER_OPTIONS):
        path = tmp_path / f"{i}.parquet"
        pq.write_table(table, path, row_group_size=1_300, store_schema=False, write_batch_size=50, **options)
        expected = pq.read_table(path)
        # The whole matrix of batches and threads for a few of the writers' options, a part for the rest.
        if i % 16 == 0:
            check(path, expected, batch_rows=(7, 8192, None))
        else:
            check(path, expected, batch_rows=(700,), threads=(1, 2))


@pytest.mark.parametrize("seed", range(8))
def test_pyarrow_small_tables_row_by_row(tmp_path, seed):
    r = random.Random(1000 + seed)
    rows = r.choice((0, 1, 2, 8, 9, 63, 64, 65, 200))
    table = random_table(2000 + seed, r.choice((0, 10, 50)), rows)
    path = tmp_path / "t.parquet"
    pq.write_table(
        table,
        path,
        row_group_size=r.choice((1, 7, 1000)),
        store_schema=False,
        compression=r.choice(CODECS),
        data_page_version=r.choice(("1.0", "2.0")),
        use_dictionary=r.random() < 0.5,
        data_page_size=r.choice((1, 100)),
        write_batch_size=r.choice((1, 3, 100)),
    )
    check(path, pq.read_table(path))


def test_dictionary_that_is_full_in_mid_chunk(tmp_path):
    table = random_table(7, 10, types=("int64", "string", "binary", "decimal_38", "fixed_16", "float64", "date32"))
    for version, limit in itertools.product(("1.0", "2.0"), (50, 2_000, 20_000)):
        path = tmp_path / f"{version}-{limit}.parquet"
        pq.write_table(
            table,
            path,
            store_schema=False,
            data_page_version=version,
            dictionary_pagesize_limit=limit,
            data_page_size=500,
            write_batch_size=20,
        )
        expected = pq.read_table(path)
        check(path, expected, batch_rows=(7, 1000, None), threads=(1, 4))
        for string_type in ("large_string", "view", "dictionary"):
            actual = pa.table(colonnade.read_table(path, string_type=string_type))
            actual.validate(full=True)
            flat = actual.cast(expected.schema) if string_type != "dictionary" else pa.table(
                [c.cast(expected.schema.field(i).type) for i, c in enumerate(actual.columns)], schema=expected.schema
            )
            same(flat, expected)


ENCODINGS = {
    "DELTA_BINARY_PACKED": [n for n in TYPES if re.match(r"u?int|date|time", n)],
    "DELTA_LENGTH_BYTE_ARRAY": ["string", "string_few", "binary"],
    "DELTA_BYTE_ARRAY": ["string", "string_few", "binary", "fixed_5", "fixed_16", "decimal_9", "decimal_38", "decimal_76"],
    "BYTE_STREAM_SPLIT": [n for n in TYPES if re.match(r"u?int|date|time|float|decimal|fixed", n)],
}


@pytest.mark.parametrize("null_percent", (0, 1, 50, 100))
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_pyarrow_encodings(tmp_path, encoding, null_percent):
    table = random_table(3000 + null_percent, null_percent, types=ENCODINGS[encoding])
    for i, (version, page_size) in enumerate(itertools.product(("1.0", "2.0"), (64, 1 << 20))):
        path = tmp_path / f"{i}.parquet"
        pq.write_table(
            table,
            path,
            row_group_size=1_300,
            store_schema=False,
            write_batch_size=50,
            use_dictionary=False,
            column_encoding=dict.fromkeys(ENCODINGS[encoding], encoding),
            compression=CODECS[i],
            data_page_version=version,
            data_page_size=page_size,
        )
        check(path, pq.read_table(path), batch_rows=(7, 700, None), threads=(1, 3))


@pytest.mark.parametrize("string_type", ("string", "large_string", "view", "dictionary"))
def test_values_that_share_their_bytes_stay_in_the_budget(tmp_path, string_type):
    """A page of little more than one value stands for a thousand of them."""
    value = "x" * 300_000
    pq.write_table(pa.table({"s": [value] * 1000}), tmp_path / "s.parquet", use_dictionary=False, column_encoding="DELTA_BYTE_ARRAY")
    assert (tmp_path / "s.parquet").stat().st_size < 1 << 20
    rows = 0
    for batch in colonnade.scan(tmp_path / "s.parquet", memory_limit=32 << 20, batch_bytes=2 << 20, string_type=string_type, threads=1):
        assert batch["s"][0] == value and batch["s"][-1] == value
        rows += len(batch)
    assert rows == 1000


@pytest.mark.parametrize("null_percent", (0, 1, 50, 100))
def test_polars(tmp_path, null_percent):
    polars = pytest.importorskip("polars")
    names = [n for n in TYPES if n not in ("fixed_5", "fixed_16", "time_ms", "time_us", "decimal_76", "float16")]
    frame = polars.from_arrow(random_table(50 + null_percent, null_percent, types=names))
    for codec, page_size in itertools.product(("uncompressed", *CODECS[1:]), (100, None)):
        path = tmp_path / f"{codec}-{page_size}.parquet"
        frame.write_parquet(path, compression=codec, data_page_size=page_size, row_group_size=1_111)
        # Polars keeps a schema of its own in the metadata; what counts here is what the columns are in Parquet.
        file = pq.ParquetFile(path)
        expected = strip(file.read())
        check_cast(path, expected)


@pytest.mark.parametrize("null_percent", (0, 50))
def test_duckdb(tmp_path, null_percent):
    duckdb = pytest.importorskip("duckdb")
    names = [n for n in TYPES if n not in ("fixed_5", "fixed_16", "time_ms", "time_ns", "decimal_76", "float16", "timestamp_ns")]
    source = random_table(90 + null_percent, null_percent, types=names)  # noqa: F841: DuckDB finds it by name
    for codec in ("uncompressed", "snappy", "zstd", "gzip", "brotli", "lz4_raw"):
        for version in ("v1", "v2"):
            path = tmp_path / f"{codec}-{version}.parquet"
            connection = duckdb.connect()
            connection.sql("set threads=1")
            connection.sql(
                f"copy source to '{path}' (format parquet, codec '{codec}', row_group_size 2048, parquet_version '{version}')"
            )
            # Its v2 files have delta encodings and BYTE_STREAM_SPLIT; pyarrow refuses some of them ("InitBlock EOF").
            check_cast(path, strip(pq.read_table(path) if version == "v1" else source))


def strip(table):
    return pa.table(table.columns, schema=pa.schema([pa.field(f.name, f.type, f.nullable) for f in table.schema]))


def check_cast(path, expected):
    """As check(), where pyarrow gives strings another layout because of metadata that another writer left."""
    for threads in (1, 4):
        actual, _ = read(path, threads=threads, batch_rows=1000)
        columns = [
            column if column.type == field.type else column.cast(field.type)
            for column, field in zip(actual.columns, expected.schema)
        ]
        same(pa.table(columns, names=actual.schema.names), expected)
