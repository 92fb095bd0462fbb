"""The answer forms: how replies are read, written and credited."""
