"""`grognard ...`: the same things for the terminal. One module a command."""
