"""Boxes and options in place of replies, made and read."""
