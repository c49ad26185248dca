"""OUT: wording, tables, text, HTML, XLSX, LaTeX."""
