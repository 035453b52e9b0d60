"""How the command line is called: options, their mistakes, help, completions, the man page."""

import re
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from command_line import COMMANDS, HANG, ROOT, fails, needs_command_line, run

pytestmark = needs_command_line


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": [1, 2, None, 4], "word": list("abcd"), "price": [1, 2, 3, 4]}), path, row_group_size=2)
    return path


def test_version_and_help():
    assert re.fullmatch(rb"colonnade \d+\.\d+\.\d+\n", run("--version").stdout)
    top = run("--help").stdout.decode()
    assert run("help").stdout.decode() == top
    for command in COMMANDS:
        assert command in top
        text = run(command, "--help").stdout.decode()
        assert run("help", command).stdout.decode() == text
        assert f"colonnade {command} " in text.split("Example:")[1]
    assert "no such command: 'foo'" in fails("usage", "help", "foo")


def test_usage_errors():
    assert "a command is missing" in fails("usage")
    fails("usage", "nonsense")
    fails("usage", "scan")
    fails("usage", "scan", "x", "--memory", "many")
    fails("usage", "cat", "x", "--format", "xml")


@pytest.mark.parametrize("command, option", (("cat", "--threads"), ("scan", "-t"), ("cat", "--batch-rows"), ("head", "-n"), ("head", "--rows")))
def test_numbers_that_make_no_sense_are_named(path, command, option):
    name = {"-t": "--threads", "-n": "--rows"}.get(option, option)
    assert fails("usage", command, path, option, "-1") == f"colonnade: a number must not be negative: {name} -1\n"
    assert fails("usage", command, path, option, "9" * 20) == f"colonnade: a number is out of range: {name} {'9' * 20}\n"
    assert fails("usage", command, path, option, "1.5") == f"colonnade: not a number: {name} '1.5'\n"
    run(command, path, option, "0")


def test_what_is_no_command_is_named(tmp_path):
    for arguments, message in [(["frobnicate", "x"], "no such command: 'frobnicate'"), (["--foo"], "no such option: '--foo'"),
                               ([], "a command is missing"), (["cat", "-f", "1", "x"], "no such format: --format '1'; there are csv, jsonl and table")]:
        assert message in fails("usage", *arguments)


def test_options_that_no_command_has_are_named(path, tmp_path):
    for arguments, option in ((["head", "--frob", path], "--frob"), (["head", "-5", path], "-5"), (["count", "-x.parquet"], "-x.parquet")):
        assert f"no such option: '{option}'" in fails("usage", *arguments)
    assert "there is --columns" in fails("usage", "head", "--column", "id", path)
    assert "there is --column" in fails("usage", "meta", "--columns", "id", path)
    assert "a file is missing" in fails("usage", "count")
    (tmp_path / "-x.parquet").write_bytes(path.read_bytes())
    assert run("count", "./-x.parquet", cwd=tmp_path).stdout == b"4\n"


def test_an_option_with_an_empty_value_takes_no_argument(path, tmp_path):
    other = tmp_path / "other.parquet"
    other.write_bytes(path.read_bytes())
    before = path.read_bytes()
    assert "empty" in fails("usage", "cat", "--output=", path, other)
    assert path.read_bytes() == before
    assert run("cat", "--null=", path, other).stdout == run("cat", "--null", "", path, other).stdout
    assert "--memory ''" in fails("usage", "count", "--memory=", path)


def test_every_file_can_be_named(path, tmp_path):
    folder = tmp_path / "g"
    folder.mkdir()
    names = ["a", "b", "[q]", "-x", "++", "--memory=", "[]", "12]"]
    for name in names:
        (folder / name).write_bytes(path.read_bytes())
    for arguments, files in [(["[ab]"], 2), (["[q]"], 1), (["[]"], 1), (["[0-3][0-9][]]"], 1), (["a", "--", "-x"], 2), (["--", "-x", "b"], 2),
                             (["./-x"], 1), (["++", "a"], 2), (["--", "--memory="], 1), (["a", "--", "b"], 2)]:
        assert run("count", *arguments, cwd=folder).stdout == b"%d\n" % (4 * files), arguments
    assert "'./[c,d]'" in fails("not_found", "count", "[c,d]", cwd=folder)
    assert "'[id]'" in fails("not_found", "head", "--columns", "[id]", path)
    assert "'[id]'" in fails("not_found", "cat", "-c", "[id]", "--null=", path)


def test_numbers_and_sizes_name_their_option(path):
    for option, command in (("--memory", "scan"), ("--page-limit", "scan"), ("--rows", "head"), ("--row-group", "meta"), ("--threads", "cat")):
        for text in ("x", "", "99999999999999999999", "1x"):
            assert f"{option} " in fails("usage", command, path, option, text)
    assert len(run("head", "-f", "csv", "-n", "1", "-n", "3", path).stdout.splitlines()) == 4  # the last one counts
    assert "beyond 64 bits" in fails("usage", "scan", path, "--memory", "99999999TB")


def test_a_list_that_is_given_twice_goes_on(path):
    together = run("cat", "--columns", "price,id,word", path).stdout
    assert together.startswith(b"price,id,word\n")
    assert run("cat", "-c", "price", "-c", "id,word", path).stdout == together
    assert run("cat", "-c", "price", path, "--columns=id", "-cword").stdout == together
    rows = run("cat", "--no-header", "--row-groups", "1,0", path).stdout
    assert run("cat", "--no-header", "--row-groups", "1", "--row-groups", "0", path).stdout == rows
    assert run("cat", "--no-header", path).stdout not in (rows, b"")


def test_what_can_be_chosen_once_is_refused_twice(path):
    for command, option, value in (("scan", "--split", "0:4"), ("meta", "--column", "id"), ("meta", "--row-group", "0")):
        assert f"{option} is given 2 times" in fails("usage", command, option, value, option, value, path)
    assert "those of 'head' stand behind its name" in fails("usage", "-n", "2", "head", path)


def test_bash_completes_what_stands_behind_an_equals_sign():
    script = (
        f"source {ROOT}/cli/completions/colonnade.bash\n"
        'for words in "--format j" "--format = j" "--format =" "--fo"; do\n'
        "  COMP_WORDS=(colonnade cat $words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _colonnade; echo ${COMPREPLY[@]}\n"
        "done"
    )
    out = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=HANG).stdout
    assert out.splitlines() == ["jsonl", "jsonl", "csv jsonl table", "--format"]


@pytest.mark.parametrize("name", ("colonnade.bash", "_colonnade", "colonnade.fish", "man"))
def test_completions_and_man_page_know_every_option(name):
    path = ROOT / "cli" / ("man/colonnade.1" if name == "man" else f"completions/{name}")
    text = path.read_text().replace("\\-", "-")
    for command in COMMANDS:
        assert command in text
        for option in re.findall(r"(--[a-z-]+)", run(command, "--help").stdout.decode()):
            if option != "--help" or name != "man":
                assert option.removeprefix("--") in text, f"{command} {option}"


def test_what_was_probably_meant(path, tmp_path):
    cut = tmp_path / "cut"
    cut.write_bytes(path.read_bytes()[:-10])
    assert "is it cut off?" in fails("corrupt", "head", cut)
    cut.write_bytes(b"PK" * 10)
    assert "not a Parquet file" in fails("corrupt", "head", cut)
    assert "no URLs" in fails("not_found", "count", "s3://bucket/a.parquet")
    assert "--row-numbers: the name is empty" in fails("usage", "cat", "--row-numbers", "", path)
