"""Compare: a planted difference is found, and one that is not there is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grognard.cli.main import main
from grognard.lab.batch import BatchError
from grognard.lab.compare import compare, verdict
from grognard.lab.run import Batch, run_batch

RANDOM = ["random", "random"]
GAMES = 60


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    folder = tmp_path_factory.mktemp("compare") / "baseline"
    return run_batch(folder, "crossroads", GAMES, RANDOM, "a")


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """A regiment of Amber sits in the village from the start: its points grow."""
    folder = tmp_path_factory.mktemp("compare")
    own = folder / "own" / "crossroads"
    (own / "tables").mkdir(parents=True)
    (own / "tables/units.csv").write_text("id,movement,place\nfirst-amber,0,0202\n", encoding="utf-8")
    return run_batch(folder / "changed", "crossroads", GAMES, RANDOM, "b", override=folder / "own")


def test_a_planted_difference_is_found(baseline: Batch, changed: Batch) -> None:
    found = compare(baseline, changed)
    assert found.real
    assert found.points_p < 0.01
    assert found.points_interval.low > 0
    assert set(found.changed) == {"seed", "data", "own"}
    assert found.changed["own"] == (
        (),
        (
            "tables/units.csv first-amber movement: 3 → 0",
            "tables/units.csv first-amber place: 0102 → 0202",
        ),
    )
    assert "first-amber place: 0102 → 0202" in verdict(found, "en")
    assert verdict(found, "en").startswith("The difference is real.")
    assert verdict(found, "fr").startswith("La différence est réelle.")


def test_no_difference_is_found_where_there_is_none(baseline: Batch, tmp_path: Path) -> None:
    again = run_batch(tmp_path / "again", "crossroads", GAMES, RANDOM, "d")
    found = compare(baseline, again)
    assert not found.real
    assert found.points_interval.low < 0 < found.points_interval.high
    assert set(found.changed) == {"seed"}
    assert verdict(found, "en").startswith("No real difference is shown.")


def test_a_batch_does_not_differ_from_itself(baseline: Batch) -> None:
    found = compare(baseline, baseline)
    assert not found.real
    assert found.points_difference == found.win_difference == 0
    assert found.changed == {}
    assert "same plan" in verdict(found, "en")


def test_a_difference_in_wins_alone_is_found(baseline: Batch, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from grognard.lab.tables import read

    other = tmp_path / "other"
    shutil.copytree(baseline.folder, other)
    games = read(other, "games")
    winners = pa.array(["cobalt" if n % 6 == 0 else "amber" for n in range(GAMES)])
    place = games.schema.get_field_index("winner")
    pq.write_table(games.set_column(place, "winner", winners), other / "games.parquet")
    found = compare(baseline, Batch(other))
    assert found.real
    assert found.wins[1] == GAMES - GAMES // 6
    assert found.points_difference == 0


def test_the_command_says_it_in_a_sentence_and_as_json(
    baseline: Batch, changed: Batch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [str(baseline.folder), str(changed.folder)]
    assert main(["lab", "compare", *folders, "--lang", "en"]) == 0
    sentence = capsys.readouterr().out.strip()
    assert main(["lab", "compare", *folders, "--lang", "en", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["real"] is True
    assert told["sentence"] == sentence
    assert told["points"]["interval"][0] < told["points"]["difference"] < told["points"]["interval"][1]
    assert told["games"] == {"a": GAMES, "b": GAMES}


def test_where_players_change_sides_players_are_compared(tmp_path: Path) -> None:
    strong, weak = (
        run_batch(tmp_path / first, "crossroads", 4, [first, "random"], "s", swap=True)
        for first in ("greedy", "recruit")
    )
    found = compare(strong, weak)
    assert found.side is None
    assert found.player == ("greedy", "recruit")
    assert found.wins[0] == 4, "on both sides"
    assert "greedy → recruit: 4 wins of 4 in A" in verdict(found, "en")
    assert "joueurs greedy, random → recruit, random" in verdict(found, "fr")


def test_different_games_cannot_be_compared(crossroads: Batch, victory: Batch) -> None:
    with pytest.raises(BatchError, match="one batch is of crossroads"):
        compare(crossroads, victory)
