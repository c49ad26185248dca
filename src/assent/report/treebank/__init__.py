"""What the adjudicator of two treebanks gets: a workbook and a page with the trees side by side."""
