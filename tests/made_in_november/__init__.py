"""What a program of 21 November made, and how it is refused."""
