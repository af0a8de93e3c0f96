"""How the computer plays Stalingrad Roads: what it sees in a position, plans and answers."""
