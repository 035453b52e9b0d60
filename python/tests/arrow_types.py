"""An array of every Arrow type that Colonnade imports, with nulls, made from fixed values."""

import datetime
import decimal

import pyarrow as pa
import pyarrow.compute as pc

LENGTH = 21


def _with_nulls(values):
    return [None if i % 5 == 2 else value for i, value in enumerate(values)]


def _numbers(bits, signed):
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return [low, high, *(i % (high + 1) for i in range(2, LENGTH))]


def _decimals(precision, scale):
    top = 10**precision - 1
    unscaled = [top, -top, 0, 1, -1, *(i * top // LENGTH for i in range(5, LENGTH))]
    context = decimal.Context(prec=100)
    return [decimal.Decimal(u).scaleb(-scale, context=context) for u in unscaled]


def _instants(units_per_second):
    # All of them whole microseconds within the years 1 to 9999, and in the range of nanoseconds.
    seconds = [0, -1, 951_782_399, 951_868_800, -2_208_988_800, *(i * 86_399 for i in range(5, LENGTH))]
    step = max(units_per_second // 1_000_000, 1)
    return [s * units_per_second + (i * step if units_per_second > 1 else 0) for i, s in enumerate(seconds)]


_TEXTS = ["", "a", "é", "日本", "twelve bytes", "thirteen byte", "😀" * 5, *(f"text number {i}" for i in range(7, LENGTH))]
_BYTES = [text.encode() + b"\x00\xff" for text in _TEXTS]
_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}


def _flat():
    yield "null", pa.nulls(LENGTH)
    yield "bool", pa.array(_with_nulls([i % 3 == 0 for i in range(LENGTH)]))
    for bits in (8, 16, 32, 64):
        yield f"int{bits}", pa.array(_with_nulls(_numbers(bits, True)), f"int{bits}")
        yield f"uint{bits}", pa.array(_with_nulls(_numbers(bits, False)), f"uint{bits}")
    floats = [0.0, -0.0, 1.5, float("inf"), float("-inf"), *(i / 8 for i in range(5, LENGTH))]
    for kind in ("float16", "float32", "float64"):
        yield kind, pa.array(_with_nulls(floats), kind)
    for kind, precision, scale in (
        (pa.decimal32, 9, 2),
        (pa.decimal64, 18, 0),
        (pa.decimal128, 7, 7),
        (pa.decimal128, 15, 2),
        (pa.decimal128, 38, 10),
        (pa.decimal256, 39, 39),
        (pa.decimal256, 76, 20),
        (pa.decimal128, 5, -3),
    ):
        name = f"{kind.__name__}({precision}, {scale})"
        yield name, pa.array(_with_nulls(_decimals(precision, scale)), kind(precision, scale))
    days = [datetime.date(1, 1, 1), datetime.date(9999, 12, 31), datetime.date(2000, 2, 29)]
    days += [datetime.date(1970, 1, 1) + datetime.timedelta(days=i * 400 - 3000) for i in range(3, LENGTH)]
    yield "date32", pa.array(_with_nulls(days), pa.date32())
    yield "date64", pa.array(_with_nulls(days), pa.date64())
    for kind, unit in ((pa.time32, "s"), (pa.time32, "ms"), (pa.time64, "us"), (pa.time64, "ns")):
        day = 86_400 * _PER_SECOND[unit]
        step = 1_000 if unit == "ns" else 1
        times = [0, day - step, *(i * day // LENGTH // step * step for i in range(2, LENGTH))]
        yield f"time[{unit}]", pa.array(_with_nulls(times), kind(unit))
    for unit, per_second in _PER_SECOND.items():
        instants = _with_nulls(_instants(per_second))
        for zone in (None, "UTC", "Europe/Berlin", "+05:30"):
            yield f"timestamp[{unit}, {zone}]", pa.array(instants, pa.timestamp(unit, zone))
        yield f"duration[{unit}]", pa.array(instants, pa.duration(unit))
    intervals = [(i - 3, 2 * i - 9, i * 10**12 - 5) for i in range(LENGTH)]
    yield "month_day_nano_interval", pa.array(_with_nulls(intervals), pa.month_day_nano_interval())
    for name in ("string", "large_string", "string_view"):
        yield name, pa.array(_with_nulls(_TEXTS), getattr(pa, name)())
    for name in ("binary", "large_binary", "binary_view"):
        yield name, pa.array(_with_nulls(_BYTES), getattr(pa, name)())
    yield "binary(3)", pa.array(_with_nulls([bytes([i, 0, 255 - i]) for i in range(LENGTH)]), pa.binary(3))
    yield "all valid", pa.array(range(LENGTH), pa.int32())
    yield "empty", pa.array([], pa.string())


def _nested():
    lists = _with_nulls([[j if j % 3 else None for j in range(i % 4)] for i in range(LENGTH)])
    yield "list", pa.array(lists, pa.list_(pa.int16()))
    yield "large_list", pa.array(lists, pa.large_list(pa.int16()))
    texts = _with_nulls([[_TEXTS[i], None] for i in range(LENGTH)])
    yield "fixed_size_list", pa.array(texts, pa.list_(pa.string(), 2))
    structs = _with_nulls([{"a": i, "b": _TEXTS[i] if i % 2 else None} for i in range(LENGTH)])
    kind = pa.struct([("a", pa.int64()), ("b", pa.string())])
    yield "struct", pa.array(structs, kind)
    maps = _with_nulls([[(f"k{j}", j or None) for j in range(i % 3)] for i in range(LENGTH)])
    yield "map", pa.array(maps, pa.map_(pa.string(), pa.int32()))
    deep = _with_nulls([[{"a": i, "b": None}, None][: i % 3] for i in range(LENGTH)])
    yield "list of struct", pa.array(deep, pa.list_(kind))
    yield "struct of list", pa.array(
        _with_nulls([{"x": lists[i]} for i in range(LENGTH)]), pa.struct([("x", pa.list_(pa.int16()))])
    )


def _encoded():
    few = pa.array(_with_nulls([("red", "green", "a blue of many letters")[i % 3] for i in range(LENGTH)]))
    for index in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        yield f"dictionary<{index}>", few.cast(pa.dictionary(index, pa.string()))
    yield "dictionary of int", pa.array(_with_nulls([i % 4 for i in range(LENGTH)])).dictionary_encode()
    yield "dictionary, ordered", pa.DictionaryArray.from_arrays(
        pa.array(_with_nulls([i % 3 for i in range(LENGTH)]), pa.int32()), pa.array(["x", "y", "z"]), ordered=True
    )
    yield "dictionary with null value", pa.DictionaryArray.from_arrays(
        pa.array(_with_nulls([i % 3 for i in range(LENGTH)]), pa.int32()), pa.array(["x", None, "z"])
    )
    for run_ends in ("int16", "int32", "int64"):
        ends = pa.array([4, 9, 10, LENGTH], run_ends)
        yield f"run ends {run_ends}", pa.RunEndEncodedArray.from_arrays(ends, pa.array(["p", None, "q", "p"]))
    ends = pa.array([5, LENGTH], pa.int32())
    yield "run ends of decimal", pa.RunEndEncodedArray.from_arrays(ends, pa.array(_decimals(20, 3)[:2], pa.decimal128(20, 3)))


FLAT = dict(_flat())
NESTED = dict(_nested())
ENCODED = dict(_encoded())
ALL = {**FLAT, **NESTED, **ENCODED}

# (offset, length) for arrays of LENGTH; the last is empty.
SLICES = ((0, LENGTH), (1, LENGTH - 1), (3, 5), (8, 9), (2, 1), (LENGTH, 0))


def plain(array):
    """The same values as Colonnade gives them back: no run ends, dictionaries with int32 ids."""
    kind = array.type
    if pa.types.is_run_end_encoded(kind):
        return pc.run_end_decode(array)
    if pa.types.is_dictionary(kind) and kind.index_type != pa.int32():
        return array.cast(pa.dictionary(pa.int32(), kind.value_type, kind.ordered))
    return array

