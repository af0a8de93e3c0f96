"""Second Front: the map is ready; the rules are still to come."""
