"""Problems with the answers that their sources state."""
