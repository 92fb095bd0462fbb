"""Algorithms on game trees, one file each; their results are tuples aligned with the nodes."""
