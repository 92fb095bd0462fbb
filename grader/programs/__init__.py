"""Students' search programs: how they are called, run, compared with the reference and judged."""
