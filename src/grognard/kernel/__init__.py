"""What every game needs and no game owns.

A game is a State (plain values) and an agenda: a stack of frames, each naming a procedure of the rulebook
and a labelled step in it. The agenda runs by itself until a step asks a Decision; a player, or chance,
answers with an Action; rules refuse it with a reason or apply it.
"""

from grognard.files.saves import SaveError
from grognard.kernel.actions import CHANCE, Action, Answer, Event, Refusal, refusal
from grognard.kernel.agenda import (
    AGAIN,
    RETURN,
    ChanceDecision,
    Decision,
    Flow,
    Procedure,
    Return,
    StandingDecision,
    ask,
    call,
    do,
    procedure,
    step,
)
from grognard.kernel.dice import below, commitment
from grognard.kernel.game import Game, Outcome, Phase
from grognard.kernel.match import IllegalActionError, Match, Snapshot
from grognard.kernel.scenario import Option, Scenario
from grognard.kernel.sealed import Sealed
from grognard.kernel.state import State
from grognard.kernel.verbs import Order, Role, Verb
from grognard.kernel.windows import SetWaivers, Window

__all__ = [
    "AGAIN",
    "CHANCE",
    "RETURN",
    "Action",
    "Answer",
    "ChanceDecision",
    "Decision",
    "Event",
    "Flow",
    "Game",
    "IllegalActionError",
    "Match",
    "Option",
    "Order",
    "Outcome",
    "Phase",
    "Procedure",
    "Refusal",
    "Return",
    "Role",
    "SaveError",
    "Scenario",
    "Sealed",
    "SetWaivers",
    "Snapshot",
    "StandingDecision",
    "State",
    "Verb",
    "Window",
    "ask",
    "below",
    "call",
    "commitment",
    "do",
    "procedure",
    "refusal",
    "step",
]
