"""A table of the shape that most people open first, as each system writes it: 891 passengers, 12 columns, with gaps and quotes."""

import csv
import io
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade

from command_line import needs_command_line, run

ROWS = 891


def passengers():
    r = random.Random(1912)
    titles = ("Mr.", "Mrs.", "Miss.", "Master.", "Rev.")
    given = ('Anna "Annie"', "William, Jr.", "Élise", "O'Brien (born \"Smith\")", "John\nHenry", "")
    rows = range(ROWS)

    def gaps(percent, value):
        return [None if r.randrange(100) < percent else value() for _ in rows]

    return pa.table(
        {
            "PassengerId": pa.array([row + 1 for row in rows], pa.int64()),
            "Survived": pa.array([r.randrange(2) for _ in rows], pa.int64()),
            "Pclass": pa.array([r.choice((1, 2, 3, 3)) for _ in rows], pa.int64()),
            "Name": pa.array([f"Family{r.randrange(600)}, {r.choice(titles)} {r.choice(given)}" for _ in rows], pa.string()),
            "Sex": pa.array([r.choice(("male", "female")) for _ in rows], pa.string()),
            "Age": pa.array(gaps(20, lambda: r.choice((0.42, 28.5, float(r.randrange(1, 80))))), pa.float64()),
            "SibSp": pa.array([r.choice((0, 0, 0, 1, 2, 8)) for _ in rows], pa.int64()),
            "Parch": pa.array([r.choice((0, 0, 0, 1, 2)) for _ in rows], pa.int64()),
            "Ticket": pa.array([r.choice(("A/5 21171", "PC 17599", "113803", "STON/O2. 3101282")) for _ in rows], pa.string()),
            "Fare": pa.array([round(r.expovariate(1 / 32), 4) for _ in rows], pa.float64()),
            "Cabin": pa.array(gaps(77, lambda: r.choice(("C85", "C23 C25 C27", "F G73", "B96 B98"))), pa.string()),
            "Embarked": pa.array(gaps(1, lambda: r.choice("SCQ")), pa.string()),
        }
    )


WRITERS = {
    "pyarrow": pq.write_table,
    "pandas": lambda table, path: table.to_pandas().to_parquet(path),
    "polars": lambda table, path: pytest.importorskip("polars").from_arrow(table).write_parquet(path),
    "duckdb": lambda table, path: pytest.importorskip("duckdb").from_arrow(table).write_parquet(str(path)),
}


@pytest.fixture(params=WRITERS)
def written(request, tmp_path):
    table = passengers()
    path = tmp_path / "passengers.parquet"
    WRITERS[request.param](table, path)
    return path, table


@pytest.mark.parametrize("threads", (1, 4))
def test_in_python(written, threads):
    path, table = written
    actual = pa.table(colonnade.read_table(path, threads=threads))
    actual.validate(full=True)
    assert actual.column_names == table.column_names
    assert actual.shape == (ROWS, 12)
    for name in table.column_names:
        assert actual[name].type == table[name].type
        assert actual[name].combine_chunks().equals(table[name].combine_chunks()), name


def as_text(value):
    return "" if value is None else str(value)


@needs_command_line
def test_in_the_shell(written):
    path, table = written
    assert run("count", path).stdout == b"891\n"
    rows = list(csv.reader(io.StringIO(run("cat", "--format", "csv", path).stdout.decode(), newline="")))
    assert rows[0] == table.column_names
    for row, expected in zip(rows[1:], table.to_pylist(), strict=True):
        for text, value in zip(row, expected.values(), strict=True):
            if isinstance(value, float):
                assert float(text) == value
            else:
                assert text == as_text(value)
