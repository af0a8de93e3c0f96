"""Data files: read, checked on load, and refused by file, line and reason.

Everything a designer may edit is a CSV table or a TOML file. Tables carry a provenance on every row. An
owner of the original game may put files of the same names, holding only the rows and cells that differ,
in a folder of his own; those cells win and are marked as overrides.
"""

from grognard.files.scale import HALVES, WHOLE, Scale
from grognard.files.tables import (
    DataError,
    Folder,
    Provenance,
    ProvenanceKind,
    Row,
    Settings,
    read_settings,
    read_table,
)

__all__ = [
    "HALVES",
    "WHOLE",
    "DataError",
    "Folder",
    "Provenance",
    "ProvenanceKind",
    "Row",
    "Scale",
    "Settings",
    "read_settings",
    "read_table",
]
