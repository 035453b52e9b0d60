"""One warm process per contender, asked for one run at a time over a pipe.

As a module it gives Worker, the asking side; run as a program it is the asked side: it pins itself to its
CPUs before any library is loaded, then answers lines of JSON with lines of JSON.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Task:
    """What a worker does: a key of contenders.ALL or FLOORS, a file, a mode, and its threads."""

    contender: str
    path: str
    mode: str
    threads: int
    output_bytes: int = 0  # floors only
    output_rows: int = 0


def cpus_for(threads: int) -> list[int]:
    """The last CPUs this process may use: the first one often serves interrupts."""
    allowed = sorted(os.sched_getaffinity(0))
    if threads > len(allowed):
        raise ValueError(f"{threads} threads on {len(allowed)} CPUs")
    return allowed[-threads:]


class WorkerFailed(RuntimeError):
    """The worker answered with an error, or is gone."""


class Worker:
    """The asking side. Use as a context manager: the process ends with the block."""

    def __init__(self, task: Task, python: str = sys.executable) -> None:
        from contenders import ALL

        environment = dict(os.environ)
        if task.contender in ALL:
            environment |= ALL[task.contender].environment(task.threads)
        self.task = task
        self._process = subprocess.Popen(
            [python, str(Path(__file__).resolve())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True, bufsize=1,
        )
        try:
            self.ask(do="start", cpus=cpus_for(task.threads), task=asdict(task))
        except BaseException:
            self.close()
            raise

    def send(self, **request: object) -> None:
        with contextlib.suppress(BrokenPipeError):  # receive() tells why
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()

    def receive(self) -> dict:
        line = self._process.stdout.readline()
        if not line:
            raise WorkerFailed(f"{self.task.contender} ended with status {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise WorkerFailed(f"{self.task.contender}: {answer['error']}")
        return answer

    def ask(self, **request: object) -> dict:
        self.send(**request)
        return self.receive()

    def run(self) -> dict:
        """Times one run: wall_s, cpu_s (user and system, all threads), page_faults, rows."""
        return self.ask(do="run")

    def check(self, columns: list[str] | None = None) -> dict:
        """digest.digest() of what a run reads, of some columns or all."""
        return self.ask(do="check", columns=columns)

    def memory(self) -> dict:
        """peak_bytes (resident, since the first timed run) and resident_bytes."""
        return self.ask(do="memory")

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._process.kill()
        self.close()


class Job:
    """The asked side."""

    def __init__(self, task: Task) -> None:
        from contenders import ALL, KEPT, Floor

        self.task = task
        self.keeps = task.mode == KEPT and task.contender in ALL
        self.peak_is_reset = False
        if task.contender in ALL:
            self.contender = ALL[task.contender](task.path, task.threads)
        else:
            self.floor = Floor(task.contender, task.path, task.threads, task.mode, task.output_bytes, task.output_rows)

    def once(self) -> tuple[int, object]:
        if self.keeps:
            return self.contender.keep()
        return (self.contender.stream() if hasattr(self, "contender") else self.floor.run()), None

    def run(self) -> dict:
        if not self.peak_is_reset:
            self.peak_is_reset = True
            reset_peak()
        gc.collect()
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        cpu = time.process_time()
        wall = time.perf_counter()
        num_rows, kept = self.once()
        wall = time.perf_counter() - wall
        cpu = time.process_time() - cpu
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
        if hasattr(kept, "close"):
            kept.close()
        return {"wall_s": wall, "cpu_s": cpu, "page_faults": faults, "rows": num_rows}

    def check(self, columns: list[str] | None) -> dict:
        import pyarrow as pa
        from digest import digest

        def chosen(batch: pa.RecordBatch) -> pa.RecordBatch:
            return batch if columns is None else batch.select(columns)

        result = digest(chosen(batch) for batch in self.contender.batches(self.task.mode))
        gc.collect()
        return result

    def memory(self) -> dict:
        return {"peak_bytes": status_bytes("VmHWM"), "resident_bytes": status_bytes("VmRSS")}


def reset_peak() -> None:
    """Makes the kernel forget the highest resident memory so far; where it may not, the check counts too."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def status_bytes(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    return 0


def main() -> None:
    # What libraries print goes to stderr: stdout belongs to the answers.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the asking side, which ends us
    job: Job | None = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            match request["do"]:
                case "start":
                    os.sched_setaffinity(0, request["cpus"])
                    job = Job(Task(**request["task"]))
                    answer = {}
                case "run":
                    answer = job.run()
                case "check":
                    answer = job.check(request["columns"])
                case "memory":
                    answer = job.memory()
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
