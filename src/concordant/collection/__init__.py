"""DURING, without HTTP: events, the append-only log, the session, cleaning, export."""
