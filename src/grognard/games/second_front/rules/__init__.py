"""The rules of Second Front, land war, rule by rule."""
