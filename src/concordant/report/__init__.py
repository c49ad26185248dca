"""OUT: the reliability report as HTML, XLSX, LaTeX and Markdown.

The package can be called: `concordant.report(data, "report.html")` writes a report (see `report.facts.write_report`).
"""

from concordant.packages import callable_as

callable_as(__name__, "facts", "write_report")
