"""Typhoon! (GMT Games): its rules in words; the game itself is to come."""
