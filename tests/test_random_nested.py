"""Random nested tables, lists, maps and structs four deep, written by other systems and read by Colonnade: the same values.

Every table is made from a fixed seed. As test_random_tables.py, with nested types.
"""

import itertools
import random

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade

from table_equality import same
from test_random_tables import CODECS, TYPES, read

LEAVES = [name for name in TYPES if name not in ("float16", "float32", "float64")]  # no NaN, whose equality is not one


def random_type(r, depth, leaves=LEAVES, maps=True):
    """An arrow type and how to make its values, which are not null themselves."""
    kind = r.choice(("leaf", "list", "struct", "map") if maps else ("leaf", "list", "struct")) if depth else "leaf"
    if kind == "leaf":
        return TYPES[r.choice(leaves)]
    if kind == "struct":
        children = [random_type(r, depth - 1, leaves, maps) for _ in range(r.randrange(1, 4))]
        fields = [pa.field(f"f{i}", child[0], nullable=r.random() < 0.8) for i, child in enumerate(children)]
        makers = [nullable(child[1], field) for child, field in zip(children, fields)]
        return pa.struct(fields), lambda r, p: {field.name: make(r, p) for field, make in zip(fields, makers)}
    if kind == "list":
        child, make = random_type(r, depth - 1, leaves, maps)
        element = pa.field("element", child, nullable=r.random() < 0.8)
        make = nullable(make, element)
        return pa.list_(element), lambda r, p: [make(r, p) for _ in range(r.choice((0, 1, 2, 6)))]
    key, make_key = TYPES[r.choice([name for name in leaves if name.startswith(("int", "string", "date"))])]
    value, make_value = random_type(r, depth - 1, leaves, maps)
    make_value = nullable(make_value, pa.field("value", value))

    def entries(r, p):
        return list({make_key(r): make_value(r, p) for _ in range(r.choice((0, 1, 3)))}.items())

    return pa.map_(key, value), entries


def nullable(make, field):
    def value(r, null_percent):
        if field.nullable and r.randrange(100) < null_percent:
            return None
        return make(r, null_percent) if make.__code__.co_argcount == 2 else make(r)

    return value


def random_table(seed, null_percent, rows, columns=4, **options):
    r = random.Random(seed)
    arrays, fields = [], []
    for i in range(columns):
        arrow_type, make = random_type(r, 4, **options)
        field = pa.field(f"c{i}", arrow_type)
        make = nullable(make, field)
        arrays.append(as_array([make(r, null_percent) for _ in range(rows)], arrow_type))
        fields.append(field)
    return pa.table(arrays, schema=pa.schema(fields))


def as_array(values, arrow_type):
    try:
        return pa.array(values, arrow_type)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        # Integers behind times and timestamps: pyarrow takes them only by another road.
        return pa.array(values, storage_of(arrow_type)).cast(arrow_type)


def storage_of(arrow_type):
    if pa.types.is_time(arrow_type) or pa.types.is_timestamp(arrow_type):
        return pa.int32() if arrow_type.bit_width == 32 else pa.int64()
    if pa.types.is_list(arrow_type):
        return pa.list_(arrow_type.value_field.with_type(storage_of(arrow_type.value_type)))
    if pa.types.is_map(arrow_type):
        return pa.map_(storage_of(arrow_type.key_type), storage_of(arrow_type.item_type))
    if pa.types.is_struct(arrow_type):
        return pa.struct([field.with_type(storage_of(field.type)) for field in arrow_type])
    return arrow_type


def check(path, expected, batch_rows, threads):
    for rows, count in itertools.product(batch_rows, threads):
        actual, _ = read(path, threads=count, batch_rows=rows or 1 << 40)
        same(actual, expected)


@pytest.mark.parametrize("null_percent", (0, 1, 50, 100))
@pytest.mark.parametrize("seed", range(6))
def test_pyarrow(tmp_path, seed, null_percent):
    r = random.Random(seed * 100 + null_percent)
    expected = random_table(seed * 1000 + null_percent, null_percent, rows=600)
    for i, (version, dictionary, page_size) in enumerate(itertools.product(("1.0", "2.0"), (True, False), (1, 300, 1 << 20))):
        path = tmp_path / f"{i}.parquet"
        pq.write_table(
            expected,
            path,
            store_schema=False,
            data_page_version=version,
            use_dictionary=dictionary,
            data_page_size=page_size,
            dictionary_pagesize_limit=r.choice((100, 1 << 20)),
            compression=CODECS[(i + seed) % len(CODECS)],
            row_group_size=r.choice((7, 100, 1000)),
            write_batch_size=r.choice((1, 13, 1024)),
        )
        if i == seed % 12:
            check(path, expected, batch_rows=(1, 7, 8192, None), threads=(1, 2, 4, 8))
        else:
            check(path, expected, batch_rows=(100,), threads=(1, 2))


@pytest.mark.parametrize("string_type", ("large_string", "view", "dictionary"))
def test_forms_of_strings(tmp_path, string_type):
    table = random_table(5, 20, rows=500, leaves=["string", "binary", "int64"])
    pq.write_table(table, tmp_path / "t.parquet", store_schema=False, row_group_size=200)
    actual = pa.table(colonnade.read_table(tmp_path / "t.parquet", string_type=string_type))
    actual.validate(full=True)
    assert actual.to_pylist() == table.to_pylist()


@pytest.mark.parametrize("files", (1, 3, 17))
def test_several_files(tmp_path, files):
    parts = [random_table(40, 20, rows=300).slice(i * 10, 50 + i) for i in range(files)]
    for i, part in enumerate(parts):
        pq.write_table(part, tmp_path / f"{i:02}.parquet", store_schema=False, row_group_size=30)
    for threads in (1, 4):
        same(pa.table(colonnade.scan(tmp_path, threads=threads, batch_rows=7)), pa.concat_tables(parts))


@pytest.mark.parametrize("seed", range(3))
def test_duckdb(tmp_path, seed):
    names = ["int8", "int64", "uint32", "bool", "decimal_9", "decimal_38", "date32", "timestamp_us", "string", "binary"]
    source = random_table(70 + seed, 20, rows=400, leaves=[n for n in names if n in TYPES])
    for version in ("v1", "v2"):
        path = tmp_path / f"{version}.parquet"
        duckdb.connect().sql(f"copy source to '{path}' (format parquet, row_group_size 2048, parquet_version '{version}')")
        assert pa.table(colonnade.read_table(path)).to_pylist() == source.to_pylist()


@pytest.mark.parametrize("seed", range(3))
def test_polars(tmp_path, seed):
    names = [n for n in ("int8", "int64", "uint32", "bool", "date32", "timestamp_us", "string", "binary") if n in TYPES]
    source = random_table(80 + seed, 20, rows=400, leaves=names, maps=False)
    frame = polars.from_arrow(source)
    for page_size in (100, None):
        path = tmp_path / f"{page_size}.parquet"
        frame.write_parquet(path, data_page_size=page_size, row_group_size=111)
        assert pa.table(colonnade.read_table(path)).to_pylist() == source.to_pylist()


@pytest.mark.parametrize("seed", range(8))
def test_some_of_the_leaves(tmp_path, seed):
    """Dotted paths, as pyarrow takes them: what is named alone, in one column for each top-level field."""
    r = random.Random(seed)
    path = tmp_path / "t.parquet"
    pq.write_table(random_table(500 + seed, 20, rows=200, maps=False), path, store_schema=False, row_group_size=60)
    file = pq.ParquetFile(path)
    leaves = [file.schema.column(i).path for i in range(len(file.schema))]
    for _ in range(5):
        chosen = sorted(r.sample(leaves, r.randrange(1, len(leaves) + 1)), key=leaves.index)
        # By value: pyarrow forgets the names and nullability of elements here.
        assert pa.table(colonnade.read_table(path, chosen)).to_pylist() == file.read(columns=chosen).to_pylist()
        groups = {leaf.rsplit(".", 1)[0] for leaf in chosen if "." in leaf and not leaf.endswith(".element")}
        for group in groups:
            assert pa.table(colonnade.read_table(path, group)).to_pylist() == file.read(columns=[group]).to_pylist()


def test_paths_by_the_names_of_types(tmp_path):
    path = tmp_path / "t.parquet"
    pair = {"a": 1, "b": "x"}
    kinds = pa.schema(
        [("s", pa.struct([("l", pa.list_(pa.struct([("a", pa.int32()), ("b", pa.string())])))])), ("m", pa.map_(pa.string(), pa.struct([("a", pa.int32()), ("b", pa.string())])))]
    )
    pq.write_table(pa.table({"s": [{"l": [pair]}], "m": [[("k", pair)]]}, kinds), path, store_schema=False)
    for columns, row in (
        (["s.l.element.a"], {"s": {"l": [{"a": 1}]}}),
        (["s.l.list.element.b"], {"s": {"l": [{"b": "x"}]}}),
        (["m.value.b", "s.l"], {"m": [("k", {"b": "x"})], "s": {"l": [pair]}}),
        (["s.l.element.a", "m", "s.l.element.b"], {"s": {"l": [pair]}, "m": [("k", pair)]}),
        (["m.key_value.value.a"], {"m": [("k", {"a": 1})]}),
    ):
        assert colonnade.read_table(path, columns).to_pylist() == [row]
    with pytest.raises(ValueError, match="selected twice"):
        colonnade.read_table(path, ["s", "s.l"])
    with pytest.raises(ValueError, match="keys and its values"):
        colonnade.read_table(path, "m.key")
    for missing in ("s.x", "s.l.element.c", "m.value.a.b", "s.", ".s"):
        with pytest.raises(colonnade.ColumnNotFoundError):
            colonnade.read_table(path, missing)


def test_a_name_with_a_dot_is_a_name_first(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"s": [{"a": 1, "b": 2}], "s.a": [3]}), path)
    assert colonnade.read_table(path, "s.a").to_pylist() == [{"s.a": 3}]
    assert colonnade.read_table(path, ["s.b", "s.a"]).to_pylist() == [{"s": {"b": 2}, "s.a": 3}]


def test_required_strings_below_null_structs_have_ids_within_their_dictionary(tmp_path):
    required = pa.struct([pa.field("x", pa.string(), nullable=False)])
    pq.write_table(pa.table({"s": pa.array([None], required), "l": pa.array([[None, None]], pa.list_(required))}), tmp_path / "n")
    got = pa.table(colonnade.read_table(tmp_path / "n", string_type="dictionary"))
    got.validate(full=True)
    assert got.to_pylist() == [{"s": None, "l": [None, None]}]
    assert got["s"].chunk(0).field(0).cast(pa.string()).to_pylist() == [""]


@pytest.mark.parametrize("depth", (7, 8, 15, 16, 17, 20, 31, 32, 33, 60))
def test_levels_of_every_width(tmp_path, depth):
    """As deep as pyarrow writes it: structs count definition levels by one, nullable lists by two and repetition levels by one."""
    r = random.Random(depth)

    def value(level, wrap):
        if level == 0:
            return r.randrange(100)
        return None if r.random() < 0.05 else wrap(level)

    structs = lists = pa.int64()
    for level in range(depth):
        structs = pa.struct([("f", structs)])
        lists = pa.list_(pa.field("element", lists))
    deep_struct = lambda level: {"f": value(level - 1, deep_struct)}
    deep_list = lambda level: [value(level - 1, deep_list) for _ in range(r.choice((0, 1, 1, 1, 2)))]
    table = pa.table({"s": pa.array([value(depth, deep_struct) for _ in range(300)], structs)})
    if depth <= 31:
        table = table.append_column("l", pa.array([value(depth, deep_list) for _ in range(300)], lists))
    pq.write_table(table, tmp_path / "deep")
    got = pa.table(colonnade.read_table(tmp_path / "deep"))
    got.validate(full=True)
    assert got.to_pydict() == table.to_pydict()
