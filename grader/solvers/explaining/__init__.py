"""What is said of nodes, values and searches, in whole sentences."""
