"""A game at the terminal. Drawings and panels are functions of a view; only the session asks the match."""
