"""Papers, keys and exam folders: what is written to disk, and how it is checked."""
