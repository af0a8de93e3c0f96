"""The table over HTTP and WebSocket: games, seats, storage. Only views leave it."""
