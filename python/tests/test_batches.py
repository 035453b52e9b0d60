"""Streams: how rows are cut, chosen and ordered."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade
from conftest import numbers

ROWS = 100_000
GROUP = 30_000


def ids(stream):
    return [value for batch in stream for value in batch["id"].to_pylist()]


@pytest.mark.parametrize("threads", [1, 2, 4, None])
@pytest.mark.parametrize("batch_rows", [None, 999, 8192, 10**9])
def test_all_rows_in_order(numbers_path, batch_rows, threads):
    stream = colonnade.open(numbers_path).batches(batch_rows=batch_rows, threads=threads)
    expected = numbers(ROWS)
    batches = list(stream)
    assert pa.Table.from_batches([pa.record_batch(b) for b in batches]).equals(expected)
    most = 8192 if batch_rows is None else batch_rows
    assert max(len(b) for b in batches) == min(most, GROUP)


def test_the_borders_do_not_depend_on_threads(numbers_path):
    file = colonnade.open(numbers_path)
    for batch_rows in (None, 7001):
        cuts = [[len(b) for b in file.batches(batch_rows=batch_rows, threads=t)] for t in (1, 2, 3, 8)]
        assert cuts[0] == cuts[1] == cuts[2] == cuts[3]


def test_single_rows(trips_path):
    assert [len(b) for b in colonnade.open(trips_path).batches(batch_rows=1)] == [1] * 4


def test_batch_bytes(numbers_path):
    batches = list(colonnade.open(numbers_path).batches(["id"], batch_bytes=8000))
    assert sum(map(len, batches)) == ROWS
    assert max(b.nbytes for b in batches) <= 8000


def test_columns_in_the_order_asked_for(numbers_path):
    file = colonnade.open(numbers_path)
    stream = file.batches(["half", "id"])
    assert stream.schema.names == ["half", "id"]
    assert next(stream).column_names == ["half", "id"]
    assert file.batches("id").schema.names == ["id"]
    assert file.batches(c for c in ("id", "text")).schema.names == ["id", "text"]


def test_no_columns(numbers_path):
    stream = colonnade.open(numbers_path).batches([])
    batches = list(stream)
    assert sum(b.num_rows for b in batches) == ROWS
    assert batches[0].num_columns == 0
    assert pa.record_batch(batches[0]).num_rows == batches[0].num_rows


def test_row_groups(numbers_path):
    file = colonnade.open(numbers_path)
    assert ids(file.batches(["id"], row_groups=[3])) == list(range(90_000, ROWS))
    assert ids(file.batches(["id"], row_groups=[2, 0])) == [*range(60_000, 90_000), *range(30_000)]
    assert ids(file.batches(["id"], row_groups=[])) == []
    assert file.read("id", row_groups=[1])["id"].to_pylist() == list(range(30_000, 60_000))
    for wrong in ([4], [-1]):
        with pytest.raises(ValueError):
            file.batches(row_groups=wrong)


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 50])
def test_splits_give_each_row_once(numbers_path, parts):
    file = colonnade.open(numbers_path)
    size = numbers_path.stat().st_size
    edges = [size * i // parts for i in range(parts + 1)]
    rows = []
    for begin, end in zip(edges, edges[1:]):
        rows += ids(file.batches(["id"], split=(begin, end - begin)))
    assert rows == list(range(ROWS))


@pytest.mark.parametrize(
    ("string_type", "arrow_type"),
    [
        ("string", pa.string()),
        ("large_string", pa.large_string()),
        ("view", pa.string_view()),
        ("dictionary", pa.dictionary(pa.int32(), pa.string())),
    ],
)
def test_string_types(numbers_path, string_type, arrow_type):
    expected = numbers(ROWS)["text"].to_pylist()
    file = colonnade.open(numbers_path)
    stream = file.batches(["text"], string_type=string_type)
    assert pa.schema(stream.schema).field("text").type == arrow_type
    assert pa.field(stream.schema.field("text")).type == arrow_type
    batches = list(stream)
    assert [v for b in batches for v in b["text"].to_pylist()] == expected
    for batch in batches:
        array = pa.array(batch["text"])
        array.validate(full=True)
        assert array.type == arrow_type
        assert pa.record_batch(batch).schema.field("text").type == arrow_type
    table = file.read(["text"], string_type=string_type)
    assert pa.table(table).schema.field("text").type == arrow_type
    assert table["text"].to_pylist() == expected


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"columns": [1]}, TypeError),
        ({"columns": 7}, TypeError),
        ({"columns": ["id", "id"]}, ValueError),
        ({"batch_rows": 0}, ValueError),
        ({"batch_rows": -1}, ValueError),
        ({"batch_rows": 2**63}, ValueError),
        ({"batch_rows": 1.5}, TypeError),
        ({"batch_rows": True}, TypeError),
        ({"batch_bytes": 0}, ValueError),
        ({"threads": 0}, ValueError),
        ({"threads": 2**31}, ValueError),
        ({"threads": "2"}, TypeError),
        ({"row_groups": 0}, TypeError),
        ({"row_groups": ["0"]}, TypeError),
        ({"split": 3}, TypeError),
        ({"split": (0,)}, TypeError),
        ({"split": (-1, 5)}, ValueError),
        ({"string_type": "utf8"}, ValueError),
        ({"string_type": 1}, TypeError),
    ],
)
def test_wrong_arguments(numbers_path, arguments, error):
    with pytest.raises(error):
        colonnade.open(numbers_path).batches(**arguments)


def test_a_stream_ends_once_and_stays_ended(trips_path):
    stream = colonnade.open(trips_path).batches()
    assert len(list(stream)) == 1
    assert next(stream, "end") == "end"
    assert next(stream, "end") == "end"


def test_closing_a_stream(trips_path):
    with colonnade.open(trips_path).batches(batch_rows=1) as stream:
        first = next(stream)
        assert not stream.closed
    assert stream.closed and "closed" in repr(stream)
    with pytest.raises(ValueError, match="closed"):
        next(stream)
    stream.close()
    assert stream.schema.names == ["city", "day", "riders", "fare"]
    assert first.to_pylist()[0]["city"] == "Oslo"  # what was given out stays


def test_metrics(numbers_path):
    stream = colonnade.open(numbers_path).batches()
    list(stream)
    metrics = stream.metrics()
    assert metrics["read_bytes"] > 0
    assert all(isinstance(value, int) for value in metrics.values())
    stream.close()
    assert stream.metrics() == metrics


def test_batches_outlive_their_file(tmp_path):
    path = tmp_path / "gone.parquet"
    pq.write_table(numbers(1000), path)
    file = colonnade.open(path)
    stream = file.batches()
    batch = next(stream)
    stream.close()
    file.close()
    del file, stream
    path.unlink()
    assert batch["id"].to_pylist() == list(range(1000))
