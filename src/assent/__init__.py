"""assent: from study design to a publishable reliability report."""

__version__ = "0.1.0"
