"""fork(): the child works as if fresh, and never waits for threads that it does not have."""

import io
import multiprocessing
import os
import signal
import sys
import threading

import pytest

import colonnade

HANG = 60

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def in_child(action):
    """What action() gives, in a child of this process, as text."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(HANG)  # a hang kills the child
        try:
            answer = str(action())
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(writing, answer.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read().decode()
    assert os.waitpid(child, 0)[1] == 0, answer
    return answer


def total(path):
    return sum(sum(batch["id"].to_pylist()) for batch in colonnade.open(path).batches(["id"], threads=4))


EXPECTED = str(sum(range(100_000)))


def test_the_child_reads_with_threads_of_its_own(numbers_path):
    assert total(numbers_path) == int(EXPECTED)  # the parent's threads are there
    assert in_child(lambda: total(numbers_path)) == EXPECTED
    assert in_child(lambda: in_child(lambda: total(numbers_path))) == EXPECTED
    assert total(numbers_path) == int(EXPECTED)


def test_files_and_tables_of_the_parent_can_be_used(numbers_path):
    file = colonnade.open(numbers_path)
    table = file.read(threads=4)
    assert in_child(lambda: sum(file.read("id", threads=4)["id"].to_pylist())) == EXPECTED
    assert in_child(lambda: sum(table["id"].to_pylist())) == EXPECTED


def test_a_stream_in_progress_is_refused_and_can_be_dropped(slow_path):
    stream = colonnade.open(slow_path).batches(batch_rows=100, threads=4)
    next(stream)
    assert in_child(lambda: next(stream)).startswith("ValueError: a stream that was begun before fork()")

    def drop():
        nonlocal stream
        stream.close()
        del stream
        return "dropped"

    assert in_child(drop) == "dropped"
    assert next(stream).num_rows == 100  # the parent goes on


def test_a_file_like_object_that_was_being_read(numbers_path):
    entered, may_go_on = threading.Event(), threading.Event()

    class Slow(io.FileIO):
        slow = False

        def read(self, size=-1):
            if self.slow:
                entered.set()
                may_go_on.wait(HANG)
            return super().read(size)

    with Slow(numbers_path) as f:
        file = colonnade.open(f)
        f.slow = True
        reader = threading.Thread(target=file.read, kwargs={"threads": 1})
        reader.start()
        assert entered.wait(HANG)
        assert "forked" in in_child(lambda: file.read(threads=2))
        assert "forked" in in_child(lambda: colonnade.open(f))
        f.slow = False
        may_go_on.set()
        reader.join()
        assert in_child(lambda: sum(file.read("id")["id"])) == EXPECTED


def test_a_stream_of_the_parent_is_closed_in_the_child(slow_path):
    stream = colonnade.open(slow_path).batches(batch_rows=1, threads=2)
    next(stream)
    assert in_child(lambda: (stream.closed, stream.close())) == "(True, None)"
    assert not stream.closed
    next(stream)


def test_the_child_ends_like_any_program(slow_path):
    stream = colonnade.open(slow_path).batches(batch_rows=100, threads=4)
    next(stream)
    child = os.fork()
    if child == 0:
        signal.alarm(HANG)
        try:
            import atexit

            atexit._run_exitfuncs()
            del stream
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def _pool_task(path):
    return total(path)


def test_multiprocessing(numbers_path):
    total(numbers_path)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_pool_task, [numbers_path] * 4).get(HANG) == [int(EXPECTED)] * 4
