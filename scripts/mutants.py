"""Change the source in small ways, one at a time, and see whether the tests notice: a seeded sample for each package.

python scripts/mutants.py                        150 mutants of each package (what `scripts/mutate` runs)
python scripts/mutants.py design --sample 400    more of one package
python scripts/mutants.py --all                  every mutant: many hours

The changes are cosmic-ray's (mutmut leaves out decorated functions, and the measures are all decorated); those that
would only raise a TypeError are not among OPERATORS. For each change the tests that pass through its line are run, the
quickest first, in a fork of this process with the changed module instead of the file, so nothing on the disk is touched
and one mutant takes seconds. A mutant is killed when a test fails or uses far more time than before. Those that cannot
be told apart from the original are listed with the reason in tests/equivalent_mutants.toml and not counted.
"""

import argparse
import ast
import contextlib
import difflib
import gc
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType

import coverage
import parso
import pytest
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.toml"
PACKAGES = ("measures", "uncertainty", "collection", "design")
ALSO = {
    "measures": ("uncertainty", "golden", "reference"),
    "uncertainty": ("measures", "golden", "reference"),
    "collection": ("studio", "readers/test_study_log.py"),
    "design": ("tasks", "docs/test_study_pages.py"),
}
"""Folders and files of tests besides the folder that mirrors the package; measures know errors, intervals show them."""
LEAST_KILLED = 0.85
SECONDS = 30.0
"""Processor time that the tests of one mutant may take when nothing is changed."""
RELOADED = ("concordant", "tests", "conftest", "__main__")
"""What is imported anew for every mutant; all libraries are imported once, before forking."""

BINARY = ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Mul", "Mod_FloorDiv", "Pow_Mul", "BitAnd_BitOr")
COMPARISON = (
    "Eq_NotEq",
    "NotEq_Eq",
    "Lt_LtE",
    "LtE_Lt",
    "Gt_GtE",
    "GtE_Gt",
    "Lt_GtE",
    "Gt_LtE",
    "Is_IsNot",
    "IsNot_Is",
)
OPERATORS = (
    *(f"core/ReplaceBinaryOperator_{name}" for name in BINARY),
    *(f"core/ReplaceComparisonOperator_{name}" for name in COMPARISON),
    *(f"core/ReplaceUnaryOperator_{name}" for name in ("USub_UAdd", "Delete_Not", "Delete_Invert")),
    *(f"core/Replace{name}" for name in ("TrueWithFalse", "FalseWithTrue", "AndWithOr", "OrWithAnd")),
    *(f"core/Replace{name}" for name in ("BreakWithContinue", "ContinueWithBreak")),
    *(f"core/{name}" for name in ("ZeroIterationForLoop", "NumberReplacer", "AddNot")),
)


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    path: Path
    operator: str
    occurrence: int
    line: int

    @property
    def module(self) -> str:
        """The name under which the module is imported."""
        return ".".join(self.path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")

    @property
    def changed(self) -> str:
        """The whole changed module."""
        return str(mutate_code(self.path.read_text(encoding="utf-8"), get_operator(self.operator)(), self.occurrence))

    def shown(self) -> tuple[str, str]:
        """The line before and after."""
        before, after = self.path.read_text(encoding="utf-8").splitlines(), self.changed.splitlines()
        lines = list(difflib.unified_diff(before, after, n=0, lineterm=""))[3:]
        gone = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
        came = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
        return gone, came


@dataclass(frozen=True)
class Tests:
    """Which tests pass through which line of which file, and how long each takes."""

    covering: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    def of(self, mutant: Mutant) -> list[str]:
        """Tests that pass through the line; for what runs at import time any test, those of the module first."""
        names = self.covering.get(str(mutant.path), {}).get(mutant.line) or self.seconds
        own = f"test_{mutant.path.stem}.py"
        chosen: list[str] = []
        total = 0.0
        for name in sorted(names, key=lambda name: (own not in name, self.seconds[name], name)):
            total += self.seconds[name]
            if total > SECONDS and chosen:
                break
            chosen.append(name)
        return chosen


def mutants(package: str) -> list[Mutant]:
    """Every mutant of a package, in a fixed order."""
    found = []
    for path in sorted((SOURCE / "concordant" / package).rglob("*.py")):
        code = path.read_text(encoding="utf-8")
        left_out = unchanging(ast.parse(code))
        nodes = list(ast_nodes(parso.parse(code)))
        for name in OPERATORS:
            operator = get_operator(name)()
            positions = [position for node in nodes for position in operator.mutation_positions(node)]
            for occurrence, ((line, column), _) in enumerate(positions):
                is_bare_star = code.splitlines()[line - 1][column:].replace(" ", "").startswith(("*,", "/,"))
                if not is_bare_star and not any(start <= (line, column) < end for start, end in left_out):
                    found.append(Mutant(path, name, occurrence, line))
    return found


def unchanging(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where a change means nothing to a correct program: annotations, frozen dataclasses, a strict zip."""
    found = []
    for node in ast.walk(tree):
        frozen = [made for made in getattr(node, "decorator_list", ()) if "dataclass" in ast.unparse(made)]
        frozen += [node.value] if isinstance(node, ast.keyword) and node.arg == "strict" else []
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None), *frozen):
            if isinstance(part, ast.expr):
                end = (part.end_lineno or part.lineno, part.end_col_offset or part.col_offset)
                found.append(((part.lineno, part.col_offset), end))
    return found


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a module from changed source."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        """The changed source, compiled."""
        return compile(self.source, self.path, "exec")


class Finder(importlib.abc.MetaPathFinder):
    """Finds one module in its changed form, before anything else is asked."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant, self.source = mutant, mutant.changed

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module's specification with another loader."""
        if fullname != self.mutant.module:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        if found is not None:
            found.loader = Changed(fullname, str(self.mutant.path), self.source)
        return found


def forked(work: Callable[[], int], seconds: float, output: str = os.devnull) -> int:
    """The exit code of work done in a fork that prints to a file; 124 when it took too much time."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            with open(os.devnull, "rb") as nothing, open(output, "wb") as printed:
                for stream, file in enumerate((nothing, printed, printed)):
                    os.dup2(file.fileno(), stream)
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            os.setpgid(0, 0)
            code = work()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    ends = time.monotonic() + 60 + 10 * seconds  # of the clock, for what waits: the machine may be busy
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return 124 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 124


def pytest_in_process(*arguments: str, plugins: Sequence[object] = ()) -> int:
    """Run pytest as the suite does, without what needs a browser, or a database server where none is named."""
    fixed = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "-m", "not slow and not browser"]
    fixed += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of libraries that were imported before forking
    fixed += ["-p", "no:unraisableexception"]  # it collects garbage over and over at the end
    if "CONCORDANT_TEST_DB" not in os.environ:
        fixed += ["-k", "not postgresql"]
    return int(pytest.main([*fixed, *arguments], plugins=plugins))


class Recording:
    """A plugin that notes how long each test takes and, through coverage, which lines it passes."""

    def __init__(self, lines: coverage.Coverage) -> None:
        self.lines, self.seconds = lines, dict[str, float]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One test, from its fixtures to their end."""
        self.lines.switch_context(item.nodeid)
        start = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        self.lines.switch_context("")
        return result


def folders(package: str) -> tuple[str, ...]:
    """Where the tests of a package are."""
    paths = [ROOT / "tests" / name for name in sorted((package, *ALSO.get(package, ())))]
    return tuple(str(path) for path in paths if path.exists())


@cache
def watch(folders: tuple[str, ...]) -> Tests:
    """Run these tests once, unchanged: all must pass. Packages with the same tests share the watching."""
    with tempfile.TemporaryDirectory() as folder:
        data, times, libraries = (Path(folder) / name for name in ("lines", "times.json", "libraries"))

        def work() -> int:
            source = [str(SOURCE / "concordant" / package) for package in PACKAGES]
            lines = coverage.Coverage(data_file=str(data), source=source, config_file=False)
            recording = Recording(lines)
            lines.start()
            code = pytest_in_process("-x", *folders, plugins=[recording])
            lines.stop()
            lines.save()
            times.write_text(json.dumps(recording.seconds))
            libraries.write_text("\n".join(name for name in sys.modules if name.partition(".")[0] not in RELOADED))
            return code

        code = forked(work, 3600, f"{folder}/printed")
        if code != 0:
            print(Path(folder, "printed").read_text(encoding="utf-8")[-4000:], file=sys.stderr)
            sys.exit(f"mutants: tests do not pass unchanged (pytest's exit code {code}): {', '.join(folders)}")
        for name in libraries.read_text().split():
            with contextlib.suppress(ImportError):  # some make modules up under names that cannot be imported
                importlib.import_module(name)
        gc.freeze()
        seconds = json.loads(times.read_text())
        found = coverage.CoverageData(str(data))
        found.read()
        covering = {}
        for file in found.measured_files():
            by_line = defaultdict(list)
            for line, contexts in found.contexts_by_lineno(file).items():
                by_line[line] = [name for name in contexts if name]
            covering[file] = dict(by_line)
    return Tests(covering, seconds)


def is_program(mutant: Mutant) -> bool:
    """Whether the changed module is Python at all: `not` before a named expression is not, and proves nothing."""
    try:
        compile(mutant.changed, str(mutant.path), "exec")
    except SyntaxError:
        return False
    return True


def is_killed(mutant: Mutant, tests: Tests) -> bool:
    """Whether a test notices the change."""
    chosen = tests.of(mutant)
    if not chosen:
        return False
    finder = Finder(mutant)

    def work() -> int:
        sys.meta_path.insert(0, finder)
        return pytest_in_process("-x", *chosen)

    return forked(work, 20 + 5 * sum(tests.seconds[name] for name in chosen)) != 0


def known_equivalent() -> dict[tuple[str, str, str], str]:
    """(module, line, changed line) -> why no test can tell them apart."""
    if not EQUIVALENT.exists():
        return {}
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {(entry["module"], entry["line"], entry["changed"]): entry["why"] for entry in entries}


def try_out(package: str, sample: int | None, seed: int, say: Callable[[str], None]) -> float:
    """The share of killed mutants of a package, with every survivor told."""
    everything = mutants(package)
    chosen = everything
    if sample is not None and sample < len(everything):
        chosen = sorted(random.Random(f"{seed} {package}").sample(everything, sample), key=everything.index)
    tests, equivalent = watch(folders(package)), known_equivalent()
    say(f"{package}: {len(everything):,} mutants, {len(chosen):,} tried; {len(tests.seconds):,} tests")
    counts: Counter[str] = Counter()
    for number, mutant in enumerate(chosen, 1):
        before, after = mutant.shown()
        if (mutant.module, before, after) in equivalent:
            counts["equivalent"] += 1
            continue
        if not is_program(mutant):
            counts["no program"] += 1
            continue
        is_dead = is_killed(mutant, tests)
        counts["killed" if is_dead else "survived"] += 1
        if not is_dead:
            place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
            say(f"  survived: {place}\n    - {before}\n    + {after}")
        if number % 25 == 0:
            print(f"  {number} of {len(chosen)}", file=sys.stderr, flush=True)
    tried = counts["killed"] + counts["survived"]
    share = counts["killed"] / tried if tried else 1.0
    left_out = f"{counts['equivalent']} equivalent, {counts['no program']} not Python"
    say(f"{package}: {counts['killed']} of {tried} killed ({100 * share:.1f} %), {left_out}")
    return share


def main() -> None:
    parser = argparse.ArgumentParser(description="Which small changes of the source do the tests not notice?")
    parser.add_argument(
        "packages", nargs="*", metavar="PACKAGE", help=f"one or more of {', '.join(PACKAGES)}; default all"
    )
    parser.add_argument("--sample", type=int, default=150, help="mutants of each package (default 150)")
    parser.add_argument("--all", action="store_true", help="every mutant")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default 1)")
    parser.add_argument("-o", "--output", type=Path, help="write the report to a file too")
    asked = parser.parse_args()
    if unknown := set(asked.packages) - set(PACKAGES):
        parser.error(f"no such package: {', '.join(sorted(unknown))}; there are {', '.join(PACKAGES)}")
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.path[:0] = [str(SOURCE), str(ROOT)]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])  # for tests that start processes of their own
    report: list[str] = []

    def say(line: str) -> None:
        report.append(line)
        print(line, flush=True)

    sample = None if asked.all else asked.sample
    shares = {package: try_out(package, sample, asked.seed, say) for package in asked.packages or PACKAGES}
    if asked.output:
        asked.output.write_text("\n".join(report) + "\n", encoding="utf-8")
    if short := [package for package, share in shares.items() if share < LEAST_KILLED]:
        sys.exit(f"mutants: less than {LEAST_KILLED:.0%} killed in {', '.join(short)}")


if __name__ == "__main__":
    main()
