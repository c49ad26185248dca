"""How many judgements become a small tally: in memory (numpy), out of core (DuckDB), on a cluster (Spark)."""
