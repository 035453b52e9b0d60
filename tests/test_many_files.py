"""Several files as one table: a union of their columns by name, and columns from the names of partition folders."""

import datetime
import decimal
import os
import random
import resource
import time

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade

from command_line import fails, needs_command_line, run
from table_equality import same

# Types between which a column may change from file to file, where pyarrow's permissive union has the same rules.
FAMILIES = {
    "integer": (pa.int8(), pa.int16(), pa.int32(), pa.int64()),
    "unsigned": (pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
    "of either sign": (pa.int8(), pa.uint8(), pa.uint16(), pa.int32(), pa.uint32()),
    "float": (pa.float32(), pa.float64()),
    "decimal": (pa.decimal128(5, 2), pa.decimal128(20, 2), pa.decimal128(38, 2), pa.decimal128(20, 9)),
    "text": (pa.string(),),
    "unknown": (pa.null(), pa.string()),
    "list": (pa.list_(pa.field("element", pa.int32())), pa.list_(pa.field("element", pa.int64()))),
    "struct": (
        pa.struct([("a", pa.int32())]),
        pa.struct([("b", pa.float64()), ("a", pa.int64())]),
        pa.struct([("c", pa.list_(pa.field("element", pa.string())))]),
    ),
}


def random_value(r, type):
    if pa.types.is_null(type) or r.random() < 0.2:
        return None
    if pa.types.is_integer(type):
        bits = type.bit_width
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if pa.types.is_signed_integer(type) else (0, (1 << bits) - 1)
        return r.choice((low, high, 0, r.randint(low, high)))
    if pa.types.is_decimal(type):
        unscaled = r.choice((-1, 1)) * r.choice((10**type.precision - 1, r.randrange(10**type.precision), 0))
        return decimal.Decimal(unscaled).scaleb(-type.scale, decimal.Context(prec=76))
    if pa.types.is_float32(type):
        return float(r.choice((float("inf"), -0.0, 1.5, r.randrange(1 << 24) / 1024)))
    if pa.types.is_floating(type):
        return r.choice((float("-inf"), -0.0, r.random()))
    if pa.types.is_list(type):
        return [random_value(r, type.value_type) for _ in range(r.randrange(4))]
    if pa.types.is_struct(type):
        return {field.name: random_value(r, field.type) for field in type}
    return "".join(r.choice("aé中😀 ") for _ in range(r.randrange(20)))


def random_files(seed, files, folder):
    """Tables as read back from `folder`, with some of the families' columns each, in any order and of any type."""
    r = random.Random(seed)
    tables = []
    for i in range(files):
        names = r.sample(list(FAMILIES), r.randint(1, len(FAMILIES)))
        rows = r.choice((0, 1, 100, 1500))
        columns = {name: pa.array([random_value(r, type) for _ in range(rows)], type) for name in names for type in [r.choice(FAMILIES[name])]}
        path = folder / f"{i:02}.parquet"
        pq.write_table(pa.table(columns), path, store_schema=False, row_group_size=r.choice((7, 137, 5000)))
        tables.append(pq.read_table(path))
    return tables


@pytest.mark.parametrize("files", (1, 3, 17))
@pytest.mark.parametrize("seed", range(6))
def test_the_union_is_that_of_pyarrow(tmp_path, seed, files):
    tables = random_files(seed * 100 + files, files, tmp_path)
    expected = pa.concat_tables(tables, promote_options="permissive")
    for threads in (1, 3):
        same(pa.table(colonnade.read_table(tmp_path, union_by_name=True, threads=threads)), expected)
    streamed = pa.table(colonnade.scan(tmp_path, union_by_name=True, batch_rows=100))
    same(streamed, expected)
    chosen = random.Random(seed).sample(expected.column_names, min(3, len(expected.column_names)))
    same(pa.table(colonnade.read_table(tmp_path, chosen, union_by_name=True)), expected.select(chosen))


@pytest.mark.parametrize("dictionary", (True, False))
def test_strings_that_some_files_lack_come_in_every_form(tmp_path, dictionary):
    for i, columns in enumerate(({"n": [1]}, {"s": ["x", None, "x"]}, {"n": [2], "s": ["y" * 20]})):
        pq.write_table(pa.table(columns), tmp_path / f"{i}.parquet", use_dictionary=dictionary)
    for form, type in (("string", pa.string()), ("large_string", pa.large_string()), ("view", pa.string_view()), ("dictionary", pa.dictionary(pa.int32(), pa.string()))):
        table = pa.table(colonnade.read_table(tmp_path, union_by_name=True, string_type=form))
        assert table.schema.field("s").type == type
        table.validate(full=True)
        assert table.to_pydict() == {"n": [1, None, None, None, 2], "s": [None, "x", None, "x", "y" * 20]}


@pytest.mark.parametrize(
    "first, second, common",
    (
        (pa.int64(), pa.decimal128(10, 2), pa.decimal128(21, 2)),
        (pa.uint64(), pa.decimal128(10, 2), pa.decimal128(22, 2)),
        (pa.int16(), pa.float32(), pa.float32()),
        (pa.int32(), pa.float32(), pa.float64()),
        (pa.float16(), pa.float32(), pa.float32()),
        (pa.decimal128(38, 0), pa.decimal128(38, 30), pa.decimal256(68, 30)),
        (pa.map_(pa.string(), pa.int32()), pa.map_(pa.string(), pa.int64()), pa.map_(pa.string(), pa.int64())),
    ),
    ids=str,
)
def test_types_that_pyarrow_unites_otherwise(tmp_path, first, second, common):
    r = random.Random(7)

    def values(type):
        if pa.types.is_map(type):
            return pa.array([[("k", random_value(r, type.item_type))], [], None], type)
        return pa.array([random_value(r, type) for _ in range(300)], type)

    parts = [pa.table({"x": values(first)}), pa.table({"x": values(second)})]
    for i, part in enumerate(parts):
        pq.write_table(part, tmp_path / f"{i}.parquet", store_schema=False)
    for order in ((0, 1), (1, 0)):
        got = pa.table(colonnade.read_table([tmp_path / f"{i}.parquet" for i in order], union_by_name=True))
        got.validate(full=True)
        assert got.schema.field("x").type == common
        assert got["x"].to_pylist() == sum((parts[i]["x"].to_pylist() for i in order), [])


@pytest.mark.parametrize(
    "first, second",
    (
        (pa.string(), pa.int32()),
        (pa.string(), pa.binary()),
        (pa.int64(), pa.uint64()),
        (pa.int64(), pa.float64()),
        (pa.date32(), pa.timestamp("us")),
        (pa.timestamp("us"), pa.timestamp("ns")),
        (pa.timestamp("us"), pa.timestamp("us", "UTC")),
        (pa.list_(pa.int32()), pa.int32()),
        (pa.decimal128(38, 0), pa.decimal256(76, 40)),
        (pa.struct([("a", pa.int32())]), pa.struct([("a", pa.string())])),
    ),
    ids=str,
)
def test_types_without_a_common_one_are_refused_naming_file_and_column(tmp_path, first, second):
    for name, type in (("a", first), ("b", second)):
        pq.write_table(pa.table({"column of two types": pa.array([None], type)}), tmp_path / name, version="2.6", store_schema=False)
    with pytest.raises(ValueError, match="no type holds the column's values of all files") as caught:
        colonnade.read_table([tmp_path / "a", tmp_path / "b"], union_by_name=True)
    assert str(tmp_path / "b") in str(caught.value) and "column 'column of two types" in str(caught.value)


def test_names_that_no_file_has(tmp_path):
    for name in "ab":
        pq.write_table(pa.table({name: [1]}), tmp_path / name)
    with pytest.raises(KeyError, match="in none of 2 files"):
        colonnade.read_table(tmp_path, ["a", "c"], union_by_name=True)
    with pytest.raises(ValueError, match="union_by_name reads nulls"):
        colonnade.read_table(tmp_path)
    with pytest.raises(ValueError, match="union_by_name reads nulls"):
        colonnade.read_table(tmp_path, ["a"])


def test_no_columns_but_rows(tmp_path):
    for i, columns in enumerate(({"a": [1, 2]}, {"b": [1]})):
        pq.write_table(pa.table(columns), tmp_path / f"{i}.parquet")
    assert colonnade.read_table(tmp_path, [], union_by_name=True).num_rows == 3


def partitioned(folder):
    """(table, key columns): keys with everything that a folder's name has to escape."""
    keys = ["plain", "two words", "a=b", "a/b", "100%", "%41", "é中", "it's", 'say "x"', "#?&+", "a:b", None]
    rows = 60
    table = pa.table(
        {
            "id": pa.array(range(rows), pa.int64()),
            "key": pa.array([keys[i % len(keys)] for i in range(rows)], pa.string()),
            "number": pa.array([None if i % 7 == 6 else i % 7 - 2 for i in range(rows)], pa.int64()),
            "value": pa.array([f"v{i}" for i in range(rows)]),
        }
    )
    return table, ["key", "number"]


def by_pyarrow(table, keys, folder):
    pq.write_to_dataset(table, folder, partition_cols=keys)


def by_duckdb(table, keys, folder):
    rows = table  # DuckDB finds it by this name
    assert rows
    duckdb.sql(f"COPY rows TO '{folder}' (FORMAT parquet, PARTITION_BY ({', '.join(keys)}))")


def by_polars(table, keys, folder):
    pl.from_arrow(table).write_parquet(folder, partition_by=keys)


@pytest.mark.parametrize("write", (by_pyarrow, by_duckdb, by_polars))
def test_partition_folders_of_every_writer(tmp_path, write):
    table, keys = partitioned(tmp_path)
    write(table, keys, tmp_path / "table")
    for threads in (1, 4):
        got = pa.table(colonnade.read_table(tmp_path / "table", threads=threads))
        assert got.schema.names == ["id", "value", "key", "number"]
        same(got.sort_by("id").select(table.column_names), table)
    got = pa.table(colonnade.scan(tmp_path / "table", ["number", "id"], hive_partitioning="text"))
    assert got.schema.names == ["number", "id"]
    assert got.sort_by("id")["number"].to_pylist() == [None if n is None else str(n) for n in table["number"].to_pylist()]
    got = pa.table(colonnade.read_table(tmp_path / "table", hive_partitioning=False))
    in_files = table.column_names if write is by_polars else ["id", "value"]
    same(got.sort_by("id"), table.select(in_files))


def folders(tmp_path, *names, columns=None):
    paths = []
    for i, name in enumerate(names):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        paths.append(tmp_path / name / f"part-{i}.parquet")
        pq.write_table(pa.table(columns or {"n": [i]}), paths[-1])
    return paths


@pytest.mark.parametrize(
    "texts, type, values",
    (
        (("1", "-7", "007"), pa.int64(), [1, -7, 7]),
        (("9223372036854775807", "-9223372036854775808"), pa.int64(), [2**63 - 1, -(2**63)]),
        (("1", "9223372036854775808"), pa.string(), ["1", "9223372036854775808"]),
        (("2024-02-29", "0001-01-01"), pa.date32(), [datetime.date(2024, 2, 29), datetime.date(1, 1, 1)]),
        (("2024-02-29", "2023-02-29"), pa.string(), ["2024-02-29", "2023-02-29"]),
        (("2024-1-1",), pa.string(), ["2024-1-1"]),
        (("1", "__HIVE_DEFAULT_PARTITION__"), pa.int64(), [1, None]),
        (("__HIVE_DEFAULT_PARTITION__",), pa.string(), [None]),
        (("1", "x"), pa.string(), ["1", "x"]),
        (("1.5", "+1"), pa.string(), ["1.5", "+1"]),
        (("",), pa.string(), [""]),
        (("%2525", "%", "%4", "%zz"), pa.string(), ["%25", "%", "%4", "%zz"]),
    ),
    ids=str,
)
def test_the_type_of_a_partition_column_is_that_of_all_its_values(tmp_path, texts, type, values):
    paths = folders(tmp_path, *(f"k={text}" for text in texts))
    got = pa.table(colonnade.read_table(paths))
    assert got.schema.field("k") == pa.field("k", type)
    assert got["k"].to_pylist() == values


def test_partition_columns_hide_those_of_the_files(tmp_path):
    paths = folders(tmp_path, "k=1", "k=2", columns={"k": ["of the file"], "n": [0]})
    assert colonnade.read_table(paths).to_pydict() == {"n": [0, 0], "k": [1, 2]}
    assert colonnade.read_table(paths, ["k"]).to_pydict() == {"k": [1, 2]}
    assert colonnade.read_table(paths, hive_partitioning=False)["k"].to_pylist() == ["of the file"] * 2


def test_partition_columns_of_one_file_and_of_relative_paths(tmp_path, monkeypatch):
    (path,) = folders(tmp_path, "a=1/b=x%20y")
    assert colonnade.read_table(path).to_pydict() == {"n": [0], "a": [1], "b": ["x y"]}
    # What is outside of the path as given is not looked at.
    monkeypatch.chdir(tmp_path / "a=1")
    assert colonnade.read_table("b=x%20y").column_names == ["n", "b"]
    assert colonnade.read_table(os.path.join("b=x%20y", "part-0.parquet"), ["b", "n"]).to_pydict() == {"b": ["x y"], "n": [0]}


def test_keys_that_differ_from_path_to_path(tmp_path):
    paths = folders(tmp_path, "a=1", "a=2/b=3", ".")
    for order in (paths[:2], paths[1::-1], paths[::2], paths[::-1]):
        with pytest.raises(ValueError, match="lacks a key"):
            colonnade.read_table(order)
    got = colonnade.read_table(paths, union_by_name=True)
    assert got.to_pydict() == {"n": [0, 1, 2], "a": [1, 2, None], "b": [None, 3, None]}
    twice = folders(tmp_path, "c=1/c=2")
    with pytest.raises(ValueError, match="a partition key twice.*column 'c'"):
        colonnade.read_table(twice)
    assert colonnade.read_table(twice, hive_partitioning=False).to_pydict() == {"n": [0]}
    with pytest.raises(ValueError, match="selected twice"):
        colonnade.read_table(paths[0], ["a", "a"])
    with pytest.raises(ValueError, match="hive_partitioning must be"):
        colonnade.read_table(paths, hive_partitioning="typed")


def test_a_folder_name_that_is_no_utf8(tmp_path):
    paths = folders(tmp_path, "k=%ff")
    with pytest.raises(ValueError, match="not UTF-8"):
        colonnade.read_table(paths)
    assert colonnade.read_table(paths, hive_partitioning=False).num_rows == 1


def test_rows_are_those_of_their_file_in_small_batches(tmp_path):
    paths = folders(tmp_path, "k=1", "k=__HIVE_DEFAULT_PARTITION__", "k=3", columns={"n": list(range(10))})
    batches = list(colonnade.scan(paths, ["k"], batch_rows=3, row_number_column="row", global_row_number_column="all"))
    assert max(map(len, batches)) == 3
    table = pa.concat_tables([pa.table(batch) for batch in batches])
    assert table["k"].to_pylist() == [1] * 10 + [None] * 10 + [3] * 10
    assert table["row"].to_pylist() == list(range(10)) * 3
    assert table["all"].to_pylist() == list(range(30))


def test_duckdb_unites_the_same(tmp_path):
    for i, columns in enumerate(({"a": pa.array([1], pa.int32())}, {"b": ["x"], "a": pa.array([2**40], pa.int64())}, {"c": [1.5]})):
        (tmp_path / f"year={2020 + i}").mkdir()
        pq.write_table(pa.table(columns), tmp_path / f"year={2020 + i}" / "x.parquet")
    expected = duckdb.sql(f"SELECT a, b, c, year FROM read_parquet('{tmp_path}/*/*.parquet', union_by_name=true, hive_partitioning=true) ORDER BY year").fetchall()
    table = pa.table(colonnade.read_table(tmp_path, ["a", "b", "c", "year"], union_by_name=True))
    assert [tuple(row.values()) for row in table.to_pylist()] == expected


def test_a_name_that_a_file_has_twice_stands_for_no_other_column(tmp_path):
    twice, once = str(tmp_path / "twice"), str(tmp_path / "once")
    pq.write_table(pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["x", "x"]), twice)
    pq.write_table(pa.table({"x": [7, 8]}), once)
    assert pa.table(colonnade.read_table([twice, twice])).column(1).to_pylist() == [3, 4, 3, 4]
    for paths, union in (([twice, once], False), ([twice, once], True), ([once, twice], True)):
        with pytest.raises(ValueError, match="several columns have this name"):
            colonnade.read_table(paths, union_by_name=union)


def test_a_partition_key_of_other_paths_hides_no_column(tmp_path):
    (own,) = folders(tmp_path, ".", columns={"v": [1], "k": [5]})
    paths = [own, *folders(tmp_path, "k=1", columns={"v": [2]})]
    for order in (paths, paths[::-1]):
        for columns in (None, ["v"], ["k"]):
            with pytest.raises(ValueError, match="column that is a partition key.*column 'k'"):
                colonnade.read_table(order, columns, union_by_name=True)
    assert colonnade.read_table(paths, hive_partitioning=False, union_by_name=True).to_pydict() == {"v": [1, 2], "k": [5, None]}


def test_parts_of_a_column_behind_a_partition_column(tmp_path):
    paths = folders(tmp_path, "year=3", columns={"year": [{"x": 1}]})
    assert colonnade.read_table(paths, ["year"]).to_pydict() == {"year": [3]}
    with pytest.raises(colonnade.ColumnNotFoundError, match="a partition column hides"):
        colonnade.read_table(paths, ["year", "year.x"])
    assert colonnade.read_table(paths, ["year.x"], hive_partitioning=False).to_pylist() == [{"year": {"x": 1}}]


def test_a_decimal_beyond_its_own_digits_does_not_become_another(tmp_path):
    whole, fine = tmp_path / "whole", tmp_path / "fine"
    schema = pa.schema([("d", pa.decimal128(5, 2))])
    pq.write_table(pa.table({"d": [decimal.Decimal("123.45")]}, schema), whole, compression="none", use_dictionary=False,
                   write_statistics=False, store_decimal_as_integer=True)
    pq.write_table(pa.table({"d": pa.array([decimal.Decimal("1.2345")], pa.decimal128(5, 4))}), fine)
    data = whole.read_bytes()
    stored = (12345).to_bytes(4, "little")
    assert data.count(stored) == 1
    whole.write_bytes(data.replace(stored, (2**31 - 1).to_bytes(4, "little")))
    with pytest.raises(colonnade.CorruptError, match="more digits than its type"):
        colonnade.read_table([whole, fine], union_by_name=True)


@pytest.mark.parametrize("union", (False, True))
def test_files_that_wait_for_a_slow_consumer_are_few(tmp_path, union):
    for i in range(200):
        pq.write_table(pa.table({"a": [i]}), tmp_path / f"{i:03}.parquet")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (opened + 40, limits[1]))
    try:
        stream = iter(colonnade.scan(tmp_path, threads=4, union_by_name=union))
        values = next(stream).column("a").to_pylist()
        time.sleep(0.3)  # the others are read ahead meanwhile
        for batch in stream:
            values += batch.column("a").to_pylist()
        assert values == list(range(200))
        assert colonnade.read_table(tmp_path, threads=4, union_by_name=union).num_rows == 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@needs_command_line
def test_the_command_line(tmp_path):
    paths = folders(tmp_path, "k=1", "k=2")
    pq.write_table(pa.table({"m": [5]}), paths[1])
    assert run("cat", "--union-by-name", tmp_path).stdout == b"n,m,k\n0,,1\n,5,2\n"
    assert run("cat", "--union-by-name", "--hive-partitioning", "off", tmp_path).stdout == b"n,m\n0,\n,5\n"
    assert run("cat", paths[0]).stdout == b"n,k\n0,1\n"
    assert run("cat", "--hive-partitioning", "off", paths[0]).stdout == b"n\n0\n"
    assert b'"k":"1"' in run("cat", "--format", "jsonl", "--hive-partitioning", "text", paths[0]).stdout
    assert run("count", tmp_path).stdout == b"2\n"
    assert run("head", "--columns", "k", "-n", "1", "--format", "csv", paths[1]).stdout == b"k\n2\n"
    assert "union_by_name" in fails("usage", "cat", tmp_path)
    assert "--hive-partitioning 'on'" in fails("usage", "cat", "--hive-partitioning", "on", tmp_path)
