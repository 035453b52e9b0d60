"""Files that other systems wrote: each column has the values that they read, or one clear error."""

import datetime
import os
import pathlib

import pytest

import colonnade

from command_line import EXIT, ROOT, exit_and_peak, needs_command_line
from corpus_verdicts import verdicts

CORPUS = pathlib.Path(os.environ.get("COLONNADE_CORPUS", ROOT.parent / "shared" / "corpus"))
FILES = sorted(p for folder in ("parquet-testing", "velox", "comet") for p in (CORPUS / folder).rglob("*.parquet*") if p.is_file())

HOSTILE = sorted(p for p in (ROOT / "fuzz" / "corpus" / "file").iterdir() if p.is_file())
SCAN = ("scan", "--threads", "1", "--memory", "256MB")

pytestmark = pytest.mark.skipif(not FILES, reason=f"no corpus at {CORPUS}: set COLONNADE_CORPUS")

READ = {}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(CORPUS)))
def test_every_column(path):
    READ[path] = [v for v in verdicts(path) if v.kind == "read" and v.oracle]


def test_int96_beyond_microseconds_wraps_as_in_spark():
    # Spark wrote 290000-12-31T01:00:00+02:00: the file's README. Days from the civil calendar by its cycle of 400 years.
    years = 290_000 - 2000
    assert years % 400 == 0
    days = years // 400 * 146_097 + (datetime.date(2000, 12, 31) - datetime.date(1970, 1, 1)).days
    path = CORPUS / "parquet-testing" / "data" / "int96_from_spark.parquet"
    for unit, per_second in (("us", 10**6), ("ms", 10**3)):
        column = colonnade.read_table(path, int96_unit=unit, int96_wraps=True).column("a")
        values = column.to_pylist(temporal="int")
        assert values[2:5] == [253_402_225_200 * per_second, 1_735_599_600 * per_second, None]
        if unit == "us":  # what the file holds wrapped around when it was written
            assert values[5] == (days * 86_400 - 3_600) * per_second
    with pytest.raises(colonnade.DataError, match="row 5"):
        colonnade.read_table(path, int96_unit="us")
    with pytest.raises(colonnade.DataError, match="row 2"):
        colonnade.read_table(path)


def test_most_columns_are_read():
    """Guards the test above, which it needs to have run, against a reader that refuses everything."""
    if len(READ) < len(FILES):
        pytest.skip("only some of the files were looked at")
    assert sum(map(len, READ.values())) > 900


@needs_command_line
def test_no_file_takes_more_memory_than_it_may():
    files = [*FILES, *HOSTILE]
    allowed = (0, EXIT["corrupt"], EXIT["not_supported"], EXIT["budget"], EXIT["data"])
    for path, (status, peak) in zip(files, exit_and_peak(*([*SCAN, path] for path in files)), strict=True):
        assert status in allowed, path
        assert peak < 1.1 * 256e6, path
