"""The doors, one module for what belongs together: games, tables, their past, advice, people, the socket."""
