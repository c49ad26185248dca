"""What this program is called and which version it is: the only place that says so.

Everything else that prints the name, reads an environment variable or writes a cookie asks here.
"""

NAME = __name__.partition(".")[0]
VERSION = "0.2.0"
