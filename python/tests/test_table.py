"""Tables: reading many files, and looking at what was read without another library."""

import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade
from conftest import numbers, trips

ROWS = trips().to_pylist()


@pytest.fixture
def sales(tmp_path):
    """A folder as Spark writes it: files of two years, with what is not data beside them."""
    folder = tmp_path / "sales"
    for year in (2023, 2024):
        (folder / f"year={year}").mkdir(parents=True)
        for part in range(2):
            table = pa.table({"n": pa.array([year * 10 + part] * 3)})
            pq.write_table(table, folder / f"year={year}" / f"part-{part}.parquet")
    (folder / "_SUCCESS").touch()
    (folder / "_metadata").write_bytes(b"x")
    (folder / "year=2023" / ".part-0.parquet.crc").write_bytes(b"x")
    (folder / "year=2023" / "part-0.parquet.crc").write_bytes(b"x")
    return folder


EVERY = [n for n in (20230, 20231, 20240, 20241) for _ in range(3)]


def numbers_of(table):
    return table["n"].to_pylist()


def test_folders_globs_and_lists(sales):
    assert numbers_of(colonnade.read_table(sales)) == EVERY
    assert numbers_of(colonnade.read_table(f"{sales}/*/*.parquet")) == EVERY
    assert numbers_of(colonnade.read_table(f"{sales}/**/part-1.parquet")) == EVERY[3:6] + EVERY[9:]
    assert numbers_of(colonnade.read_table(sales / "year=2024" / "part-[0].parquet")) == EVERY[6:9]
    files = [sales / "year=2024" / "part-0.parquet", str(sales / "year=2023" / "part-1.parquet")]
    assert numbers_of(colonnade.read_table(files)) == EVERY[6:9] + EVERY[3:6]
    assert numbers_of(colonnade.read_table(tuple(files))) == EVERY[6:9] + EVERY[3:6]
    assert numbers_of(colonnade.read_table([f"{sales}/year=2023/*.parquet"])) == EVERY[:6]


def test_scan_reads_many_files_as_a_stream(sales):
    stream = colonnade.scan(sales, batch_rows=2)
    batches = list(stream)
    assert [v for b in batches for v in b["n"].to_pylist()] == EVERY
    assert max(map(len, batches)) == 2


def test_nothing_there(tmp_path, sales):
    for nothing in (tmp_path / "none.parquet", f"{tmp_path}/*.none", tmp_path):
        if nothing == tmp_path:
            (tmp_path / "hollow").mkdir()
            nothing = tmp_path / "hollow"
        with pytest.raises(FileNotFoundError) as caught:
            colonnade.read_table(nothing)
        assert caught.value.filename == os.fspath(nothing)
    with pytest.raises(ValueError, match="empty"):
        colonnade.read_table([])
    with pytest.raises(TypeError, match="paths"):
        colonnade.read_table([b"PAR1"])


def test_files_of_different_schemas(sales):
    other = sales / "year=2024" / "zz.parquet"
    pq.write_table(pa.table({"m": [1]}), other)
    with pytest.raises(ValueError, match="zz.parquet"):
        colonnade.read_table(sales)


def test_other_sources(trips_path):
    assert colonnade.read_table(trips_path.read_bytes()).to_pylist() == ROWS
    with open(trips_path, "rb") as f:
        assert colonnade.read_table(f, "city").column_names == ["city"]
    assert list(colonnade.scan(trips_path.read_bytes()))[0].to_pylist() == ROWS


@pytest.mark.parametrize("threads", [1, 2, None])
def test_a_table_has_one_batch_per_row_group(numbers_path, threads):
    table = colonnade.read_table(numbers_path, threads=threads)
    assert [len(b) for b in table.batches] == [30_000, 30_000, 30_000, 10_000]
    assert pa.table(table).equals(numbers(100_000))
    table.validate(full=True)


def test_shape(trips_path):
    table = colonnade.read_table(trips_path)
    assert len(table) == table.num_rows == 4
    assert table.num_columns == 4
    assert table.column_names == table.schema.names == ["city", "day", "riders", "fare"]
    assert table.nbytes > 0
    assert [c.name for c in table.columns] == table.column_names


def test_to_python(trips_path):
    table = colonnade.read_table(trips_path)
    assert table.to_pylist() == ROWS
    assert table.to_pydict() == trips().to_pydict()
    assert table.batches[0].to_pylist() == ROWS
    assert table.batches[0].to_pydict() == trips().to_pydict()


def test_columns(trips_path):
    table = colonnade.read_table(trips_path)
    for tabular in (table, table.batches[0]):
        for key in ("riders", 2, -2):
            column = tabular.column(key)
            assert column.name == "riders" == tabular[key].name
            assert column.to_pylist() == list(column) == [120, None, 75, 310]
            assert (len(column), column.null_count, column.nbytes > 0) == (4, 1, True)
            assert column.type == "int64" and column.field == table.schema.field("riders")
            assert (column[0], column[1], column[-1]) == (120, None, 310)
            assert column[1:3].to_pylist() == column.slice(1, 2).to_pylist() == [None, 75]
            for wrong in (4, -5):
                with pytest.raises(IndexError):
                    column[wrong]
        for wrong, error in (("town", KeyError), (4, IndexError), (-5, IndexError), (1.5, TypeError), (None, TypeError)):
            with pytest.raises(error):
                tabular.column(wrong)
            with pytest.raises(error):
                tabular[wrong]
        with pytest.raises(TypeError, match="rows or columns"):
            iter(tabular)


@pytest.mark.parametrize("offset", [0, 1, 29_999, 30_000, 59_995, 99_990, 100_000, 200_000])
@pytest.mark.parametrize("length", [0, 1, 10, 30_001, None])
def test_slices(numbers_path, offset, length):
    table = colonnade.read_table(numbers_path)
    expected = list(range(100_000))[offset:][:length]
    part = table.slice(offset, length)
    assert part["id"].to_pylist() == expected
    assert part.num_rows == len(expected)
    assert pa.table(part).equals(numbers(100_000).slice(offset, length))
    assert table["id"].slice(offset, length).to_pylist() == expected
    assert pa.chunked_array(table["id"].slice(offset, length)).to_pylist() == expected


def test_slices_as_python_writes_them(trips_path):
    table = colonnade.read_table(trips_path)
    for tabular in (table, table.batches[0]):
        assert tabular[1:3].to_pylist() == ROWS[1:3]
        assert tabular[-1:].to_pylist() == ROWS[-1:]
        assert tabular[:-1].to_pylist() == ROWS[:-1]
        assert tabular[3:1].to_pylist() == []
        assert tabular.slice(-2).to_pylist() == ROWS[-2:]
        assert tabular.slice(2, 99).to_pylist() == ROWS[2:]
        with pytest.raises(ValueError, match="step"):
            tabular[::2]
        with pytest.raises(ValueError):
            tabular.slice(0, -1)


def test_columns_of_one_name(tmp_path):
    table = colonnade.table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["x", "x"]))
    assert [table.column(i).to_pylist() for i in (0, 1)] == [[1], [2]]
    for use in (lambda: table.column("x"), table.to_pylist, table.to_pydict):
        with pytest.raises(ValueError, match="'x'"):
            use()
    assert repr(table).count("int64") == 2


def test_preview():
    table = colonnade.table(
        pa.table(
            {
                "n": pa.array([1, None, -30], pa.int16()),
                "text": ["a", "line\nbreak", "x" * 50],
                "when": pa.array([0, 1, None], pa.timestamp("ns")),
                "raw": [b"\x00", None, b""],
            }
        )
    )
    assert repr(table) == "\n".join(
        [
            "Table, 3 rows, 4 columns",
            "    n  text                              when           raw",
            "int16  string                            timestamp[ns]  binary",
            "-----  --------------------------------  -------------  -------",
            "    1  a                                 0              b'\\x00'",
            " null  line\\nbreak                       1              null",
            "  -30  xxxxxxxxxxxxxxxxxxxxxxxxxxxxx...  null           b''",
        ]
    )


def test_preview_of_much(numbers_path):
    table = colonnade.read_table(numbers_path)
    lines = repr(table).splitlines()
    assert lines[0] == "Table, 100,000 rows, 3 columns"
    assert len(lines) == 1 + 3 + 5 + 1 + 5
    assert lines[-1].split()[0] == "99999"
    assert "..." in repr(table["id"]) and len(repr(table["id"])) < 200
    wide = colonnade.table(pa.table({f"column_{i}": [i] for i in range(40)}))
    assert repr(wide).splitlines()[-1].endswith("more columns")
    assert max(map(len, repr(wide).splitlines())) <= 100


def test_preview_of_nothing():
    assert repr(colonnade.table(pa.table({}))) == "Table, 0 rows, 0 columns"
    assert repr(colonnade.table(pa.table({"a": pa.array([], pa.int8())}))).splitlines()[0] == "Table, 0 rows, 1 column"
    assert repr(colonnade.column(pa.array([None, 1]))).splitlines()[1] == "[None, 1]"


def test_preview_of_narrow_floats():
    floats = {"f": pa.array([0.1, -0.0, 3.4028234663852886e38, float("nan"), None], pa.float32())}
    assert [line.strip() for line in repr(colonnade.table(pa.table(floats))).splitlines()[4:]] == ["0.1", "-0.0", "3.4028235e+38", "nan", "null"]
    halves = colonnade.column(pa.array([0.1, float("inf"), 65504], pa.float16()))
    assert repr(halves).splitlines()[1] == "[0.1, inf, 65500.0]"


def test_what_cannot_be_printed_is_escaped_and_what_is_long_is_cut():
    table = colonnade.table(pa.table({"a\nb": ["x" * 1000] * 3}))
    for thing in (table.schema, table.schema.field(0), table, table.column(0), table.batches[0].column(0)):
        assert "a\\nb" in repr(thing) and len(repr(thing)) < 500
    assert repr(table.schema) == "Schema\n  a\\nb: string"
