"""The rules of Typhoon!, a module for each part of the book."""
