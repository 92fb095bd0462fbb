"""Mutants: small faults planted into the program one by one, to see whether the tests notice them."""
