"""Exams for learning platforms: each file is read and marked as the platform does it."""
