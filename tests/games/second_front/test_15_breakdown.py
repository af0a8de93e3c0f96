"""15 Breakdown and assembly, as they are played."""

from __future__ import annotations

from grognard.games.second_front.rules.breakdown import brigades, free_set, part_sets
from grognard.games.second_front.rules.position import piece, remove
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS, units
from grognard.mechanics.pieces import TO_COME
from tests.games.second_front.table import Table
from tests.rules import rule

GELA, INLAND, VIZZINI = "26:4130", "26:4129", "26:4127"
CANADIANS, US1, US3, US45 = "CA-inf-XX-1", "US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-45"
BRIGADES = {"CA-binf-X-A1", "CA-binf-X-A2", "CA-binf-X-A3"}
HQ, HG, COAST = "CA-binf-HQ-A", "SF-G-FJ-HG", "SF-I-IC-206"
PANTHER = "SF-G-PN-D01"


def strong_panzers() -> tuple[str, str]:
    """A German Army panzer division of 15-10 or more, and one of less."""
    army = [
        u for u in units().values() if u.type == "panzer_division" and u.service == "Heer" and u.size == "XX"
    ]
    strong = next(u.id for u in army if u.face.attack >= 15)
    return strong, next(u.id for u in army if u.face.attack < 15)


@rule("second_front", "15", "15A", "15B")
def test_a_division_breaks_down_into_supported_brigades() -> None:
    """The example: a Canadian division of 10-8 becomes three brigades of 3-8, all supported."""
    table = Table("movement", ALLIED, {CANADIANS: GELA, HG: VIZZINI})
    table.do(f"divide {CANADIANS}")
    assert table.here(GELA) == BRIGADES and table.where(CANADIANS) is None
    brigades_ = [piece(table.game, table.state, table.unit(id_)) for id_ in BRIGADES]
    assert all(each.face == (3, 3, 8) and each.supported and not each.supports for each in brigades_)
    table.do("move CA-binf-X-A1", f"step {INLAND}", "halt")
    assert table.here(INLAND) == {"CA-binf-X-A1"}
    late = Table("movement", ALLIED, {CANADIANS: GELA, US1: "26:4228"})
    late.do(f"move {US1}", "step 26:4227", "halt")
    assert late.refused(f"divide {CANADIANS}") == ("too-late-to-divide", "15A")


@rule("second_front", "15B", "11", "14D")
def test_a_headquarters_leads_brigades_that_are_not_supported_without_it() -> None:
    table = Table("movement", ALLIED, {CANADIANS: GELA})
    table.do(f"divide-led {CANADIANS}")
    assert table.here(GELA) == BRIGADES | {HQ}
    brigade = piece(table.game, table.state, table.unit("CA-binf-X-A1"))
    staff = piece(table.game, table.state, table.unit(HQ))
    assert not brigade.supported and staff.supports and staff.face == (0, 0, 8)


@rule("second_front", "15A")
def test_the_parts_become_a_division_again_when_they_are_together() -> None:
    table = Table("movement", ALLIED, {CANADIANS: GELA})
    table.do(f"divide {CANADIANS}", "move CA-binf-X-A1", f"step {INLAND}", "halt", "end")
    assert table.asked != "assemble", "one brigade is away"
    table = Table("movement", ALLIED, {CANADIANS: GELA})
    table.do(f"divide {CANADIANS}")
    table.state.hunger[table.unit("CA-binf-X-A2")] = 3
    table.do("end")
    assert table.asked == "assemble"
    assert table.refused(f"assemble {US1}") == ("parts-apart", "15A")
    table.do(f"assemble {CANADIANS}")
    assert table.here(GELA) == {CANADIANS} and table.state.hunger[table.unit(CANADIANS)] == 3, (
        "the worst of all"
    )
    assert table.state.split == () and table.state.where[table.unit("CA-binf-X-A1")] == TO_COME


@rule("second_front", "15A", "4A4")
def test_divisions_without_motors_break_down_in_the_exploitation_phase_too() -> None:
    table = Table("exploitation", ALLIED, {CANADIANS: GELA})
    table.do(f"divide {CANADIANS}")
    assert table.state.left[table.unit("CA-binf-X-A1")] == 0, "and still do not exploit"


@rule("second_front", "15B")
def test_divisions_that_no_chart_lists_stay_whole() -> None:
    table = Table("movement", AXIS, {COAST: INLAND, HG: VIZZINI})
    assert table.refused(f"divide {COAST}") == ("not-on-chart", "15B")
    cadre = Table("movement", ALLIED, {CANADIANS: GELA, US1: INLAND}, cadres=[CANADIANS])
    assert cadre.refused(f"divide {CANADIANS}") == ("not-whole", "15B")
    assert cadre.refused(f"divide {HG}") == ("not-yours", "15A")


@rule("second_front", "15B")
def test_battalions_are_never_supported() -> None:
    """A panzer-grenadier division: two regiments of 3-10 and a battalion of assault guns."""
    grenadiers = "SF-G-PZG-015"
    table = Table("movement", AXIS, {grenadiers: VIZZINI})
    table.do(f"divide {grenadiers}")
    dots = {id_: table.has(id_, table.state.dotted) for id_ in table.here(VIZZINI)}
    assert dots == {"SF-G-BD-G-PzGr1": True, "SF-G-BD-G-PzGr2": True, "SF-G-BD-G-StuG": False}


@rule("second_front", "15B")
def test_parts_are_no_stronger_than_their_division() -> None:
    for known in part_sets():
        for division in known.divisions:
            parts = sum(units()[part].face.attack for part in known.parts)
            assert parts <= units()[division].face.attack, (known.name, division)


@rule("second_front", "15C", "15C1")
def test_there_are_counters_for_so_many_and_no_more() -> None:
    """There are two sets for American divisions of 9-8."""
    nines = [US1, US3, "US-inf-XX-9"]
    table = Table("movement", ALLIED, {nines[0]: GELA, nines[1]: INLAND, nines[2]: "26:4128"})
    table.do(f"divide {nines[0]}", f"divide {nines[1]}")
    assert table.refused(f"divide {nines[2]}") == ("no-counters", "15C")
    assert table.here(GELA) == {"US-binf-III-I1", "US-binf-III-I2", "US-binf-III-I3"}


@rule("second_front", "15C2")
def test_a_division_with_counters_of_its_own_uses_no_others() -> None:
    table = Table("movement", ALLIED, {"US-abn-XX-82": GELA})
    table.do("divide US-abn-XX-82")
    assert table.here(GELA) == {"US-par-III-504", "US-par-III-505", "US-gli-III-325"}
    own = next(number for number, known in enumerate(part_sets()) if known.name == "US-abn-XX-82")
    assert free_set("US-abn-XX-82", [own]) is None


@rule("second_front", "15D")
def test_three_battalions_make_an_armoured_brigade_and_come_apart_again() -> None:
    """The example: three American battalions of 2-1-10 become a brigade of 5-3-10, and later three
    battalions."""
    battalions = {"US-tnk-II-191": GELA, "US-tnk-II-751": GELA, "US-tnk-II-753": GELA}
    table = Table("movement", ALLIED, battalions)
    table.do("end")
    assert table.offered("assemble") == {"US-arm-X-1"}
    table.do("assemble US-arm-X-1")
    assert table.here(GELA) == {"US-arm-X-1"} and table.asked == "choose-target"
    table.do("end")
    assert table.asked == "pick-unit" and table.state.within("exploitation-phase")
    assert table.refused("divide-led US-arm-X-1") == ("not-on-chart", "15B")
    table.do("divide US-arm-X-1")
    assert len(table.here(GELA)) == 3 and {units()[id_].face for id_ in table.here(GELA)} == {(2, 1, 10)}
    two = Table("movement", ALLIED, dict(list(battalions.items())[:2]))
    two.do("end")
    assert two.asked != "assemble"
    assert [line.needed for line in brigades()] == [3, 3, 2, 2] and all(line.whole for line in brigades())


@rule("second_front", "15E")
def test_a_panther_battalion_leaves_its_division_and_comes_back() -> None:
    """The example: a division of 16-10 that has detached one counts as panzer-grenadiers of 12-10."""
    strong, weak = strong_panzers()
    table = Table("movement", AXIS, {strong: VIZZINI, weak: "26:4128", HG: "26:4027"})
    whole = units()[strong].face
    assert table.refused(f"detach {weak}") == ("no-panthers", "15E"), "less than 15-10"
    assert table.refused(f"detach {HG}") == ("no-panthers", "15E"), "not of the Army"
    table.do(f"detach {strong}")
    assert table.refused(f"detach {strong}") == ("no-panthers", "15E"), "one each"
    assert table.refused(f"divide {strong}") == ("not-whole", "15B")
    lighter = piece(table.game, table.state, table.unit(strong))
    assert lighter.face.attack == whole.attack - 4 and lighter.unit.type == "mechanised_infantry"
    table.do(f"move {PANTHER}", "halt", "end")
    assert table.offered("attach") == {f"{PANTHER} {strong}"}
    assert table.refused(f"attach {PANTHER} {weak}") == ("not-together", "15E")
    table.do(f"attach {PANTHER} {strong}")
    assert piece(table.game, table.state, table.unit(strong)).face == whole
    assert table.where(PANTHER) is None and not table.state.lightened


@rule("second_front", "15E", "9E")
def test_a_division_with_a_battalion_is_one_strength_for_losses_and_cadres() -> None:
    """The published answers: 15-10 with a Panther battalion is 19, and its cadre 7-8 is 11-8; a battalion of
    Panzer IV adds 2."""
    strong, _ = strong_panzers()

    def attached(state: FrontState) -> None:
        state.place(first.unit(PANTHER), -1000 - first.unit(strong))

    first = Table("movement", AXIS, {strong: VIZZINI, PANTHER: VIZZINI})
    table = Table("movement", AXIS, {strong: VIZZINI, PANTHER: VIZZINI}, before=attached)
    unit, whole, cadre = table.unit(strong), units()[strong].face, units()[strong].cadre
    assert cadre is not None
    found = piece(table.game, table.state, unit)
    assert found.face == (whole.attack + 4, whole.defence + 4, whole.movement) and found.re == 3
    table.state.reduced |= 1 << unit
    assert piece(table.game, table.state, unit).face.attack == cadre.attack + 4
    assert units()["SF-G-PN-P4"].face == (2, 1, 10)


@rule("second_front", "15E", "40B1a")
def test_the_battalion_is_lost_with_its_division() -> None:
    """Both go to the replacement box (published answer)."""
    strong, _ = strong_panzers()
    table = Table("combat", ALLIED, {strong: VIZZINI, PANTHER: VIZZINI, US1: "26:4128"})
    state = table.state
    state.place(table.unit(PANTHER), -1000 - table.unit(strong))
    remove(table.game, state, table.unit(strong), "9C")
    assert state.where[table.unit(PANTHER)] == state.where[table.unit(strong)] == -2


@rule("second_front", "15A")
def test_a_division_whose_parts_are_all_gone_is_eliminated() -> None:
    table = Table("movement", ALLIED, {CANADIANS: GELA, US1: INLAND})
    table.do(f"divide {CANADIANS}")
    for id_ in sorted(BRIGADES):
        remove(table.game, table.state, table.unit(id_), "9C")
    assert table.state.where[table.unit(CANADIANS)] == -2 and table.state.split == ()
