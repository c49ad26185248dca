"""Begin: the studio in the browser: bring files, make studies, read the verdict; no terminal needed from there on.

Examples:
  %(prog)s studio
  %(prog)s studio my-studies --port 8080
"""

from pathlib import Path

import click

from concordant.cli.options import PLACE, importing_web


@click.command()
@click.argument("folder", metavar="[FOLDER]", type=PLACE, required=False)
@click.option("--port", type=click.IntRange(0, 65535), help="The port to listen on; 8000, or another if that is taken.")
@click.option("--browser/--no-browser", "browse", default=True, help="Open the browser, or only print the address.")
def command(folder: Path | None, port: int | None, browse: bool) -> None:
    """Open the studio in the browser.

    Studies and answers are kept in FOLDER (by default ~/%(prog)s). Only this computer can reach the studio; to let
    raters in from elsewhere, see `%(prog)s serve`. The first time, the page asks for a name and a password. Stop with
    Ctrl+C.
    """
    with importing_web("studio"):
        from concordant.web.own_computer import open_studio
    open_studio(folder, port=port, browse=browse, say=click.echo)
