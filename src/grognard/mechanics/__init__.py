"""Parts that rulebooks share. Each is a few functions over plain values; a game brings its own numbers."""
