"""The shape of the source, counted. Every count has a ceiling that may only be lowered: what is mended stays mended.

A count is a list of places, so a failing test says where to look. `python -m tests.test_shape` prints all counts.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from concordant.about import NAME

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src"
PACKAGE = SOURCE / NAME

LONGEST_BODY, LONGEST_MODULE, LONGEST_TEMPLATE_LINE = 40, 400, 160
TERM = re.compile(rf"\b{NAME} (pair|minus)", re.IGNORECASE)
"""The name is a term of the field too: concordant and discordant pairs."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> list[Path]:
    """Every module of the package; the bundled examples are data."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "examples" not in path.parts)


def templates() -> list[Path]:
    """Every template of the package."""
    return sorted(path for folder in PACKAGE.rglob("templates") for path in folder.rglob("*") if path.is_file())


@cache
def tree(path: Path) -> ast.Module:
    """A parsed module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def dotted(path: Path) -> str:
    """The name under which a module is imported."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def functions(path: Path) -> list[Function]:
    """Every function and method of a module."""
    return [node for node in ast.walk(tree(path)) if isinstance(node, Function)]


def without_docstring(function: Function) -> list[ast.stmt]:
    """The statements of a function after its docstring."""
    return function.body if ast.get_docstring(function) is None else function.body[1:]


def uses(node: ast.AST) -> Counter[str]:
    """How often each name is used below a node, as a variable or after a dot."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.Name | ast.Attribute)]
    return Counter(part.id if isinstance(part, ast.Name) else part.attr for part in parts)


def private_used_once() -> Iterator[str]:
    """Undecorated private functions that are named once outside themselves."""
    for path in modules():
        used, defined = uses(tree(path)), Counter(one.name for one in functions(path))
        for one in functions(path):
            is_private = one.name.startswith("_") and not one.name.startswith("__") and not one.decorator_list
            if is_private and defined[one.name] == 1 and used[one.name] - uses(one)[one.name] == 1:
                yield f"{dotted(path)}.{one.name}"


def long_functions() -> Iterator[str]:
    """Functions whose body, without its docstring, is too long."""
    for path in modules():
        for one in functions(path):
            body = without_docstring(one)
            if body and (one.end_lineno or 0) - body[0].lineno + 1 > LONGEST_BODY:
                yield f"{dotted(path)}.{one.name}"


def long_modules() -> Iterator[str]:
    """Modules with too many lines."""
    return (dotted(path) for path in modules() if len(path.read_text("utf-8").splitlines()) > LONGEST_MODULE)


def long_template_lines() -> Iterator[str]:
    """Lines of templates that no screen shows whole."""
    for path in templates():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if len(line) > LONGEST_TEMPLATE_LINE:
                yield f"{path.relative_to(PACKAGE)}:{number}"


def imported(path: Path, known: frozenset[str]) -> set[str]:
    """The modules of the package that a module names in an import, anywhere in it."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return (found & known) - {dotted(path)}


def with_one_importer() -> Iterator[str]:
    """Modules that exactly one other module imports, but for those of a row that their own folder lists."""
    known = frozenset(map(dotted, modules()))
    importers: dict[str, list[str]] = {}
    for path in modules():
        for name in imported(path, known):
            importers.setdefault(name, []).append(dotted(path))
    for path in modules():
        found = importers.get(dotted(path), [])
        if path.name != "__init__.py" and len(found) == 1 and found != [dotted(path.parent / "__init__.py")]:
            yield dotted(path)


def repeated_module_names() -> Iterator[str]:
    """Names that several modules have."""
    names = Counter(path.stem for path in modules() if not path.stem.startswith("__"))
    return (f"{name} ({times} times)" for name, times in sorted(names.items()) if times > 1)


def measures_that_compute_nothing() -> Iterator[str]:
    """Functions of the catalogue that return something fixed."""
    for path in modules():
        for one in functions(path):
            makers = [made.func for made in one.decorator_list if isinstance(made, ast.Call)]
            if any(isinstance(maker, ast.Name) and maker.id == "measure" for maker in makers):
                body = without_docstring(one)
                is_fixed = not any(isinstance(part, ast.Call | ast.BinOp) for line in body for part in ast.walk(line))
                if len(body) <= 1 and is_fixed:
                    yield f"{dotted(path)}.{one.name}"


def docstrings(path: Path) -> set[int]:
    """The identities of the docstrings of a module, below assignments too."""
    return {
        id(node.value)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def strings_with_the_name() -> Iterator[str]:
    """Strings and lines of templates, scripts and texts that say what the program is called instead of asking `about`."""
    word = re.compile(rf"\b{NAME}(?=\b|_)", re.IGNORECASE)
    for path in modules():
        skipped = docstrings(path)
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
                is_term = TERM.search(node.value) or (node.value == NAME and "correlation" in path.stem)
                if word.search(node.value) and not is_term:
                    yield f"{dotted(path)}:{node.lineno}"
    shown = [path for ending in ("js", "css", "txt", "toml", "md") for path in PACKAGE.rglob(f"*.{ending}")]
    for path in (*templates(), *(path for path in shown if "examples" not in path.parts)):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if word.search(line):
                yield f"{path.relative_to(PACKAGE)}:{number}"


CEILINGS: dict[Callable[[], Iterator[str]], int] = {
    long_functions: 0,
    long_modules: 0,
    long_template_lines: 0,
    with_one_importer: 20,
    repeated_module_names: 14,
    measures_that_compute_nothing: 0,
    strings_with_the_name: 0,
}
ONCE_OF_ALL = 0.12
"""The share of private functions used once among all functions."""


@pytest.mark.parametrize(("count", "ceiling"), CEILINGS.items(), ids=[count.__name__ for count in CEILINGS])
def test_a_count_stays_below_its_ceiling(count: Callable[[], Iterator[str]], ceiling: int) -> None:
    found = list(count())
    assert len(found) <= ceiling, f"{count.__doc__} {len(found)} > {ceiling}:\n" + "\n".join(found)


def test_few_functions_are_private_and_used_once() -> None:
    share = len(list(private_used_once())) / sum(len(functions(path)) for path in modules())
    assert share <= ONCE_OF_ALL


def test_the_browser_is_loaded_only_by_tests_that_drive_it() -> None:
    """Everything else runs where Playwright is not installed."""
    for path in TESTS.rglob("*.py"):
        for node in tree(path).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                assert not any("playwright" in name for name in names), path


if __name__ == "__main__":
    print(f"{'functions':32}{sum(len(functions(path)) for path in modules()):6}")
    for count in CEILINGS:
        print(f"{count.__name__:32}{len(list(count())):6}")
