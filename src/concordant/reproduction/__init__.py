"""The studies this program is made from, number by number: one module each, found by themselves.

A module here, or one that another package announces by an entry point in the group `concordant.reproduction`, holds
`STUDY`: the tables of a publication as they were printed, and how each is computed.
"""
