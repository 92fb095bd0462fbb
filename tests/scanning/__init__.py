"""Tests of papers that are scanned and of the reader."""
