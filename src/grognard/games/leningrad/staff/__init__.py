"""How computer players plan Leningrad: what they know, what a plan is worth, what they answer."""
