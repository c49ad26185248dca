"""HOW SURE: resampling, intervals, tests, planning."""
