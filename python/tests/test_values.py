"""to_pylist: every type, exactly."""

import datetime
import decimal
import zoneinfo

import pyarrow as pa
import pytest

import arrow_types
import colonnade


def values(array, **options):
    return colonnade.column(array).to_pylist(**options)


def same(a, b):
    """Equal, and of equal types all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, decimal.Decimal):
        return a == b
    if isinstance(a, float):
        return repr(a) == repr(b)
    return a == b


def as_microseconds(array):
    """pyarrow makes pandas objects of nanoseconds."""
    kind = array.type
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        return array.cast(pa.timestamp("us", kind.tz))
    if pa.types.is_duration(kind) and kind.unit == "ns":
        return array.cast(pa.duration("us"))
    return array


@pytest.mark.parametrize("name", arrow_types.ALL)
def test_every_type_as_pyarrow_gives_it(name):
    array = arrow_types.ALL[name]
    for offset, length in arrow_types.SLICES:
        part = array.slice(offset, length)
        expected = as_microseconds(part).to_pylist()
        if pa.types.is_interval(array.type):
            expected = [None if v is None else tuple(v) for v in expected]
        got = values(part)
        assert same(got, expected), (offset, length)


@pytest.mark.parametrize("name", [n for n in arrow_types.FLAT if n.startswith(("date", "time", "duration"))])
def test_temporal_values_as_integers(name):
    array = arrow_types.FLAT[name]
    width = {4: pa.int32(), 8: pa.int64()}[array.type.bit_width // 8]
    assert values(array, temporal="int") == array.view(width).to_pylist()


def test_the_zone_of_a_timestamp():
    instants = pa.array([0, 15_638_400], pa.timestamp("s"))
    naive = [datetime.datetime(1970, 1, 1), datetime.datetime(1970, 7, 1)]
    assert values(instants) == naive
    for zone, tzinfo in (
        ("UTC", datetime.timezone.utc),
        ("Europe/Berlin", zoneinfo.ZoneInfo("Europe/Berlin")),
        ("-02:30", datetime.timezone(-datetime.timedelta(hours=2, minutes=30))),
        ("+0130", datetime.timezone(datetime.timedelta(hours=1, minutes=30))),
    ):
        got = values(instants.cast(pa.timestamp("s", zone)))
        assert got == [t.replace(tzinfo=datetime.timezone.utc) for t in naive]
        assert [t.utcoffset() for t in got] == [t.astimezone(tzinfo).utcoffset() for t in got]
        assert str(got[0].tzinfo) == str(tzinfo)


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (pa.array([0, 1_001], pa.timestamp("ns")), "nanoseconds"),
        (pa.array([0, -1], pa.duration("ns")), "nanoseconds"),
        (pa.array([0, 999], pa.time64("ns")), "nanoseconds"),
        (pa.array([0, 253_402_300_800], pa.timestamp("s")), "9999"),
        (pa.array([0, -62_135_596_801], pa.timestamp("s", "UTC")), "9999"),
        (pa.array([0, 253_402_300_799], pa.timestamp("s", "+01:00")), "9999"),
        (pa.array([0, 2**63 - 1], pa.timestamp("ms")), "9999"),
        (pa.array([0, -(2**63)], pa.timestamp("us")), "9999"),
        (pa.array([0, 2**31 - 1], pa.int32()).view(pa.date32()), "9999"),
        (pa.array([0, 2**63 - 1], pa.int64()).view(pa.date64()), "whole day"),
        (pa.array([0, 86_400], pa.int32()).view(pa.time32("s")), "outside the day"),
        (pa.array([0, -1], pa.int64()).view(pa.time64("us")), "outside the day"),
        (pa.array([0, 2**63 - 1], pa.duration("s")), "timedelta"),
        (pa.array([0, 0], pa.timestamp("s", "Mars/Olympus")).slice(1), "time zone"),
    ],
)
def test_what_python_cannot_hold_is_an_error_and_never_cut_off(array, text):
    with pytest.raises(colonnade.DataError, match=text) as caught:
        values(array)
    assert f"row {len(array) - 1}" in str(caught.value)
    assert values(array, temporal="int") == array.view(f"int{array.type.bit_width}").to_pylist()


def test_text_that_is_not_utf8():
    array = pa.StringArray.from_buffers(3, pa.py_buffer(b"\0\0\0\0\1\0\0\0\3\0\0\0\4\0\0\0"), pa.py_buffer(b"a\xc3(b"))
    table = colonnade.table(pa.table({"name": array}))
    with pytest.raises(colonnade.CorruptError, match="UTF-8") as caught:
        table.to_pylist()
    assert caught.value.place.column == "name"
    assert "row 1" in str(caught.value)
    assert "?" in repr(table)  # looking at it must not fail
    assert table["name"][0] == "a" and table["name"][2] == "b"


def test_the_row_of_a_bad_value_counts_all_chunks():
    good = pa.array([0, 1000], pa.timestamp("ns"))
    bad = pa.array([2000, 1, 3], pa.timestamp("ns"))
    column = colonnade.column(pa.chunked_array([good, good, bad]))
    with pytest.raises(colonnade.DataError, match="row 5"):
        column.to_pylist()


def test_the_row_of_one_value_that_is_asked_for():
    array = pa.array([0, 1000, 0, 1], pa.timestamp("ns"))
    for column in (colonnade.column(array), colonnade.column(pa.chunked_array([array]))):
        with pytest.raises(colonnade.DataError, match="row 3"):
            column[3]
        with pytest.raises(colonnade.DataError, match="row 3"):
            column[-1]


def test_values_under_null_parents_are_not_looked_at():
    child = pa.array([1, 1000], pa.timestamp("ns"))  # the first does not fit into a datetime
    valid = pa.py_buffer(b"\x02")
    structs = pa.StructArray.from_buffers(pa.struct([("t", child.type)]), 2, [valid], children=[child])
    assert values(structs) == [None, {"t": datetime.datetime(1970, 1, 1, 0, 0, 0, 1)}]
    lists = pa.FixedSizeListArray.from_buffers(pa.list_(child.type, 1), 2, [valid], children=[child])
    assert values(lists) == [None, [datetime.datetime(1970, 1, 1, 0, 0, 0, 1)]]


def test_a_struct_with_two_fields_of_one_name():
    array = pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
    with pytest.raises(colonnade.DataError, match="one name"):
        values(array)


def test_equal_dictionary_values_are_one_object_but_lists_are_not_shared():
    names = values(pa.array(["a long name", "other", "a long name"]).dictionary_encode())
    assert names[0] is names[2]
    lists = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int32()), pa.array([[1, 2]]))
    a, b = values(lists)
    assert a == b == [1, 2] and a is not b


def test_hostile_offsets_are_refused():
    offsets = pa.py_buffer((0).to_bytes(4, "little") + (9).to_bytes(4, "little") + (3).to_bytes(4, "little"))
    array = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"abc"))
    for use in (lambda: values(array), lambda: colonnade.column(array, validate=True)):
        with pytest.raises(colonnade.CorruptError):
            use()
    ids = pa.DictionaryArray.from_arrays(pa.array([0, 5], pa.int32()), pa.array(["a"]), safe=False)
    for use in (lambda: values(ids), lambda: colonnade.column(ids, validate=True)):
        with pytest.raises(colonnade.CorruptError):
            use()


def test_the_temporal_argument():
    with pytest.raises(ValueError, match="temporal"):
        values(pa.array([1]), temporal="pandas")
    with pytest.raises(TypeError):
        values(pa.array([1]), temporal=1)
