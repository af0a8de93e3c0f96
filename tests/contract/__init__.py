"""What any game must do. A new game gets all of it for one line: `check_game(load(), seeds=range(3))`."""

from tests.contract.checks import check_game

__all__ = ["check_game"]
