"""The laws of the solvers."""
