"""The rules of A Victory Lost, one module a section of the book."""
