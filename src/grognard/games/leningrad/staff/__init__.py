"""How computer players plan: what units and attacks are worth, a movement phase on the planning table, the
fights and the small decisions. The numbers are in doctrine.toml."""

from grognard.games.leningrad.staff.fights import best_joint_attack, best_overrun
from grognard.games.leningrad.staff.office import Staff
from grognard.games.leningrad.staff.plan import LeningradPlan, march
from grognard.games.leningrad.staff.small import small_decision

__all__ = ["LeningradPlan", "Staff", "best_joint_attack", "best_overrun", "march", "small_decision"]
