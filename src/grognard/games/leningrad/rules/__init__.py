"""The rules of Leningrad in the order of the book, one file a chapter or two."""
