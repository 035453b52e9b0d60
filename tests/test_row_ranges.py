"""Row ranges and row numbers: exactly those rows, with their true numbers, whatever the threads, splits and files."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade

from command_line import fails, needs_command_line, run
from table_equality import same
from test_random_nested import random_table as nested_table
from test_random_tables import random_table as flat_table

ROWS = 1_000


@pytest.fixture(scope="module", params=("flat", "nested"))
def written(request, tmp_path_factory):
    """(path, table): 1,000 rows in row groups of 137."""
    table = flat_table(1, 20, ROWS, types=("int32", "string", "decimal_38", "bool")) if request.param == "flat" else nested_table(2, 20, ROWS)
    path = tmp_path_factory.mktemp(request.param) / "t.parquet"
    pq.write_table(table, path, store_schema=False, row_group_size=137, data_page_size=500, write_batch_size=10)
    return path, pq.read_table(path)


def ranges_of(r, longest, gap):
    ranges, row = [], r.randrange(gap)
    while row < ROWS:
        length = min(r.randrange(longest + 1), ROWS - row)
        ranges.append((row, length))
        row += length + r.randrange(1, gap + 1)
    return ranges


def expected_rows(table, ranges):
    return pa.concat_tables([table.slice(0, 0), *(table.slice(offset, length) for offset, length in ranges)])


@pytest.mark.parametrize("longest, gap", ((1, 1), (5, 100), (300, 10), (0, 20)))
@pytest.mark.parametrize("seed", range(3))
def test_exactly_those_rows(written, seed, longest, gap):
    path, table = written
    ranges = ranges_of(random.Random(seed), longest, gap)
    expected = expected_rows(table, ranges)
    numbers = [row for offset, length in ranges for row in range(offset, offset + length)]
    file = colonnade.open(path)
    for batch_rows in (1, 7, 8192):
        for threads in (1, 2, 4, 8):
            stream = file.batches(row_ranges=ranges, batch_rows=batch_rows, threads=threads, row_number_column="row")
            got = pa.table(stream)
            assert got["row"].to_pylist() == numbers
            same(got.drop_columns("row"), expected)
    same(pa.table(file.read(row_ranges=ranges)), expected)


def test_with_row_groups_and_splits(written):
    path, table = written
    file = colonnade.open(path)
    ranges = [(0, 10), (130, 200), (999, 1)]
    got = file.read([], row_groups=[7, 1, 0], row_ranges=ranges, row_number_column="row")["row"].to_pylist()
    assert got == [999, *range(137, 274), *range(10), *range(130, 137)]
    size = path.stat().st_size
    for parts in (1, 3, 10):
        numbers = []
        for i in range(parts):
            begin, end = size * i // parts, size * (i + 1) // parts
            for batch in file.batches([], split=(begin, end - begin), row_number_column="row"):
                numbers += batch["row"].to_pylist()
        assert numbers == list(range(ROWS))


@pytest.mark.parametrize("files", (1, 3, 17))
def test_numbers_over_files(tmp_path, files):
    counts = [(i * 7) % 50 for i in range(files)]  # the first file is empty
    for i, count in enumerate(counts):
        pq.write_table(pa.table({"x": pa.array(range(count), pa.int64())}), tmp_path / f"{i:02}.parquet", row_group_size=13)
    for threads in (1, 4):
        table = colonnade.read_table(tmp_path, threads=threads, row_number_column="in file", global_row_number_column="in all")
        assert table.column_names == ["x", "in file", "in all"]
        assert table["in file"].to_pylist() == table["x"].to_pylist() == [row for count in counts for row in range(count)]
        assert table["in all"].to_pylist() == list(range(sum(counts)))
        assert not table.schema["in all"].nullable


def test_what_makes_no_sense(written):
    path, table = written
    file = colonnade.open(path)
    for ranges in ([(5, 1), (3, 1)], [(0, 5), (4, 1)], [(0, ROWS + 1)], [(ROWS + 1, 0)], [(2**62, 2**62)]):
        with pytest.raises(ValueError, match="row ranges must be sorted"):
            file.read(row_ranges=ranges)
    with pytest.raises(ValueError, match="offset 4 and length 1, the range before ends at row 5"):
        file.read(row_ranges=[(0, 5), (4, 1)])
    for ranges, error in (([3], TypeError), (5, TypeError), (["ab"], TypeError), ([(-1, 2)], ValueError), ([(1, 2, 3)], TypeError)):
        with pytest.raises(error):
            file.read(row_ranges=ranges)
    assert file.read(row_ranges=[]).num_rows == 0
    with pytest.raises(ValueError, match="name of another column"):
        file.read(row_number_column=table.column_names[0])


@needs_command_line
def test_the_command_line(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": [10, 11, 12, 13]}), path, row_group_size=3)
    arguments = ("cat", "--row-ranges", "1:1,3:1", "--row-numbers", "n", "--global-row-numbers", "all", path)
    assert run(*arguments).stdout == b"x,n,all\n11,1,1\n13,3,3\n"
    assert run("cat", "--global-row-numbers", "all", path, path).stdout.splitlines()[-1] == b"13,7"
    assert "--row-ranges '5'" in fails("usage", "cat", "--row-ranges", "5", path)
    assert "belong to one file" in fails("usage", "cat", "--row-ranges", "0:1", path, path)
