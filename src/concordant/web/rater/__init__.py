"""The raters' pages: how they come in, what they see, how their answers get into the log."""
