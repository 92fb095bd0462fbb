"""Speed: ratios in one run, and the few absolute limits that were promised."""
