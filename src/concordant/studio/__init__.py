"""The studio: what pages, programs and commands do with running studies, as plain functions without HTTP or HTML."""
