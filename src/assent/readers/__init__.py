"""Data IN: one module per format."""
