"""Stopping: Ctrl-C, close() from another thread, the end of the program."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pyarrow as pa
import pytest

import colonnade

HANG = 120  # seconds; only a hang takes so long


def run(code, *arguments):
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert done.stderr == ""
    return done.stdout


WORK = {
    "a stream": "for batch in colonnade.open(path).batches(batch_rows=1, threads={threads}): pass",
    "a table": "while True: colonnade.read_table(path, threads={threads})",
    "many files": "while True: colonnade.read_table([path] * 4, threads={threads})",
    "a file-like object": "while True: colonnade.open(opened).read(threads={threads})",
    "a dictionary of strings": "while True: pyarrow.chunked_array(strings, type=as_dictionary)",
    "views of strings": "while True: pyarrow.chunked_array(strings, type=pyarrow.string_view())",
    "a column in another form": "while True: pyarrow.array(strings.chunks[0], type=as_dictionary)",
    "validation": "while True: strings.validate(full=True)",
    "validation on import": "while True: colonnade.column(arrow_strings, validate=True)",
    "rows": "while True: table.to_pylist()",
    "values": "while True: table.to_pydict()",
    "an exported stream": "while True: pyarrow.table(colonnade.open(path).batches(threads={threads}))",
}


INTERRUPTED = """
import os, signal, sys, threading, time
import colonnade, pyarrow
path = sys.argv[1]
opened = open(path, "rb")
table = colonnade.open(path).read(row_groups=[0])
pyarrow.table(table)  # it imports pandas now, not when it is interrupted
as_dictionary = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
arrow_strings = pyarrow.array(map(str, range(3_000_000)))
strings = colonnade.table(pyarrow.table({"s": arrow_strings}))["s"]
begun = []
def interrupt():
    time.sleep(0.3)
    begun.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
def work():  # a function: Python 3.11 may miss the try block around a loop that is interrupted at its end
    WORK
def wait():
    while True: time.sleep(0.001)
try:
    try:
        work()
    except (OSError, pyarrow.ArrowException):  # the consumer's own words; the interrupt follows
        wait()
except KeyboardInterrupt:
    print("interrupted after", time.monotonic() - begun[0])
assert colonnade.open(path).read(row_groups=[0]).num_rows > 0  # all still works
"""


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("work", WORK)
def test_keyboard_interrupt(slow_path, work, threads):
    out = run(INTERRUPTED.replace("WORK", WORK[work].format(threads=threads)), slow_path)
    assert out.startswith("interrupted after"), out
    print(work, threads, out)


INTERRUPTED_READ = """
import os, signal, sys, time
import colonnade, pyarrow
class Interrupted(open(sys.argv[1], "rb").raw.__class__):
    armed = False
    def read(self, size=-1):
        if self.armed:
            self.armed = False
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)  # raises here
        return super().read(size)
f = Interrupted(sys.argv[1])
threads = int(sys.argv[2])
stream = colonnade.open(f).batches(threads=threads)
f.armed = True
try:
    try:
        pyarrow.table(stream) if sys.argv[3] == "foreign" else list(stream)
    except (OSError, pyarrow.ArrowException) as error:
        assert "\\n" not in str(error).partition("Detail")[0].strip(), str(error)
        while True: time.sleep(0.001)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("consumer", ["foreign", "own"])
@pytest.mark.parametrize("threads", [1, 4])
def test_keyboard_interrupt_inside_a_read(slow_path, threads, consumer):
    assert run(INTERRUPTED_READ, slow_path, threads, consumer) == "interrupted\n"


def test_other_threads_run_while_values_are_made():
    table = colonnade.table(pa.table({"x": pa.array(range(4_000_000))}))
    for make in (table[:1_000_000].to_pylist, table.column("x").to_pylist):
        turns = [0]
        done = threading.Event()

        def count(turns=turns, done=done):
            while not done.wait(0.001):
                turns[0] += 1

        other = threading.Thread(target=count)
        other.start()
        before = turns[0]
        make()
        during = turns[0] - before
        done.set()
        other.join()
        assert during >= 3


def test_a_handler_of_ones_own_runs_and_reading_goes_on(numbers_path):
    ticks = []
    before = signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        deadline = time.monotonic() + HANG
        while len(ticks) < 3 and time.monotonic() < deadline:
            assert colonnade.read_table(numbers_path).num_rows == 100_000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(ticks) >= 3


def test_a_handler_that_raises(slow_path):
    class Enough(Exception):
        pass

    def handler(*_):
        raise Enough

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Enough):
            for _ in colonnade.open(slow_path).batches(batch_rows=1):
                pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("threads", [1, 4])
def test_close_from_another_thread(slow_path, threads):
    stream = colonnade.open(slow_path).batches(batch_rows=1, threads=threads)
    next(stream)
    ended = []

    def consume():
        try:
            for _ in stream:
                pass
        except (colonnade.Cancelled, ValueError) as error:
            ended.append(error)

    thread = threading.Thread(target=consume)
    thread.start()
    time.sleep(0.1)
    stream.close()
    thread.join(HANG)
    assert not thread.is_alive()
    assert len(ended) == 1
    assert isinstance(ended[0], colonnade.Cancelled) or "closed" in str(ended[0])


class Blocking:
    """A file whose read() waits for the event."""

    def __init__(self, contents):
        self.contents, self.position = contents, 0
        self.slow, self.waiting, self.go_on = False, threading.Event(), threading.Event()

    def seek(self, offset, whence=0):
        self.position = offset + (len(self.contents) if whence == 2 else 0)

    def tell(self):
        return self.position

    def read(self, size):
        if self.slow:
            self.waiting.set()
            self.go_on.wait(HANG)
        start = self.position
        self.position += size
        return self.contents[start : start + size]


def test_close_while_a_read_is_in_progress_raises_cancelled(numbers_path):
    source = Blocking(numbers_path.read_bytes())
    file = colonnade.open(source)
    source.slow = True
    stream = file.batches(threads=1)
    raised = []

    def consume():
        try:
            next(stream)
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=consume)
    thread.start()
    assert source.waiting.wait(HANG)
    threading.Timer(0.1, source.go_on.set).start()
    stream.close()
    thread.join(HANG)
    assert [type(error) for error in raised] == [colonnade.Cancelled]


def test_closing_a_stream_inside_its_own_read(numbers_path):
    source = Blocking(numbers_path.read_bytes())
    file = colonnade.open(source)
    stream = file.batches(threads=1)
    source.slow, source.waiting.set = True, stream.close
    source.go_on.set()
    with pytest.raises(colonnade.Cancelled):
        list(stream)
    assert stream.closed


def test_two_threads_may_take_batches_of_one_stream(numbers_path):
    stream = colonnade.open(numbers_path).batches(["id"], batch_rows=500)
    taken = [[], []]

    def consume(mine):
        for batch in stream:
            mine += batch["id"].to_pylist()

    threads = [threading.Thread(target=consume, args=(mine,)) for mine in taken]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert sorted(taken[0] + taken[1]) == list(range(100_000))


@pytest.mark.parametrize("source", ["path", "open(path, 'rb')"])
@pytest.mark.parametrize("keep", ["streams", "None"])
def test_the_end_of_the_program_in_mid_stream(slow_path, source, keep):
    code = f"""
        import sys, threading
        import colonnade
        path = sys.argv[1]
        streams = [colonnade.open({source}).batches(batch_rows=100, threads=4) for _ in range(4)]
        for stream in streams: next(stream)
        kept = {keep}
        def work():
            for batch in colonnade.open({source}).batches(batch_rows=1): pass
        threading.Thread(target=work, daemon=True).start()
        class Later:
            def __del__(self):
                colonnade.open(path).schema
        later = Later()
        print("ends")
    """
    assert run(code, slow_path) == "ends\n"


def test_the_end_of_the_program_with_a_stream_in_other_hands(slow_path):
    code = """
        import sys
        import colonnade, pyarrow
        reader = pyarrow.RecordBatchReader.from_stream(colonnade.open(open(sys.argv[1], "rb")).batches(threads=4))
        reader.read_next_batch()
        table = pyarrow.table(colonnade.open(sys.argv[1]).read(row_groups=[0]))
        print("ends")
    """
    assert run(code, slow_path) == "ends\n"


OWN_STREAM = """
import signal, sys
import colonnade
file = colonnade.open(sys.argv[1])
make = {"table": lambda: colonnade.table(file.batches(threads=2)), "column": lambda: colonnade.column(file.batches(threads=2))}[sys.argv[2]]
def work():
    while True: make()
for i in range(40):
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.002 + i * 0.001)
    try:
        work()
    except KeyboardInterrupt:
        pass
"""


@pytest.mark.parametrize("kind", ["table", "column"])
def test_keyboard_interrupt_in_an_own_stream(slow_path, kind):
    assert run(OWN_STREAM, slow_path, kind) == ""


CHILD = """
import io, subprocess, sys, threading
import colonnade
class File(io.BytesIO):
    def read(self, size=-1):
        if threading.current_thread() is not threading.main_thread() and not children:
            children.append(subprocess.Popen(["sleep", "1000"]))
        return super().read(size)
children = []
colonnade.open(File(open(sys.argv[1], "rb").read())).read(threads=4)
child, = children
child.terminate()
print(child.wait(60))
"""


def test_a_process_started_inside_a_read_takes_signals(slow_path):
    assert run(CHILD, slow_path) == f"{-signal.SIGTERM}\n"


LISTING = """
import signal, sys, time
import colonnade
def interrupt(signum, frame):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.05)
def work():
    while True:
        try:
            colonnade.read_table(sys.argv[1])
        except FileNotFoundError:
            pass
try:
    work()
except KeyboardInterrupt:
    print("interrupted")
"""


def test_keyboard_interrupt_while_a_folder_is_listed(tmp_path):
    folder = tmp_path
    for i in range(200):
        folder = folder / "d"
        folder.mkdir()
    assert run(LISTING, tmp_path) == "interrupted\n"


SUBINTERPRETER = """
import sys
import _xxsubinterpreters as subinterpreters
import colonnade
other = subinterpreters.create()
subinterpreters.run_string(other, "pass")
subinterpreters.destroy(other)
table = colonnade.read_table(sys.argv[1])
for batch in colonnade.open(sys.argv[1]).batches(threads=4):
    pass
print(table.num_rows)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module of subinterpreters has another name")
def test_a_subinterpreter_that_once_was_changes_nothing(trips_path):
    assert run(SUBINTERPRETER, trips_path) == "4\n"


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module of subinterpreters has another name")
def test_a_subinterpreter_is_refused():
    code = """
    import _xxsubinterpreters as subinterpreters
    try:
        subinterpreters.run_string(subinterpreters.create(), "import colonnade")
    except subinterpreters.RunFailedError as error:
        print("ImportError" in str(error))
    """
    assert run(code) == "True\n"
