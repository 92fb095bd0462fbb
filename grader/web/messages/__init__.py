"""Messages from pages to the grader and back, as JSON."""
