"""What pages ask of the grader, and what it answers: one JSON message each way."""
