"""Campaigns: so many random things that a run takes minutes or hours; the fast run holds a sample."""
