"""The PyCapsule protocol, both ways, with everyone who speaks it."""

import duckdb
import nanoarrow
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import arrow_types
import colonnade
from conftest import numbers, trips

ALL = pytest.mark.parametrize("name", arrow_types.ALL)


def equal(a, b):
    """Equal types and values. pyarrow has no equality for views, and a dictionary's null may be a null of the ids."""
    if pa.types.is_dictionary(a.type) or "view" in str(a.type):
        return a.type == b.type and a.to_pylist() == b.to_pylist()
    return a.type == b.type and a.equals(b)


@ALL
def test_every_type_and_slice_there_and_back(name):
    array = arrow_types.ALL[name]
    for offset, length in arrow_types.SLICES:
        part = array.slice(offset, length)
        column = colonnade.column(part, validate=True)
        assert (len(column), column.null_count) == (len(part), part.to_pylist().count(None))
        back = pa.array(column)
        back.validate(full=True)
        assert equal(back, arrow_types.plain(part)), (offset, length)
        assert pa.field(column.field).type == back.type


@ALL
def test_slices_made_here(name):
    array = arrow_types.ALL[name]
    column = colonnade.column(array)
    for offset, length in arrow_types.SLICES:
        back = pa.array(column.slice(offset, length))
        back.validate(full=True)
        assert equal(back, arrow_types.plain(array.slice(offset, length))), (offset, length)
        column.slice(offset, length).validate(full=True)


@ALL
def test_every_type_in_tables_of_several_batches(name):
    array = arrow_types.ALL[name]
    batches = [pa.record_batch([array.slice(o, n)], ["x"]) for o, n in ((0, 4), (4, 9), (13, 99))]
    source = pa.Table.from_batches(batches)
    table = colonnade.table(source, validate=True)
    assert table.num_rows == len(array)
    back = pa.table(table)
    back.validate(full=True)
    assert equal(back["x"].combine_chunks(), arrow_types.plain(array))
    chunked = pa.chunked_array(table["x"])
    chunked.validate(full=True)
    assert equal(chunked, back["x"])
    for batch in table.batches:
        pa.record_batch(batch).validate(full=True)
        assert equal(pa.array(batch["x"]), pa.record_batch(batch)["x"])
        assert colonnade.table(batch, validate=True).num_rows == len(batch)


@pytest.mark.parametrize("kind", ["UnionType", "list_view", "large_list_view"])
def test_what_is_refused_by_name(kind):
    if kind == "UnionType":
        array = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    else:
        array = pa.array([[1]], getattr(pa, kind)(pa.int8()))
    with pytest.raises(NotImplementedError):
        colonnade.column(array)
    with pytest.raises(NotImplementedError):
        colonnade.table(pa.table({"x": array}))


def test_what_is_not_arrow():
    for wrong in (None, 1, "x", {"a": [1]}):
        for import_ in (colonnade.table, colonnade.column):
            with pytest.raises(TypeError, match="__arrow_c"):
                import_(wrong)


class Lying:
    """Gives something else than capsules."""

    def __init__(self, result):
        self.result = result

    def __arrow_c_array__(self, requested_schema=None):
        return self.result


def test_capsules_that_are_not():
    schema, array = pa.array([1]).__arrow_c_array__()
    for result in (None, (schema,), (array, schema), (schema, 3), "ab"):
        with pytest.raises(TypeError):
            colonnade.column(Lying(result))
    taken = pa.array([1]).__arrow_c_array__()
    colonnade.column(Lying(taken))
    with pytest.raises(ValueError, match="taken"):
        colonnade.column(Lying(taken))


def test_capsules_that_nobody_takes(numbers_path):
    table = colonnade.read_table(numbers_path)
    for _ in range(50):
        table.__arrow_c_stream__()
        table.batches[0].__arrow_c_array__()
        table["id"].__arrow_c_stream__()
        table.schema.__arrow_c_schema__()
        colonnade.open(numbers_path).__arrow_c_stream__()


def test_schemas_fields_and_types(trips_path):
    schema = colonnade.open(trips_path).schema
    assert pa.schema(schema).equals(trips().schema)
    assert pa.field(schema.field("city")).equals(trips().schema.field("city"))
    for field in schema:
        assert nanoarrow.schema(field).name == field.name
        assert pa.field(field.type).type == trips().schema.field(field.name).type
    assert schema == colonnade.table(trips()).schema
    assert hash(schema) == hash(colonnade.table(trips()).schema)
    assert schema != trips().schema and schema.field(0) != "city" and schema.field(0).type == "string"
    assert "city" in schema and "town" not in schema and 3 not in schema
    kept = colonnade.table(pa.table({"a": [1]}, schema=pa.schema([pa.field("a", pa.int8(), metadata={"k": "v"})])))
    assert kept.schema.field("a").metadata == {"k": "v"}
    assert pa.table(kept).schema.field("a").metadata == {b"k": b"v"}


# ---- who takes it ----


def test_pyarrow(numbers_path):
    expected = numbers(100_000)
    table = colonnade.read_table(numbers_path)
    assert pa.table(table).equals(expected)
    assert pa.table(colonnade.open(numbers_path)).equals(expected)
    assert pa.table(colonnade.open(numbers_path).batches(batch_rows=999)).equals(expected)
    reader = pa.RecordBatchReader.from_stream(colonnade.scan(numbers_path))
    assert sum(batch.num_rows for batch in reader) == 100_000


def test_polars(numbers_path):
    table = colonnade.read_table(numbers_path)
    expected = polars.from_arrow(numbers(100_000))
    assert polars.DataFrame(table).equals(expected)
    assert polars.from_arrow(table).struct.unnest().equals(expected)  # a Series of structs, as of any capsule
    assert polars.DataFrame(colonnade.open(numbers_path)).equals(expected)
    assert polars.Series(table["text"]).to_list() == expected["text"].to_list()
    back = colonnade.table(expected, validate=True)
    assert back.to_pydict() == numbers(100_000).to_pydict()


def test_duckdb(numbers_path):
    t = colonnade.read_table(numbers_path)
    expected = (100_000, sum(range(100_000)), 100_000 - 14_286)
    query = "select count(*), sum(id), count(text) from {}"
    assert duckdb.sql(query.format("t")).fetchall() == [expected]
    assert pa.table(duckdb.sql("from t")).num_rows == 100_000
    f = colonnade.open(numbers_path)
    assert duckdb.sql(query.format("f")).fetchall() == [expected]
    s = colonnade.open(numbers_path).batches(string_type="dictionary")
    assert duckdb.sql(query.format("s")).fetchall() == [expected]
    back = colonnade.table(duckdb.sql("select range as id, 'x' || range as name from range(3000)"), validate=True)
    assert back["name"].to_pylist()[-1] == "x2999"


def test_pandas(numbers_path):
    table = colonnade.read_table(numbers_path)
    frame = pandas.DataFrame.from_arrow(table)
    assert frame["id"].sum() == sum(range(100_000))
    assert frame["text"].isna().sum() == table["text"].null_count
    assert colonnade.table(frame[["id"]])["id"].to_pylist() == list(range(100_000))


def test_nanoarrow(numbers_path):
    table = colonnade.read_table(numbers_path)
    stream = nanoarrow.ArrayStream(table)
    assert sum(len(array) for array in stream) == 100_000
    assert nanoarrow.Array(table["half"].chunks[0]).to_pylist() == table["half"].chunks[0].to_pylist()
    assert colonnade.column(nanoarrow.Array([1, None, 3], nanoarrow.int32()), validate=True).to_pylist() == [1, None, 3]


# ---- nothing is copied ----


def addresses(array):
    """(address, size) of each buffer of a pyarrow array, its children's too."""
    found = {b.address for b in array.buffers() if b is not None and b.size > 0}
    if pa.types.is_dictionary(array.type):
        found |= addresses(array.dictionary)
    return found


@pytest.mark.parametrize("string_type", ["string", "large_string", "view", "dictionary"])
def test_pyarrow_sees_our_addresses(tmp_path, string_type):
    path = tmp_path / "flat.parquet"
    table = numbers(5000).append_column("flag", pa.array([i % 3 == 0 for i in range(5000)]))
    pq.write_table(table, path)
    for batch in colonnade.open(path).batches(string_type=string_type):
        exported = pa.record_batch(batch)
        for i, column in enumerate(batch.columns):
            ours = {address for address, _ in column.buffers()}
            theirs = addresses(exported.column(i)) | addresses(pa.array(column))
            assert theirs and theirs <= ours, column


def test_imports_keep_the_addresses():
    array = pa.array(["some", "text", None] * 10)
    column = colonnade.column(array)
    assert {b.address for b in array.buffers()} <= {address for address, _ in column.buffers()}
    assert addresses(pa.array(column)) == addresses(array)


def test_exports_outlive_everything(numbers_path):
    array = pa.array(colonnade.open(numbers_path).read("text", row_groups=[1])["text"].chunks[0])
    assert array.to_pylist() == numbers(60_000)["text"].to_pylist()[30_000:]


# ---- requested_schema ----


def requested(schema):
    return schema.__arrow_c_schema__()


FORMS = {
    "text": [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())],
    "small": [pa.decimal32(9, 2), pa.decimal64(9, 2), pa.decimal128(9, 2), pa.decimal256(9, 2)],
    "list": [pa.list_(pa.int64()), pa.large_list(pa.int64())],
    "deep": [pa.list_(pa.string()), pa.list_(pa.large_string()), pa.list_(pa.string_view())],
}


@pytest.fixture(scope="module")
def formed():
    return pa.table(
        {
            "text": pa.array(["a", None, "a text of many letters"]),
            "small": pa.array([1, None, -2], pa.int32()).cast(pa.decimal128(12, 2)).cast(pa.decimal128(9, 2)),
            "list": pa.array([[1, 2], None, []]),
            "deep": pa.array([["x"], None, [None, "a text of many letters"]]),
        }
    )


@pytest.mark.parametrize(("name", "form"), [(n, f) for n, forms in FORMS.items() for f in forms], ids=str)
def test_a_consumer_gets_the_form_it_asks_for(formed, name, form):
    table = colonnade.table(formed.select([name]))
    schema = pa.schema([(name, form)])
    got = pa.RecordBatchReader._import_from_c_capsule(table.__arrow_c_stream__(requested(schema))).read_all()
    got.validate(full=True)
    assert got.schema.field(name).type == form
    assert got[name].to_pylist() == formed[name].to_pylist()

    column = table[name]
    got = pa.chunked_array(_Fixed(column.__arrow_c_stream__(requested(pa.field(name, form)))))
    assert got.type == form and got.to_pylist() == formed[name].to_pylist()

    chunk = column.chunks[0]
    got = pa.Array._import_from_c_capsule(*chunk.__arrow_c_array__(requested(pa.field(name, form))))
    assert got.type == form and got.to_pylist() == formed[name].to_pylist()

    batch = table.batches[0]
    got = pa.RecordBatch._import_from_c_capsule(*batch.__arrow_c_array__(requested(schema)))
    assert got.schema.field(name).type == form and got[name].to_pylist() == formed[name].to_pylist()


class _Fixed:
    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


@pytest.mark.parametrize("form", FORMS["text"], ids=str)
def test_files_and_streams_give_the_form_too(trips_path, form):
    schema = trips().schema.set(0, pa.field("city", form, nullable=False))
    file = colonnade.open(trips_path)
    for source in (file, file.batches(), file.batches(string_type="dictionary"), file.read()):
        reader = pa.RecordBatchReader._import_from_c_capsule(source.__arrow_c_stream__(requested(schema)))
        table = reader.read_all()
        table.validate(full=True)
        assert table.schema.field("city").type == form
        assert table.schema.field("fare").type == pa.decimal128(9, 2)
        assert table["city"].to_pylist() == trips()["city"].to_pylist()


@pytest.mark.parametrize(
    "schema",
    [
        pa.schema([("text", pa.binary())]),  # another type
        pa.schema([("text", pa.int64())]),
        pa.schema([("other", pa.large_string())]),  # another name
        pa.schema([("text", pa.large_string()), ("more", pa.int8())]),  # other fields
        pa.schema([]),
        pa.schema([("text", pa.sparse_union([pa.field("a", pa.int8())]))]),  # nothing we have
    ],
    ids=str,
)
def test_what_cannot_be_met_is_left_as_it_is(formed, schema):
    table = colonnade.table(formed.select(["text"]))
    got = pa.RecordBatchReader._import_from_c_capsule(table.__arrow_c_stream__(requested(schema))).read_all()
    assert got.schema.field("text").type == pa.string()


def test_a_requested_schema_stays_the_consumers(formed):
    table = colonnade.table(formed.select(["text"]))
    capsule = requested(pa.schema([("text", pa.string_view())]))
    for _ in range(3):  # it may be used again
        reader = pa.RecordBatchReader._import_from_c_capsule(table.__arrow_c_stream__(capsule))
        assert reader.schema.field("text").type == pa.string_view()


def test_a_requested_schema_must_be_one(formed):
    table = colonnade.table(formed)
    with pytest.raises(TypeError, match="arrow_schema"):
        table.__arrow_c_stream__(table.__arrow_c_stream__())
    with pytest.raises(TypeError, match="arrow_schema"):
        table.__arrow_c_stream__("view")


def test_a_stream_is_taken_over_once(trips_path):
    stream = colonnade.open(trips_path).batches(batch_rows=1)
    next(stream)
    assert pa.table(stream).num_rows == 3
    assert stream.closed
    with pytest.raises(ValueError, match="closed"):
        pa.table(stream)


def test_errors_reach_the_consumer(tmp_path):
    path = tmp_path / "bad.parquet"
    pq.write_table(pa.table({"x": ["some text"] * 1000}), path, compression="snappy")
    contents = bytearray(path.read_bytes())
    contents[40:60] = b"\xff" * 20
    with pytest.raises(Exception, match="column 'x'") as caught:
        pa.table(colonnade.open(contents))
    assert not isinstance(caught.value, RuntimeError)


def test_the_kind_of_an_error_survives_a_stream(tmp_path):
    path = tmp_path / "bad.parquet"
    pq.write_table(pa.table({"x": ["some text"] * 1000}), path, compression="snappy")
    contents = bytearray(path.read_bytes())
    contents[40:60] = b"\xff" * 20
    for take in (colonnade.table, colonnade.column):
        with pytest.raises(colonnade.CorruptError, match="column 'x'"):
            take(colonnade.open(contents))
        with pytest.raises(MemoryError, match="memory"):
            take(colonnade.open(path, memory_limit=1000))


def test_values_of_runs_are_validated_before_they_are_repeated():
    def strings(middle):
        offsets = pa.py_buffer(np.array([0, middle, 2], np.int32).tobytes())
        return pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab")])

    kind = pa.run_end_encoded(pa.int32(), pa.string())
    for bad in (-5, 3, 1_000_000_000):
        array = pa.Array.from_buffers(kind, 5, [None], children=[pa.array([2, 5], pa.int32()), strings(bad)])
        with pytest.raises(colonnade.CorruptError, match="offset"):
            colonnade.column(array, validate=True)
        with pytest.raises(colonnade.CorruptError, match="offset"):
            colonnade.table(pa.table({"r": array}), validate=True)


def test_an_error_of_the_producer_reaches_us():
    def batches():
        yield pa.record_batch({"a": [1]})
        raise ValueError("no more of it")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), batches())
    with pytest.raises(Exception, match="no more of it"):
        colonnade.table(reader)


def test_nulls_of_polars():
    for frame in (polars.DataFrame({"n": [None, None]}), polars.DataFrame({"n": [None, None], "x": [1, 2]}).slice(1), polars.DataFrame({"n": []})):
        table = colonnade.table(frame, validate=True)
        assert table.to_pydict() == frame.to_dict(as_series=False)
        assert pa.table(table).column("n").null_count == frame.height
    assert colonnade.table(polars.DataFrame({"l": [[None], []], "s": [{"a": None}, None]})).to_pydict() == {"l": [[None], []], "s": [{"a": None}, None]}


def last_field(nested):
    return nested.item_field if pa.types.is_map(nested) else nested.field(0)


def test_a_request_changes_forms_and_no_metadata():
    field = pa.field("j", pa.string(), metadata={"mine": "1"})
    types = [pa.struct([field]), pa.list_(field), pa.list_(field, 1), pa.map_(pa.string(), field)]
    for own in types:
        table = colonnade.table(pa.table({"s": pa.array([], own)}))
        for metadata in (None, {"alien": "x"}):
            large = pa.field("j", pa.large_string(), metadata=metadata)
            wanted = {0: pa.struct([large]), 1: pa.list_(large), 2: pa.list_(large, 1), 3: pa.map_(pa.string(), large)}[types.index(own)]
            reader = pa.RecordBatchReader.from_stream(table, schema=pa.schema([("s", wanted)]))
            child, plain = (last_field(schema.field("s").type) for schema in (reader.schema, pa.table(table).schema))
            assert child.type == pa.large_string() and child.metadata == plain.metadata, own
            assert plain.metadata == {b"mine": b"1"} or pa.types.is_map(own)  # whose metadata pyarrow drops


def test_a_bad_request_leaves_the_stream_open(trips_path):
    stream = colonnade.open(trips_path).batches()
    with pytest.raises(TypeError):
        stream.__arrow_c_stream__(5)
    assert pa.table(stream).num_rows == 4
