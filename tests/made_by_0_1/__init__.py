"""What version 0.1.0 made, and tests that it is still read, and marked the same."""
