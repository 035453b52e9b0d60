"""The command line, run as a user runs it."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLI = pathlib.Path(os.environ.get("COLONNADE_CLI", ROOT / "build" / "dev" / "bin" / "colonnade"))
HANG = 60  # seconds; nothing here takes longer than a few

needs_command_line = pytest.mark.skipif(not CLI.exists(), reason=f"no command line at {CLI}: make dev builds it")

COMMANDS = ("schema", "meta", "head", "cat", "count", "scan")
EXIT = dict(usage=2, not_found=3, permission=4, io=5, corrupt=6, not_supported=7, budget=8, data=9)


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


# A process counts what its parent had resident when it was started, so a small one starts them all.
MEASURE = """
import json, os, subprocess, sys
def peak(arguments):
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_maxrss * 1024
json.dump([peak(arguments) for arguments in json.load(sys.stdin)], sys.stdout)
"""


def exit_and_peak(*commands):
    """Of each command, one after another: what it exits with, and the bytes that it had resident at most."""
    arguments = json.dumps([[str(CLI), *map(str, command)] for command in commands]).encode()
    measured = subprocess.run([sys.executable, "-SIc", MEASURE], input=arguments, capture_output=True, check=True)
    return json.loads(measured.stdout)
