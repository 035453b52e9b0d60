"""Tests of what the benchmarks rest on: the page walk, the fingerprint, the native consumer, the report.

    python -m pytest bench/bench_test.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

import contenders  # noqa: E402
import digest  # noqa: E402
import native  # noqa: E402
import pages  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
from worker import Task, Worker, WorkerFailed  # noqa: E402


def sample(num_rows: int = 5000) -> pa.Table:
    return pa.table({
        "id": pa.array(range(num_rows), pa.int64()),
        "flag": pa.array([None if row % 7 == 0 else row % 2 == 0 for row in range(num_rows)], pa.bool_()),
        "text": pa.array([None if row % 5 == 0 else "t" * (row % 11) for row in range(num_rows)], pa.string()),
    })


@pytest.fixture(params=["1.0", "2.0"], ids=["v1", "v2"])
def page_version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("codec", ["snappy", "zstd"])
def test_pages_decompress_to_the_sizes_in_their_headers(tmp_path: Path, page_version: str, codec: str) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(sample(), path, compression=codec, data_page_version=page_version, data_page_size=2000,
                   row_group_size=2000)
    found = pages.file_pages(path)
    data = path.read_bytes()
    decompressed = 0
    for page in found:
        if page.codec != pages.CODECS["UNCOMPRESSED"]:
            payload = data[page.offset : page.offset + page.compressed_bytes]
            decompressed += len(pa.Codec(codec).decompress(payload, page.uncompressed_bytes))
    assert decompressed > 0
    assert {page.type for page in found} == {pages.DICTIONARY_PAGE, pages.DATA_PAGE if page_version == "1.0"
                                             else pages.DATA_PAGE_V2}
    for key in contenders.FLOORS:
        floor = contenders.Floor(key, str(path), 2, contenders.STREAMING, 1000, 10)
        assert floor.run() == 10
        if key == "floor-decompress":
            assert floor.work() == decompressed
        if key == "floor-read":
            assert floor.work() == len(data)


def test_a_cut_or_changed_page_header_is_an_error_or_another_page(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(sample(100), path, compression="snappy")
    chunk = pq.read_metadata(path).row_group(0).column(2)
    start = chunk.dictionary_page_offset
    end = start + chunk.total_compressed_size
    data = bytearray(path.read_bytes())
    whole = list(pages.chunk_pages(bytes(data), start, end, 1))
    assert len(whole) == 2
    with pytest.raises(pages.Malformed):
        list(pages.chunk_pages(bytes(data), start, end - 1, 1))
    with pytest.raises(pages.Malformed):
        list(pages.chunk_pages(bytes(data), start, len(data) + 1, 1))
    for position in range(start, whole[0].offset):
        for bit in range(8):
            changed = bytearray(data)
            changed[position] ^= 1 << bit
            try:
                found = list(pages.chunk_pages(bytes(changed), start, end, 1))
            except pages.Malformed:
                continue
            assert all(start <= page.offset <= end - page.compressed_bytes for page in found)


def test_the_native_floor_refuses_pages_outside_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(sample(100), path)
    size = path.stat().st_size
    for offset, num_bytes in [(size, 1), (-1, 1), (0, size + 1), (1, 2**63 - 1), (0, -1)]:
        array = (native.Page * 1)(native.Page(offset, num_bytes, 10, 1, 0))
        handle = native.library().bench_floor_open(str(path).encode(), array, 1, 0, 1000, 0, 1)
        assert not handle, (offset, num_bytes)


def test_the_native_floor_reports_a_page_that_does_not_decompress(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\xff" * 100)
    array = (native.Page * 1)(native.Page(0, 100, 10, 1, 0))
    handle = native.library().bench_floor_open(str(path).encode(), array, 1, 0, 1000, 0, 1)
    assert native.library().bench_floor_decompress(handle) == -1
    native.library().bench_floor_close(handle)


def test_the_fingerprint_does_not_depend_on_batches_or_string_layout() -> None:
    table = sample()
    expected = digest.digest(table.to_batches())["columns"]
    assert digest.digest(table.to_batches(max_chunksize=7))["columns"] == expected
    assert digest.digest(table.slice(0, 3).to_batches() + table.slice(3).to_batches())["columns"] == expected
    text = table.schema.get_field_index("text")
    for kind in [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]:
        other = table.set_column(text, "text", table["text"].cast(kind))
        assert digest.digest(other.to_batches(max_chunksize=1000))["columns"] == expected, kind


def test_the_fingerprint_tells_values_order_nulls_and_borders_of_strings_apart() -> None:
    def of(values: list, kind: pa.DataType) -> dict:
        return digest.digest([pa.record_batch({"a": pa.array(values, kind)})])["columns"]

    assert of([1, 2], pa.int64()) != of([2, 1], pa.int64())
    assert of([1, None], pa.int64()) != of([1, 0], pa.int64())
    assert of([1, None, 2], pa.int64()) != of([1, 2, None], pa.int64())
    assert of(["ab", "c"], pa.string()) != of(["a", "bc"], pa.string())
    assert of([None, ""], pa.string()) != of(["", None], pa.string())
    assert of([True, False], pa.bool_()) != of([True, True], pa.bool_())


def test_streams_are_drained_and_kept() -> None:
    table = sample()
    assert native.drain(table) == table.num_rows
    before = pa.total_allocated_bytes()
    kept = native.Kept(sample())
    assert kept.num_rows == table.num_rows
    assert pa.total_allocated_bytes() > before
    kept.close()
    kept.close()
    assert pa.total_allocated_bytes() == before


def test_an_error_of_a_stream_is_passed_on() -> None:
    def failing():
        yield sample(10).to_batches()[0]
        raise ValueError("the second batch is broken")

    for consume in (native.drain, native.Kept):
        with pytest.raises(RuntimeError, match="the second batch is broken"):
            consume(pa.RecordBatchReader.from_batches(sample(10).schema, failing()))


@pytest.mark.parametrize("mode", contenders.MODES)
@pytest.mark.parametrize("key", list(contenders.ALL))
def test_every_contender_reads_the_same_values(tmp_path: Path, key: str, mode: str) -> None:
    if not contenders.ALL[key].is_installed():
        pytest.skip(f"{contenders.ALL[key].package} is not installed")
    path = tmp_path / "it's a.parquet"
    pq.write_table(sample(), path, row_group_size=2000)
    with Worker(Task(key, str(path), mode, 1)) as worker:
        assert worker.check()["columns"] == digest.digest(sample().to_batches())["columns"]
        timed = worker.run()
        assert timed["rows"] == sample().num_rows
        assert timed["wall_s"] > 0
        assert worker.memory()["peak_bytes"] > 0


def test_a_worker_tells_what_failed(tmp_path: Path) -> None:
    with Worker(Task("pyarrow", str(tmp_path / "absent.parquet"), contenders.KEPT, 1)) as worker:
        with pytest.raises(WorkerFailed, match="FileNotFoundError"):
            worker.run()


def measured(walls: dict[str, list[float]]) -> dict:
    """A result with one cell, as run.py writes it."""
    return {
        "name": "test",
        "machine": {"cpu": "A CPU", "virtual": False, "cpus": 2, "simd": "AVX2", "l3": "32M", "memory_bytes": 1 << 34,
                    "huge_pages": "madvise", "system": "A system", "kernel": "6", "python": "3", "date": "today",
                    "load_average": 0.1},
        "build": {"version": "0.1.0", "commit": "abc", "package_bytes": 4_200_000, "kind": "developer build"},
        "versions": {"pyarrow": "1", "colonnade": "0.1.0"},
        "floor": {"snappy": "1", "zstd": "2", "compiler": "c++", "flags": "-O3"},
        "method": {"rounds": 3, "warm_ups": 1, "checked_columns": ["a"], "scale": 1, "touched_bytes": 10**9},
        "contenders": {
            key: {"name": kind.name, "form": kind.form, "how": kind.how, "ours": key in contenders.OURS}
            for key, kind in contenders.ALL.items()
        },
        "floors": contenders.FLOORS,
        "files": [{"name": "f", "bytes": 10**6, "rows": 10, "columns": 1, "row_groups": 1, "created_by": "x",
                   "codec": "SNAPPY", "uncompressed_bytes": 10, "arrow_bytes": 20}],
        "rows": [
            {"file": "f", "mode": "kept", "threads": 1, "contender": key, "wall_s": wall, "cpu_s": wall,
             "page_faults": [0] * len(wall), "peak_bytes": 10**6, "resident_bytes": 10**6}
            for key, wall in walls.items()
        ],
        "left_out": [],
    }


def test_ratios_are_of_medians_within_a_cell() -> None:
    result = measured({
        "colonnade-utf8": [0.5, 9.0, 0.5], "colonnade-views": [0.4, 0.4, 0.4], "pyarrow": [2.0, 2.0, 2.0],
        "polars": [0.3, 0.3, 0.3], "duckdb": [1.0, 1.0, 1.0],
        "floor-read": [0.05] * 3, "floor-decompress": [0.1] * 3, "floor-copy": [0.05] * 3,
    })
    (cell,) = report.cells_of(result)
    assert cell.speed("colonnade-utf8", "pyarrow") == 4
    assert cell.speed("colonnade-utf8", "duckdb") == 2
    assert cell.times_floor("colonnade-views") == pytest.approx(2)
    assert cell.best_peer_s() == 0.3
    text = report.page(result, "test.json")
    assert "Polars is 1.33× as fast as Colonnade → Arrow (views)" in text
    assert "pyarrow is" not in text
    assert "0.500 [0.500–4.750]" in text


def test_a_missing_contender_leaves_a_gap_and_no_ratio() -> None:
    result = measured({"pyarrow": [2.0], "floor-read": [0.05]})
    (cell,) = report.cells_of(result)
    assert cell.speed("colonnade-utf8", "pyarrow") is None
    assert cell.floor_s() is None
    assert "Colonnade was not measured" in report.page(result, "test.json")


def test_a_run_writes_what_the_report_reads(tmp_path: Path) -> None:
    table = sample()
    path = tmp_path / "lineitem_snappy_sf0.01.parquet"
    checked = {name: table["id"] for name in run.CHECKED_COLUMNS}
    pq.write_table(pa.table({**checked, "text": table["text"]}), path)
    out = tmp_path / "result.json"
    run.main(["--data", str(tmp_path), "--out", str(out), "--files", "lineitem_snappy", "--scale", "0.01",
              "--modes", "streaming", "--threads", "1", "--rounds", "2", "--warm-ups", "1"])
    result = json.loads(out.read_text())
    assert {row["contender"] for row in result["rows"]} >= {"pyarrow", *contenders.FLOORS}
    assert all(len(row["wall_s"]) == 2 for row in result["rows"])
    report.main([str(out), "--out", str(tmp_path / "page.md")])
    assert (tmp_path / "page.md").read_text().startswith("# Benchmarks")


def test_values_that_differ_stop_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({name: sample()["id"] for name in run.CHECKED_COLUMNS})
    path = tmp_path / "lineitem_snappy_sf0.01.parquet"
    pq.write_table(table, path)

    true_check = Worker.check

    def lying_check(self: Worker, columns: list[str] | None = None) -> dict:
        answer = true_check(self, columns)
        if self.task.contender == "polars":
            answer["columns"]["l_orderkey"] = "something else"
        return answer

    pytest.importorskip("polars")
    monkeypatch.setattr(Worker, "check", lying_check)
    with pytest.raises(SystemExit, match="different columns"):
        run.main(["--data", str(tmp_path), "--out", str(tmp_path / "r.json"), "--files", "lineitem_snappy",
                  "--scale", "0.01", "--modes", "kept", "--threads", "1", "--rounds", "1", "--warm-ups", "1"])
    assert not (tmp_path / "r.json").exists()


def test_data_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    import data

    target = tmp_path / "x.parquet"
    with pytest.raises(KeyboardInterrupt), data.appearing_whole(target) as written:
        written.write_bytes(b"half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    with data.appearing_whole(target) as written:
        written.write_bytes(b"whole")
    assert target.read_bytes() == b"whole"


def test_the_demo_compares_values_and_shows_each_reader(tmp_path: Path) -> None:
    import subprocess

    import data

    table = sample().rename_columns(["l_orderkey", "l_linestatus", "l_comment"])
    pq.write_table(table, data.data_path(tmp_path, "lineitem_snappy", 0.01))
    demo = Path(__file__).with_name("demo.py")
    done = subprocess.run([sys.executable, demo, "--data", tmp_path, "--scale", "0.01", "--cli", tmp_path / "absent"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = [kind for kind in contenders.PEERS.values() if kind.is_installed()]
    assert all(kind.name in done.stdout for kind in shown)
    if len(shown) > 1:
        assert "the same as pyarrow" in done.stdout
    assert "The command line is not built" in done.stdout


def test_report_shows_skipping_beside_decoding() -> None:
    def row(name: str, instance: int, items: float, aggregate: str = "median") -> dict:
        return {"run_name": name, "family_index": 0, "per_family_instance_index": instance,
                "aggregate_name": aggregate, "items_per_second": items}

    text = report.decoders_text({"context": {"date": "2026-01-02T03:04:05"}, "benchmarks": [
        row("BM_Alp<float>/exceptions_percent:10/skip:1", 1, 4e9), row("BM_Alp<float>/exceptions_percent:10/skip:0", 0, 1e9),
        row("BM_Alp<float>/exceptions_percent:10/skip:0", 0, 7e9, "mean")]})
    assert "| Alp of float | exceptions percent 10 | 1.000 | 0.250 | 25.0% |" in text and "2026-01-02" in text
    assert report.decoders_text(None) == ""
