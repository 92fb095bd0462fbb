"""Tests of the notation: reading, writing, diagnostics and exchange."""
