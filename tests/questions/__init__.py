"""What every question kind has to keep."""
