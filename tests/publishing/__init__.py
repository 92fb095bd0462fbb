"""Papers, keys and exam folders, opened again."""
