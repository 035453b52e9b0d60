"""What open() accepts, and what a File tells."""

import inspect
import io
import json
import mmap
import os
import pathlib
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade
from conftest import trips

ROWS = trips().to_pylist()


def rows(source):
    return colonnade.open(source).read().to_pylist()


def test_a_path(trips_path):
    assert rows(str(trips_path)) == ROWS
    assert rows(trips_path) == ROWS
    assert colonnade.open(trips_path).name == str(trips_path)


def test_a_path_that_is_not_utf8(trips_path):
    odd = os.fsencode(trips_path.parent) + b"/caf\xe9.parquet"
    os.rename(trips_path, odd)
    file = colonnade.open(os.fsdecode(odd))
    assert file.num_rows == 4
    assert file.name == os.fsdecode(odd)
    with pytest.raises(FileNotFoundError) as caught:
        colonnade.open(os.fsdecode(odd + b"x"))
    assert caught.value.filename == os.fsdecode(odd + b"x")


class FromPath(os.PathLike):
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


def test_any_path_like(trips_path):
    assert rows(FromPath(str(trips_path))) == ROWS
    assert rows(FromPath(os.fsencode(trips_path))) == ROWS


def test_bytes_are_the_files_contents(trips_path):
    contents = trips_path.read_bytes()
    assert rows(contents) == ROWS
    assert rows(bytearray(contents)) == ROWS
    assert rows(memoryview(contents)) == ROWS
    assert colonnade.open(contents).name == "<bytes>"
    with open(trips_path, "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        file = colonnade.open(mapped)
        assert file.read().to_pylist() == ROWS
        with pytest.raises(BufferError):
            mapped.close()  # still in use
        file.close()


def test_bytes_that_are_not_contiguous(trips_path):
    with pytest.raises(BufferError):
        colonnade.open(memoryview(trips_path.read_bytes())[::2])


def test_file_like_objects(trips_path):
    assert rows(io.BytesIO(trips_path.read_bytes())) == ROWS
    with open(trips_path, "rb") as f:
        assert rows(f) == ROWS
        assert colonnade.open(f).name == str(trips_path)
    with open(trips_path, "rb", buffering=0) as f:
        assert rows(f) == ROWS


class Dribble(io.BytesIO):
    """Gives at most three bytes at once."""

    def read(self, size=-1):
        return super().read(min(size, 3))


def test_a_file_like_object_that_reads_short(trips_path):
    assert rows(Dribble(trips_path.read_bytes())) == ROWS


def test_a_file_like_object_with_many_threads(numbers_path):
    class Counted(io.FileIO):
        inside = most = 0

        def read(self, size=-1):
            Counted.inside += 1
            Counted.most = max(Counted.most, Counted.inside)
            try:
                return super().read(size)
            finally:
                Counted.inside -= 1

    with Counted(numbers_path) as f:
        table = colonnade.open(f).read(threads=4)
        assert table["id"].to_pylist() == list(range(100_000))
        assert Counted.most == 1


def test_one_file_like_object_under_several_files(numbers_path):
    with open(numbers_path, "rb", buffering=0) as f:
        streams = [colonnade.scan(f, "id", batch_rows=500, threads=2) for _ in range(3)]
        for batches in zip(*streams, strict=True):
            first, second, third = (batch["id"].to_pylist() for batch in batches)
            assert first == second == third


def test_a_read_that_uses_what_is_read_from_it(numbers_path):
    class Circular(io.FileIO):
        then = None

        def read(self, size=-1):
            then, self.then = self.then, None
            if then is not None and size > 0:
                then()
            return super().read(size)

    for threads in (1, 2):
        with Circular(numbers_path) as f:
            file = colonnade.open(f)
            stream = file.batches(batch_rows=1, threads=threads)
            other = file.batches(threads=threads)
            for action in (
                lambda file=file, threads=threads: file.read(threads=threads),
                lambda stream=stream: next(stream),
                lambda other=other: next(other),
                lambda f=f: colonnade.open(f),
            ):
                f.then = action
                with pytest.raises(ValueError, match="uses"):
                    file.read(threads=threads)
            f.then = lambda stream=stream: next(stream)
            with pytest.raises(ValueError, match="uses"):
                list(stream)
            f.then = other.close
            file.read(threads=threads)
            assert other.closed
            assert file.read(threads=threads).num_rows == 100_000


def test_what_a_file_like_object_says_of_itself(trips_path):
    contents = trips_path.read_bytes()

    class Odd(io.BytesIO):
        end = None
        name = "x"

        def tell(self):
            return self.end

    for end in (None, "7", 3.5):
        f = Odd(contents)
        f.end = end
        with pytest.raises(TypeError, match="tell"):
            colonnade.open(f)
    for end in (-1, 1 << 63):
        f = Odd(contents)
        f.end = end
        with pytest.raises(ValueError, match="tell"):
            colonnade.open(f)
    f = Odd(contents)
    f.end = len(contents)
    for name, shown in (("\ud800", "\\ud800"), ("two\nlines\x1b", None), ("a\0b", None), (b"bytes", "<Odd>")):
        f.name = name
        assert colonnade.open(f).name == (shown or name)


def test_what_a_name_raises(trips_path):
    class Nameless(io.BytesIO):
        error = ValueError

        @property
        def name(self):
            raise self.error

    f = Nameless(trips_path.read_bytes())
    assert colonnade.open(f).name == "<Nameless>"
    f.error = KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        colonnade.open(f)


def test_what_is_no_bytes(trips_path):
    class Strided(io.BytesIO):
        def read(self, size=-1):
            return memoryview(super().read(size))[::2] if size else b""

    with pytest.raises(BufferError, match="contiguous"):
        colonnade.open(Strided(trips_path.read_bytes()))


def test_limits_hold_wherever_a_file_is_opened(numbers_path):
    for read in (colonnade.read_table, lambda *a, **k: list(colonnade.scan(*a, **k))):
        for source in (numbers_path, numbers_path.read_bytes(), [numbers_path]):
            with pytest.raises(MemoryError, match="page"):
                read(source, page_limit=10)
            read(source, page_limit=1 << 30)


def test_what_it_does_not_accept(tmp_path):
    for wrong in (None, 3, object(), [str(tmp_path)]):
        with pytest.raises(TypeError, match="wanted"):
            colonnade.open(wrong)
    with pytest.raises(ValueError):
        colonnade.open("a\0b")


def test_text_files_are_refused(trips_path):
    with open(trips_path, encoding="latin-1") as f, pytest.raises(TypeError, match="binary"):
        colonnade.open(f)
    with open(trips_path, encoding="utf-8") as f, pytest.raises(TypeError, match="binary"):
        colonnade.open(f)


def test_properties(trips_path):
    file = colonnade.open(trips_path)
    assert (file.num_rows, file.num_columns, file.num_row_groups) == (4, 4, 1)
    assert file.created_by.startswith("parquet-cpp-arrow")
    assert file.format_version == 2
    assert file.schema.names == ["city", "day", "riders", "fare"]
    assert "4 rows, 4 columns, 1 row group" in repr(file)


def test_row_groups_and_chunks(numbers_path):
    file = colonnade.open(numbers_path)
    expected = pq.ParquetFile(numbers_path).metadata
    assert file.num_row_groups == expected.num_row_groups == 4
    for i in range(4):
        group = expected.row_group(i)
        assert file.row_group(i)["num_rows"] == group.num_rows
        for j in range(3):
            chunk, other = file.column_chunk(i, j), group.column(j)
            assert chunk["path"] == other.path_in_schema
            assert chunk["codec"] == other.compression
            assert chunk["num_values"] == other.num_values
            assert chunk["compressed_bytes"] == other.total_compressed_size
            assert chunk["uncompressed_bytes"] == other.total_uncompressed_size
            assert chunk["null_count"] == other.statistics.null_count
            assert chunk["has_dictionary_page"] == other.has_dictionary_page
            assert set(chunk["encodings"]) == set(other.encodings)
    for wrong in ((4, 0), (-1, 0), (0, 3), (0, -1)):
        with pytest.raises(ValueError):
            file.column_chunk(*wrong)


def test_metadata(numbers_path, trips_path):
    metadata = colonnade.open(numbers_path).metadata
    assert json.loads(json.dumps(metadata)) == metadata
    assert len(metadata["row_groups"]) == 4
    pq.write_table(trips().replace_schema_metadata({"key": "välue", "empty": ""}), trips_path)
    for pairs in (colonnade.open(trips_path).key_value_metadata, colonnade.open(trips_path).schema.metadata):
        assert (pairs["key"], pairs["empty"]) == ("välue", "")


def test_closing(trips_path):
    with colonnade.open(trips_path) as file:
        stream = file.batches()
    assert file.closed and "closed" in repr(file)
    for use in (lambda: file.num_rows, lambda: file.batches(), lambda: file.read(), lambda: pa.table(file)):
        with pytest.raises(ValueError, match="closed"):
            use()
    file.close()
    assert next(stream).to_pylist() == ROWS  # what was begun goes on


def test_an_empty_file(tmp_path):
    path = tmp_path / "empty.parquet"
    pq.write_table(trips().slice(0, 0), path)
    file = colonnade.open(path)
    assert file.num_rows == 0
    assert list(file.batches()) == []
    table = file.read()
    assert (table.num_rows, table.column_names) == (0, ["city", "day", "riders", "fare"])
    assert pa.table(table).schema == trips().schema


def test_threads_may_share_a_file(numbers_path):
    file = colonnade.open(numbers_path)
    sums = []

    def work():
        sums.append(sum(sum(batch["id"].to_pylist()) for batch in file.batches(["id"])))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [sum(range(100_000))] * 4


def test_pathlib_names(trips_path):
    assert colonnade.open(pathlib.PurePath(trips_path)).num_rows == 4


@pytest.mark.parametrize("several", [list, tuple, set, iter, lambda paths: (p for p in paths), lambda paths: dict.fromkeys(paths)])
def test_any_iterable_of_paths(trips_path, several):
    assert colonnade.read_table(several([trips_path])).num_rows == 4
    assert sum(batch.num_rows for batch in colonnade.scan(several([str(trips_path)]))) == 4


def test_what_is_no_path_is_named():
    for source, word in (([1], "int"), (5, "int"), ([], "no files"), (iter([b"x"]), "bytes")):
        with pytest.raises((TypeError, ValueError), match=word):
            colonnade.read_table(source)


def test_repr_is_one_line(tmp_path, trips_path):
    path = tmp_path / "a\nb.parquet"
    path.write_bytes(trips_path.read_bytes())
    assert "\n" not in repr(colonnade.open(path)) and "a\\nb.parquet'" in repr(colonnade.open(path))


def test_bytes_that_name_a_file(trips_path):
    with pytest.raises(TypeError, match="pass it as str"):
        colonnade.open(os.fsencode(trips_path))
    with pytest.raises(colonnade.CorruptError):
        colonnade.open(os.fsencode(trips_path) + b"x")


def test_functions_can_be_sent_to_a_spawned_process(trips_path):
    import concurrent.futures
    import multiprocessing
    import pickle

    for function in (colonnade.open, colonnade.read_table, colonnade.scan, colonnade.table, colonnade.column):
        assert pickle.loads(pickle.dumps(function)) is function
    assert "memory_limit" in inspect.signature(colonnade.open).parameters
    with pytest.raises(TypeError, match="colums"):
        colonnade.read_table(trips_path, colums=["city"])
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(FileNotFoundError):
            pool.submit(colonnade.open, "missing.parquet").result()


def test_arguments_of_the_wrong_shape_are_named(trips_path):
    file = colonnade.open(trips_path)
    for options, message in (
        ({"columns": 5}, "columns must be a str or an iterable of str, not int"),
        ({"row_groups": 0}, "row_groups must be an iterable of int, not int"),
        ({"split": 7}, "split must be a pair"),
    ):
        with pytest.raises(TypeError, match=message):
            file.batches(**options)
    assert sum(len(batch) for batch in file.batches(split=[0, 10**6])) == 4
    with pytest.raises(TypeError, match="not bool"):
        file.read()[True]
    assert file.schema["fare"] == file.schema.field(3)
