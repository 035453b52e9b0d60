"""Hypothesis: random flat tables that pyarrow writes in random ways, read back equal."""

import io

import hypothesis.strategies as st
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import HealthCheck, example, given, settings

import colonnade

_SIGNED = {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}
_UNSIGNED = {8: pa.uint8(), 16: pa.uint16(), 32: pa.uint32(), 64: pa.uint64()}


def _integers(kind, bits, signed):
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return kind, st.integers(low, high)


def _decimals(kind, precision, scale):
    unscaled = st.integers(-(10**precision) + 1, 10**precision - 1)
    import decimal

    context = decimal.Context(prec=100)
    return kind(precision, scale), unscaled.map(lambda u: decimal.Decimal(u).scaleb(-scale, context=context))


# (type, values); the integers behind temporal types are given as such.
KINDS = [
    *(_integers(kind, bits, True) for bits, kind in _SIGNED.items()),
    *(_integers(kind, bits, False) for bits, kind in _UNSIGNED.items()),
    (pa.float32(), st.floats(width=32)),
    (pa.float64(), st.floats()),
    (pa.float16(), st.floats(width=16, allow_nan=False)),
    (pa.bool_(), st.booleans()),
    (pa.date32(), st.integers(-(2**31), 2**31 - 1)),
    (pa.time32("ms"), st.integers(0, 86_399_999)),
    (pa.time64("us"), st.integers(0, 86_399_999_999)),
    (pa.time64("ns"), st.integers(0, 86_399_999_999_999)),
    *((pa.timestamp(unit, zone), st.integers(-(2**63), 2**63 - 1)) for unit in ("ms", "us", "ns") for zone in (None, "UTC")),
    (pa.string(), st.text(max_size=20)),
    (pa.string(), st.sampled_from(["", "a", "repeated text"])),
    (pa.binary(), st.binary(max_size=20)),
    *((pa.binary(n), st.binary(min_size=n, max_size=n)) for n in (1, 5, 16)),
    *(_decimals(pa.decimal128, p, s) for p, s in ((1, 0), (9, 2), (18, 18), (19, 4), (38, 10))),
    *(_decimals(pa.decimal256, p, s) for p, s in ((39, 3), (76, 38))),
]


@st.composite
def columns(draw, rows):
    kind, values = draw(st.sampled_from(KINDS))
    nulls = draw(st.sampled_from(["none", "some", "all"]))
    if nulls == "all":
        return kind, [None] * rows
    if nulls == "some":
        values = st.none() | values
    distinct = draw(st.lists(values, min_size=1, max_size=30))  # few values, so that dictionaries are used
    return kind, [distinct[i] for i in draw(st.lists(st.integers(0, len(distinct) - 1), min_size=rows, max_size=rows))]


@st.composite
def tables(draw):
    rows = draw(st.integers(0, 60))
    made = draw(st.lists(columns(rows), min_size=1, max_size=4))
    return pa.table({f"c{i}": pa.array(values, kind) for i, (kind, values) in enumerate(made)})


def writing():
    return st.fixed_dictionaries(
        {
            "compression": st.sampled_from(["none", "snappy", "zstd"]),
            "data_page_version": st.sampled_from(["1.0", "2.0"]),
            "use_dictionary": st.booleans(),
            "data_page_size": st.sampled_from([1, 64, 1 << 20]),
            "write_batch_size": st.sampled_from([1, 7, 1024]),
            "dictionary_pagesize_limit": st.sampled_from([1, 40, 1 << 20]),
            "row_group_size": st.sampled_from([1, 13, 1 << 20]),
            "store_decimal_as_integer": st.booleans(),
            "write_page_checksum": st.booleans(),
            "store_schema": st.booleans(),
        }
    )


def same(a, b):
    """Equal bit by bit where the types have bits, so that NaN equals itself and -0.0 is not 0.0."""
    if a.type != b.type or len(a) != len(b):
        return False
    if pa.types.is_floating(a.type):
        bits = f"uint{a.type.bit_width}"
        a, b = (c.combine_chunks().view(bits) if isinstance(c, pa.ChunkedArray) else c.view(bits) for c in (a, b))
        return a.to_pylist() == b.to_pylist()
    return a.equals(b)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    table=tables(),
    how=writing(),
    batch_rows=st.sampled_from([1, 7, 8192, None]),
    threads=st.sampled_from([1, 2, 4]),
    string_type=st.sampled_from(["string", "large_string", "view", "dictionary"]),
)
def test_read_back_equal(table, how, batch_rows, threads, string_type):
    sink = io.BytesIO()
    pq.write_table(table, sink, **how)
    contents = sink.getvalue()
    expected = pq.read_table(io.BytesIO(contents))

    file = colonnade.open(contents)
    stream = file.batches(batch_rows=batch_rows, threads=threads)
    schema = pa.schema(stream.schema)
    batches = [pa.record_batch(batch) for batch in stream]
    for batch in batches:
        batch.validate(full=True)
    got = pa.Table.from_batches(batches, schema)
    for name in table.column_names:
        assert same(got[name].combine_chunks(), expected[name].combine_chunks()), name

    kept = file.read(threads=threads, string_type=string_type)
    kept.validate(full=True)
    other = pa.table(kept)
    other.validate(full=True)
    for name in table.column_names:
        column = other[name]
        if column.type != expected[name].type:
            assert column.to_pylist() == expected[name].to_pylist(), name
        else:
            assert same(column.combine_chunks(), expected[name].combine_chunks()), name


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(table=tables(), how=writing(), data=st.data())
@example(table=pa.table({"c0": pa.array(["a"] * 60)}), how={}, data=None)
def test_damaged_files_are_an_error_or_a_table(table, how, data):
    sink = io.BytesIO()
    pq.write_table(table, sink, **how)
    contents = bytearray(sink.getvalue())
    if data is not None:
        for _ in range(data.draw(st.integers(1, 4))):
            contents[data.draw(st.integers(0, len(contents) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        cut = data.draw(st.integers(0, 20))
        if cut > 15:
            del contents[-cut:]
    try:
        result = colonnade.open(bytes(contents), memory_limit=1 << 28).read()
        result.validate(full=False)
    except (colonnade.CorruptError, NotImplementedError, MemoryError):
        return
    assert pa.table(result).num_rows == result.num_rows
