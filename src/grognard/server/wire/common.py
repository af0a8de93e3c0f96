"""What the shapes of everything that is sent have in common: kinds of words, and why nothing was done."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

_TURNS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of what follows them: they make a text look like another."""
_UNSEEN = r"\u00ad\u180e\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
Line = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$")]
"""Words without a line break or any other control."""
Prose = Annotated[str, Field(pattern=rf"^[^\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNS}]*$")]
"""Words on any number of lines."""
Name = Annotated[str, Field(pattern=rf"^[^\x00-\x1f\x7f-\x9f{_TURNS}{_UNSEEN}]*$", max_length=60)]
"""What somebody or something is called: nothing in it that cannot be seen."""
Id = Annotated[Line, Field(max_length=40)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Problem(BaseModel):
    """Why nothing was done."""

    detail: Any


class RefusedAnswer(BaseModel):
    """Why the rules do not allow it: in a code, a case of the rulebook and a sentence."""

    code: str
    case: str
    text: str


class Named(BaseModel):
    id: str
    name: str
