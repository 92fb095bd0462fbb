"""Exams as learning platforms and graders import them: one module for each, from an exam to files."""
