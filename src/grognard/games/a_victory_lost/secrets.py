"""Hidden information, the chits: a position as a side may imagine it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.a_victory_lost.state import DEAD, SOVIET, VictoryState
from grognard.mechanics.cups import sample

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def guess(game: AVictoryLost, copy: VictoryState, side: int, random: Random) -> None:
    """7.1.3 What the other side has chosen is not known: it is shuffled among all it may have chosen."""
    other = 1 - side
    if other == SOVIET:
        _imagine_pool(game, copy, random)
    _imagine_selection(game, copy, other, random)


def _imagine_pool(game: AVictoryLost, state: VictoryState, random: Random) -> None:
    """3.0 Five Soviet chits of which some have shown themselves."""
    pool = state.pool[SOVIET]
    known = pool & (state.shown | game.stavka)
    unknown = [c for c in each(game.soviet_hq_chits & ~known) if state.where[game.chits[c].hq] != DEAD]
    count = (pool & ~known).bit_count()
    guessed = known | bits(sample(unknown, count, random))
    if state.planned:
        wanted = (state.planned & pool).bit_count()
        state.planned = bits(sample(list(each(guessed & ~game.stavka)), wanted, random))
    state.pool[SOVIET] = guessed


def _imagine_selection(game: AVictoryLost, state: VictoryState, side: int, random: Random) -> None:
    """7.1.2 The chits of a side in the cup: as many as there are, of those not played this turn."""
    certain = state.played | state.refused | (game.stavka if side == SOVIET else 0)
    chosen = state.chosen[side]
    known = chosen & certain & game.chits_of[side]
    open_ = list(each(state.pool[side] & ~certain))
    guessed = known | bits(sample(open_, (chosen & ~known).bit_count(), random))
    state.chosen[side] = guessed
    if state.cup:
        mine = state.cup & ~game.chits_of[side]
        state.cup = mine | (guessed & ~state.played)
