"""The rules of Stalingrad Roads, in the order of the book."""
