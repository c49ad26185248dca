"""The ways to answer: one module for each kind of question, which says everything about it that a program must know.

A module here that has a `KIND` is a kind; one of another package is announced by an entry point (see `registry`).
"""
