"""A Victory Lost: from the Don to the Dnieper, winter 1942-43. The map is ready; the rules are still to come."""
