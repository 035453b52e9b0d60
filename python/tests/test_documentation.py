"""The examples in the docstrings and in docs/python.md run, and the stubs name what there is."""

import ast
import doctest
import inspect
import pathlib

import pytest

import colonnade

ROOT = pathlib.Path(__file__).parents[2]


def documented():
    """(name, docstring) of everything public."""
    yield "colonnade", colonnade.__doc__
    for name in colonnade.__all__:
        thing = getattr(colonnade, name)
        yield name, inspect.getdoc(thing)
        if isinstance(thing, type):
            for member in vars(thing):
                if not member.startswith("_"):
                    yield f"{name}.{member}", inspect.getdoc(getattr(thing, member))


EXAMPLES = {name: text for name, text in documented() if text and ">>>" in text}


@pytest.mark.parametrize("name", EXAMPLES)
def test_docstrings(name, trips_path, monkeypatch):
    monkeypatch.chdir(trips_path.parent)
    run_examples(name, EXAMPLES[name])


def test_there_are_examples():
    for name in ("open", "read_table", "scan", "table", "column", "File", "File.batches", "Table", "Stream", "Schema"):
        assert name in EXAMPLES


def test_the_page(trips_path, monkeypatch):
    monkeypatch.chdir(trips_path.parent)
    run_examples("python.md", (ROOT / "docs" / "python.md").read_text())


def run_examples(name, text):
    test = doctest.DocTestParser().get_doctest(text, {"colonnade": colonnade}, name, name, 0)
    assert test.examples
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    failed = runner.run(test, out=report.append).failed
    assert failed == 0, "".join(report)


def test_everything_public_has_a_docstring():
    for name in colonnade.__all__:
        if name != "__version__":
            assert getattr(colonnade, name).__doc__, name


def stub_names():
    """Class or None -> the public names that the stub gives it."""
    names = {None: set()}
    module = ast.parse((pathlib.Path(colonnade.__file__).parent / "_colonnade.pyi").read_text())
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            names[None].add(node.name)
        elif isinstance(node, ast.ClassDef):
            names[node.name] = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
    return names


def test_the_stubs_name_what_there_is():
    from colonnade import _colonnade

    stubs = stub_names()
    protocols = {"ArrowStream", "ArrowArray", "BinaryReader"}
    classes = {n for n, thing in vars(_colonnade).items() if isinstance(thing, type)}
    functions = {n for n, thing in vars(_colonnade).items() if callable(thing) and n not in classes and n[0] != "_"}
    assert set(stubs) - {None} - protocols == classes
    assert stubs[None] == functions
    for name in classes:
        own = {m for m in vars(getattr(_colonnade, name)) if not m.startswith("_") or m.startswith("__arrow")}
        public = {m for m in stubs[name] if not m.startswith("_") or m.startswith("__arrow")}
        assert public == own, name


def parameters(signature):
    """(name, kind, default) of a function's parameters but self, from its text."""
    function = ast.parse(signature.rstrip(":") + ": ...").body[0]
    arguments = function.args
    positional = [a.arg for a in arguments.posonlyargs + arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [ast.unparse(d) for d in arguments.defaults]
    named = [(a.arg, "keyword", d and ast.unparse(d)) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [(name, "positional", default) for name, default in zip(positional, defaults) if name != "self"] + named


def runtime_signatures(function):
    return [overload[0] for overload in getattr(function, "__nb_signature__", ())]


def test_the_stubs_have_the_parameters_that_there_are():
    from colonnade import _colonnade

    module = ast.parse((pathlib.Path(colonnade.__file__).parent / "_colonnade.pyi").read_text())
    compared = 0
    for owner in [module, *(node for node in module.body if isinstance(node, ast.ClassDef))]:
        runtime = _colonnade if owner is module else getattr(_colonnade, owner.name, None)
        for stub in owner.body:
            if runtime is None or not isinstance(stub, ast.FunctionDef) or stub.name.startswith("__") or stub.decorator_list:
                continue
            signatures = runtime_signatures(getattr(runtime, stub.name))
            assert len(signatures) == 1, stub.name
            stub.decorator_list = []
            assert parameters(ast.unparse(stub).splitlines()[0].strip()) == parameters(signatures[0]), stub.name
            compared += 1
    assert compared > 25


def test_typed():
    assert (pathlib.Path(colonnade.__file__).parent / "py.typed").exists()
