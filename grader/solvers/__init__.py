"""Algorithms on game trees, one file each; what they find are tuples aligned with the nodes."""
