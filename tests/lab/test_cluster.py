"""The same games on a Ray cluster of two nodes, started here and stopped after."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grognard.lab.batch import BatchError
from grognard.lab.run import Batch, run_batch
from grognard.lab.tune import tune
from tests.lab.test_run import PLANNERS, RANDOM, same

ray = pytest.importorskip("ray", reason="a cluster is an extra: pip install 'grognard[cluster]'")

LONG = pytest.mark.skipif(not os.environ.get("GROGNARD_LONG"), reason="half a minute: GROGNARD_LONG=yes")

SMALL = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024, "include_dashboard": False}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    started = Cluster(initialize_head=True, head_node_args=SMALL)
    try:
        started.add_node(num_cpus=1, object_store_memory=SMALL["object_store_memory"])
        started.wait_for_nodes()
        yield started
    finally:
        started.shutdown()


def test_no_cluster_is_said(folder: Path) -> None:
    # Comes first: the others' cluster, once it is there, would answer.
    with pytest.raises(BatchError, match="no Ray cluster answers"):
        run_batch(folder, "crossroads", 1, RANDOM, "tests", cluster="auto")


def test_two_nodes_play_the_games_of_one_process(cluster: Any, crossroads: Batch, folder: Path) -> None:
    told: list[tuple[int, int]] = []
    batch = run_batch(
        folder,
        "crossroads",
        12,
        RANDOM,
        "tests",
        cluster=cluster.address,
        progress=lambda *now: told.append(now),
    )
    assert told[0] == (0, 12)
    assert told[-1] == (12, 12)
    same(crossroads, batch)


@LONG
def test_two_nodes_think_as_one_process_does(cluster: Any, tmp_path: Path) -> None:
    here, there = (
        run_batch(tmp_path / name, "crossroads", 2, PLANNERS, "tests", scenario="morning", cluster=address)
        for name, address in (("here", None), ("there", cluster.address))
    )
    same(here, there)


@LONG
def test_a_batch_goes_on_from_process_to_cluster(cluster: Any, crossroads: Batch, folder: Path) -> None:
    run_batch(folder, "crossroads", 4, RANDOM, "tests")
    same(crossroads, run_batch(folder, "crossroads", 12, RANDOM, "tests", cluster=cluster.address))


@LONG
def test_the_players_own_files_travel(cluster: Any, tmp_path: Path) -> None:
    own = tmp_path / "own" / "crossroads"
    (own / "tables").mkdir(parents=True)
    (own / "tables/numbers.csv").write_text("id,value\nvillage_points,150\n", encoding="utf-8")
    here = run_batch(tmp_path / "here", "crossroads", 3, RANDOM, "tests", override=tmp_path / "own")
    there = run_batch(
        tmp_path / "there",
        "crossroads",
        3,
        RANDOM,
        "tests",
        override=tmp_path / "own",
        cluster=cluster.address,
    )
    same(here, there)


def test_two_nodes_tune_as_one_process_does(cluster: Any, tmp_path: Path) -> None:
    here = tune(tmp_path / "here", "crossroads", 6, "s")
    there = tune(tmp_path / "there", "crossroads", 6, "s", cluster=cluster.address)
    assert there == here
    own = "own/crossroads/doctrine.toml"
    assert (tmp_path / "there" / own).read_text() == (tmp_path / "here" / own).read_text()
