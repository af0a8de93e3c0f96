"""The games, each from its rulebook."""
