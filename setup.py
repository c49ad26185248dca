"""What pyproject.toml cannot say: `docs/` is shipped inside the package, where the studio's guide reads it."""

from pathlib import Path
from shutil import copytree, rmtree

from setuptools import setup
from setuptools.command.build_py import build_py


class WithDocs(build_py):
    """Copies `docs/` into what is built. An editable install has the checkout's, which the guide finds itself."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            shipped = Path(self.build_lib, "concordant", "web", "docs")
            rmtree(shipped, ignore_errors=True)  # of an earlier build: a page may have been taken away since
            copytree("docs", shipped)


setup(cmdclass={"build_py": WithDocs})
