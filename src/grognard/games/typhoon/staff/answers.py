"""Answers to the small decisions of Typhoon!: supply, events, the air war, losses, retreats, works."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.attack_supply import served
from grognard.games.typhoon.rules.combat import Battle
from grognard.games.typhoon.rules.declaring import Attack
from grognard.games.typhoon.rules.missions import flights
from grognard.games.typhoon.rules.odds import Clash, defenders, reckon
from grognard.games.typhoon.rules.reach import REACTION
from grognard.games.typhoon.rules.retreat import Retreat
from grognard.games.typhoon.staff.declarations import guns_for, promise
from grognard.games.typhoon.staff.outlook import Outlook
from grognard.games.typhoon.staff.trains import place_supply
from grognard.games.typhoon.state import AIR_READY, SOVIET, STAND, Declared
from grognard.kernel import Action
from grognard.staff.answers import BETTER, Answer, prefer
from grognard.staff.battles import expected

if TYPE_CHECKING:
    from grognard.games.typhoon.staff.doctrine import TyphoonDoctrine

TEAM = 2
"""Air units sent to one combat."""


def cheapest(value: Callable[[Outlook, int], float]) -> Answer:
    """The unit that is missed least."""

    def answer(view: Outlook, options: list[Action], _: Random | None) -> Action:
        return min(options, key=lambda option: (value(view, option[1]), option[1]))

    return answer


def bring_supply(view: Outlook, options: list[Action], _: Random | None) -> Action:
    """6.5.1 In a counter that can move: a lorry as long as there is one (they are offered first)."""
    brought = [option for option in options if option[0] == "bring"]
    if not brought:
        return options[-1]
    unit = brought[0][1]
    cells = bits(option[2] for option in brought if option[1] == unit)
    return "bring", unit, place_supply(view, cells, unit)


def lay_support(view: Outlook, options: list[Action], _: Random | None) -> Action:
    """11.5 Bombers for the combats, two at most for each."""
    game, state = view.game, view.state
    sent = flights(state.written(view.side))
    bombers = [n for n, f in enumerate(game.flyers) if f.side == view.side and f.support > 0]
    flying = {n for units in sent.values() for n in units}
    ready = [n for n in bombers if state.air[n] == AIR_READY and n not in flying]
    able = [option for option in options if option[0] == "fly" and option[1] in ready]
    last = list(sent.values())[-1] if sent else None
    if last is not None and len(last) < TEAM and able:
        return max(able, key=lambda o: (game.flyers[o[1]].support, -o[1]))
    if last is not None and not last:
        return options[0]
    aims = [option for option in options if option[0] == "aim"]
    return max(aims, key=lambda o: (view.prize(o[1]), -o[1])) if aims and ready else ("done",)


def fall_back(view: Outlook, options: list[Action], _: Random | None) -> Action:
    """8.6 Out of the enemy's sight; whom we chase goes where we are near."""
    retreat: Retreat = view.state.local
    steps = [option for option in options if option[0] == "fall-back"]
    if not steps:
        return options[0]
    ours = view.state.side(retreat.group[0]) == view.side
    sign = 1 if ours else -1

    def danger(option: Action) -> tuple[float, int]:
        cell = option[1]
        hot = 50.0 * (view.zones >> cell & 1) if ours else 0.0
        return sign * (view.threats.total[cell] + hot + 5.0 * view.depth[cell]), cell

    return min(steps, key=danger)


def holds_better(view: Outlook, attack: Declared) -> bool:
    """8.8 Whether it is expected to cost the defender less if nobody retreats."""
    game, state, side = view.game, view.state, view.side
    units = bits(defenders(game, state, attack.targets, side))
    force, driven = view.force(units), view.numbers["driven"]
    ground = view.numbers["keep"] * sum(view.prizes.get(cell, 0.0) for cell in attack.targets)
    ways = bits(n for cell in attack.targets for n in view.lore.contact[cell])
    shut = not ways & ~view.foes & (~view.zones | state.occupied[side]) & ~bits(attack.targets)
    fates = []
    for option in (STAND, 0):
        found = reckon(game, state, Clash(attack.targets, attack.attackers, (), attack.guns, option=option))
        fates.append(view.lore.results(max(0, found.column), found.total))
    stood = view.stood(fates[0], force, view.stance(units, bits(attack.targets)).extra, ground)
    return stood + BETTER < expected(fates[1], force, shut, ground, (0.0, driven, 2 * driven))


def react(doctrine: TyphoonDoctrine) -> Answer:
    """7.5.2 Guns for whoever is attacked, units that come to help; then who must not retreat does not."""

    def answer(view: Outlook, options: list[Action], _: Random | None) -> Action:
        for option in options:
            if option[0] == "back":
                return option
        attacked = bits(cell for attack in view.state.attacks for cell in attack.targets)
        for option in options:
            if option[0] == "react":
                cells = each(view.reach(option[1], REACTION) & attacked)
                if cells and max(doctrine.gains(view, option[1], cells).values()) > view.common["help"]:
                    return option
        for attack in view.state.attacks:
            hold = ("hold", attack.targets[0])
            if hold in options and holds_better(view, attack):
                return hold
        return ("end",)

    return answer


def gain_of_supply(view: Outlook, targets: tuple[int, ...], attackers: tuple[int, ...]) -> float:
    """6.5.7 What a point of supply adds to an attack."""
    attack = Attack(targets, attackers)
    guns = guns_for(view.game, view.state, view.side, targets)
    return promise(view, attack, guns, True) - promise(view, attack, (), False)


def choose_combat(view: Outlook, options: list[Action], _: Random | None) -> Action:
    """8.4.1 Where a point of supply does most is fought first, while there are any."""
    declared = {attack.targets[0]: attack for attack in view.state.attacks}

    def gain(option: Action) -> tuple[float, int]:
        attack = declared[option[1]]
        units = tuple(u for u in attack.attackers if view.state.where[u] >= 0)
        return (gain_of_supply(view, attack.targets, units) if units else 0.0), -option[1]

    return max(options, key=gain)


def prepare_attack(view: Outlook, options: list[Action], random: Random | None) -> Action:
    """6.5.5 A point of supply where it brings something, from a counter that fewest other attacks need; then
    guns, engineers, whatever was ordered."""
    battle: Battle = view.state.local
    points = [option for option in options if option[0] == "supply"]
    if points and gain_of_supply(view, battle.targets, battle.attackers) >= view.common["spend"]:
        others = [a.attackers for a in view.state.attacks if not a.fought]

        def missed(option: Action) -> tuple[int, int]:
            needed = [units for units in others if served(view.game, view.state, option[1:], units)]
            return len(needed), option[1]

        return min(points, key=missed)
    return prefer("support", "lead", "obey", "resolve")(view, options, random)


def advance(doctrine: TyphoonDoctrine) -> Answer:
    """8.9 Whoever stands better there goes, the best first."""

    def answer(view: Outlook, options: list[Action], _: Random | None) -> Action:
        moves = [option for option in options if option[0] == "advance"]
        if not moves:
            return options[-1]
        gain = {o: doctrine.gains(view, o[1], [o[2]])[o[2]] + view.numbers["advance"] for o in moves}
        best = max(moves, key=lambda o: (gain[o], o))
        return best if gain[best] > BETTER else ("stay",)

    return answer


def engineers(view: Outlook, options: list[Action], _: Random | None) -> Action:
    """12 Railways forward, lines down; strongpoints where our troops expect the enemy."""
    for verb in ("raze", "convert", "cut", "shell"):
        for option in options:
            if option[0] == verb:
                return option
    held = view.state.occupied[view.side]
    sites = [o for o in options if o[0] == "fortify" and held >> o[1] & 1 and view.threats.total[o[1]]]
    if view.side == SOVIET or sites:
        return max(sites, key=lambda o: (view.threats.total[o[1]], -o[1])) if sites else ("end",)
    return ("end",)


def answers(doctrine: TyphoonDoctrine) -> Mapping[str, Answer]:
    return {
        **dict.fromkeys((f"place-supply-{purse}" for purse in ("axis", "soviet", "moscow")), bring_supply),
        **dict.fromkeys(("spend-source-axis", "spend-source-soviet"), prefer("pass")),
        "lose-to-panic": cheapest(Outlook.step),
        "choose-event": prefer("call-up", "accept", "feed", "relieve", "release-air"),
        "change-plan": prefer("keep-plan"),
        "call-reserves": prefer("end"),
        "withdraw": prefer("withdraw"),
        "give-up-division": cheapest(lambda view, unit: view.weight(unit, view.state.steps[unit])),
        "offensives": prefer("launch", "leave"),
        "react": react(doctrine),
        **dict.fromkeys(("prepare", "rejoin", "go-on"), prefer("end")),
        "rebuild-flyer": prefer("rebuild"),
        "pick-unit": prefer("take-back", "end"),
        "build-attack": prefer("declare", "cancel"),
        "lay-interdiction": prefer("done"),
        "lay-opposition": prefer("done"),
        "lay-support": lay_support,
        **dict.fromkeys(("pair-fighters", "fire-again"), prefer("engage")),
        "declare-fire": prefer("open-fire"),
        "choose-combat": choose_combat,
        "prepare-attack": prepare_attack,
        "lose-step": cheapest(Outlook.step),
        "lose-excess": cheapest(lambda view, unit: view.weight(unit, view.state.steps[unit])),
        "fall-back": fall_back,
        "advance-units": advance(doctrine),
        "engineer": engineers,
        "spend-replacements": prefer("restore", "rally", "raise", "rescue"),
        "detrain": prefer("detrain"),
    }


def beginners() -> Mapping[str, Answer]:
    """What beginners answer otherwise: nobody comes to help, no aircraft fly, points of supply and guns go to
    whatever is fought first, supply comes where it is nearest to a place that matters."""

    def nearest(view: Outlook, options: list[Action], _: Random | None) -> Action:
        brought = [option for option in options if option[0] == "bring"]
        return min(brought, key=lambda o: (view.goal(o[2]), o)) if brought else options[-1]

    return {
        **dict.fromkeys((f"place-supply-{purse}" for purse in ("axis", "soviet", "moscow")), nearest),
        "react": prefer("back", "end"),
        "lay-support": prefer("done"),
        "choose-combat": prefer("fight"),
        "prepare-attack": prefer("supply", "support", "obey", "resolve"),
    }
