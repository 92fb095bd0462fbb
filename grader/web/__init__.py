"""The pages to practise, draw, check and review, from a local server or as files."""
