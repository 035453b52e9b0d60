"""Columns as NumPy arrays: beside pyarrow where it keeps the type, and by value elsewhere."""

import datetime
import decimal

import numpy as np
import pyarrow as pa
import pytest

import arrow_types
import colonnade

KEPT = [
    name
    for name, array in arrow_types.FLAT.items()
    if pa.types.is_primitive(array.type) and not (pa.types.is_time(array.type) or pa.types.is_interval(array.type))
    if array.type != pa.date64()
]


def same(a, b):
    return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind in "fmM")


@pytest.mark.parametrize("name", KEPT)
def test_types_that_numpy_has(name):
    array = arrow_types.FLAT[name].drop_null()
    for part in (array, array.slice(1), array.slice(0, 0), array.slice(len(array))):
        expected = part.to_numpy(zero_copy_only=False)
        assert same(np.array(colonnade.column(part)), expected), name
        chunked = colonnade.column(pa.chunked_array([part, part.slice(1), part], part.type))
        assert same(np.asarray(chunked), np.concatenate([expected, expected[1:], expected])), name


@pytest.mark.parametrize("name", KEPT)
def test_nulls(name):
    array = arrow_types.FLAT[name]
    got = np.array(colonnade.column(array))
    if array.null_count == 0 or got.dtype.kind in "fmM":
        assert same(got, array.to_numpy(zero_copy_only=False))
    else:
        assert got.dtype == object and list(got) == array.to_pylist()


def test_other_types_are_objects():
    day, time = datetime.date(2024, 2, 29), datetime.time(23, 59)
    for values, kind in (
        (["a", None, "b"], None),
        ([b"\xff", b""], None),
        ([decimal.Decimal("1.50"), None], pa.decimal128(5, 2)),
        ([time, None], pa.time32("s")),
        ([day, None], pa.date64()),
        ([[1, 2], [3, 4], None], None),
        ([{"x": 1}, {"x": 2}], None),
    ):
        got = np.array(colonnade.column(pa.array(values, kind)))
        assert got.dtype == object and got.shape == (len(values),) and list(got) == values


def test_encoded_columns():
    for array in (pa.array([7, 7, 8, 7], pa.int16()), pa.array([1.5, 1.5, None, 2.0])):
        expected = array.to_numpy(zero_copy_only=False)
        assert same(np.array(colonnade.column(array.dictionary_encode())), expected)
        assert same(np.array(colonnade.column(pa.compute.run_end_encode(array))), expected)


def test_instants_beyond_the_datetime_module():
    array = pa.array([1, None, 2**62], pa.timestamp("ns", "Europe/Oslo"))
    got = np.array(colonnade.column(array))
    assert got.dtype == "datetime64[ns]" and list(got.astype("int64")[[0, 2]]) == [1, 2**62] and np.isnat(got[1])


def test_what_numpy_asks_for():
    column = colonnade.column(pa.array([1, 2, 3], pa.int32()))
    assert np.array(column, dtype="float32").dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        np.array(column, copy=False)
    array = np.asarray(column)
    array[0] = 9  # its own memory
    assert column.to_pylist() == [1, 2, 3]


def test_pandas_keeps_the_types():
    pandas = pytest.importorskip("pandas")
    column = colonnade.column(pa.array([1, 2], pa.uint8()))
    assert pandas.Series(column).dtype == np.uint8
    assert pandas.DataFrame({"a": column, "b": colonnade.column(pa.array([0.5, None], pa.float32()))}).dtypes.tolist() == [np.uint8, np.float32]
