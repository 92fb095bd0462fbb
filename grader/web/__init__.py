"""The pages on which people practise, draw and check, from this machine or as files."""
