"""What pages ask and are told, the pages themselves, and what they do in a browser."""
