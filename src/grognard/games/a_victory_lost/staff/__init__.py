"""How the computer plays A Victory Lost: what it sees in a position, plans and answers."""
