"""The command line, run as a user runs it."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLI = pathlib.Path(os.environ.get("COLONNADE_CLI", ROOT / "build" / "dev" / "bin" / "colonnade"))
HANG = 60  # seconds; nothing here takes longer than a few

needs_command_line = pytest.mark.skipif(not CLI.exists(), reason=f"no command line at {CLI}: make dev builds it")

COMMANDS = ("schema", "meta", "head", "cat", "count", "scan")
EXIT = dict(usage=2, not_found=3, permission=4, io=5, corrupt=6, not_supported=7, budget=8)


def run(*arguments, check=True, **options):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, timeout=HANG, **options)
    if check:
        assert done.returncode == 0, done.stderr.decode()
        assert done.stderr == b""
    return done


def fails(code, *arguments, **options):
    """The one line on standard error; nothing on standard output."""
    done = run(*arguments, check=False, **options)
    assert done.returncode == EXIT[code], (done.returncode, done.stderr)
    assert done.stdout == b""
    message = done.stderr.decode()
    assert message.startswith("colonnade: ") and message.count("\n") == 1, message
    return message
