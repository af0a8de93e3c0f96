"""The staff room: what the players of every game need to plan, made once. A game supplies what it knows."""
