"""Rows that people hand over: class lists and submissions as tables, exports and text; TOML with places."""
