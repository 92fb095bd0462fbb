"""Tests of the programs of students: how they are run, and what is said of them."""
