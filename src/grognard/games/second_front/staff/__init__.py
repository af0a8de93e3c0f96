"""What computer players are taught of Second Front."""
