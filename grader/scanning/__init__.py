"""Scanned pages become replies."""
