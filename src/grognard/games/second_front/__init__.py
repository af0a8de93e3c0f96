"""Second Front: the map, the charts and the orders of battle are ready; the rules are still to come."""
