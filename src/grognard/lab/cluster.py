"""Games on a Ray cluster. The nodes need the program only: the player's own files travel along."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from grognard.lab.batch import BatchError
from grognard.lab.own import own_files, write_files
from grognard.lab.run import BatchSpec, Worker

IN_FLIGHT = 3
"""Games handed out for each processor: enough to keep all busy, few enough to lose none for long."""

Ended = TypeVar("Ended")

_workers: dict[str, Worker] = {}


def play_numbered(spec: dict[str, Any], files: dict[str, bytes], number: int) -> tuple[int, bytes]:
    """One game, on whichever node. A worker process keeps its loaded game from one call to the next."""
    made = BatchSpec(**spec)
    key = repr(made)
    worker = _workers.get(key)
    if worker is None:
        worker = _workers[key] = Worker(made, unpacked(made.game, files))
    return worker.play(number)


def unpacked(game_id: str, files: dict[str, bytes]) -> Path | None:
    """The player's own files, which have travelled along, in a folder on this node."""
    if not files:
        return None
    override = Path(tempfile.mkdtemp(prefix="grognard-"))
    write_files(override, game_id, files)
    return override


def play_on_cluster(
    spec: BatchSpec, numbers: Sequence[int], address: str, override: Path | None
) -> Iterator[tuple[int, bytes]]:
    """Games as they end, played by the cluster at this address ("auto": the one this machine belongs to)."""
    return spread_out(play_numbered, (asdict(spec), own_files(override, spec.game)), numbers, address)


def spread_out(
    task: Callable[..., Ended], shared: Sequence[Any], numbers: Sequence[Any], address: str
) -> Iterator[Ended]:
    """What a task gives for each number, as it ends. What is shared travels once."""
    try:
        import ray
    except ModuleNotFoundError:
        raise BatchError("a cluster needs Ray: pip install 'grognard[cluster]'") from None
    joined = ray.is_initialized()
    if not joined:
        # A cluster that was killed leaves its address behind, which Ray would try for a quarter of an hour.
        os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "3")
        try:
            ray.init(address=address, log_to_driver=False, logging_level="error")
        except ConnectionError:
            raise BatchError(
                f"no Ray cluster answers at {address!r}; `ray start --head` begins one on this machine"
            ) from None
    try:
        # A node that dies takes its games with it; they are played again elsewhere, the same.
        play = ray.remote(task).options(max_retries=5, num_cpus=1)
        common = [ray.put(value) for value in shared]
        waiting = list(reversed(numbers))
        going: list[Any] = []
        while waiting or going:
            room = max(1, int(ray.cluster_resources().get("CPU", 1))) * IN_FLIGHT
            while waiting and len(going) < room:
                going.append(play.remote(*common, waiting.pop()))
            ended, going = ray.wait(going)
            yield from ray.get(ended)
    finally:
        if not joined:
            ray.shutdown()
