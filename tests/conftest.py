"""Marks shared by all tests."""
