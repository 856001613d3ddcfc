# SPDX-License-Identifier: Apache-2.0
"""Measures many points: on this machine's processors, or on a Dask cluster.

Every finished point is stored before the next one is awaited, so that a sweep resumes after an
interruption.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool

from montcore.compare.atlas import lasts, learn, recall
from montcore.compare.cluster import Cluster, compare_identities, identity, measure_as
from montcore.compare.entry import Entry
from montcore.compare.measure import keep, measure
from montcore.compare.point import Point
from montcore.support import waiting
from montcore.support.errors import RequestError, TransientError
from montcore.support.workers import worker_pool
from montcore.synth.store import ResultStore
from montcore.synth.target import check_target

#: Called with each point as it completes, and with the number of points in progress, -1 if it was
#: known before.
Done = Callable[[Point, Entry, int], None]

#: How often Dask restarts a point whose worker died.
_RETRIES = 3


def sweep(
    points: Sequence[Point],
    done: Done,
    *,
    workers: int = 2,
    cluster: Cluster | None = None,
    fresh: bool = False,
    from_atlas: bool = True,
    earlier: bool = True,
) -> list[Entry]:
    """Measure the points that are not known; return all entries in the same order.

    Args:
        workers: processes on this machine; ignored with a cluster.
        fresh: measure even what the atlas or the result store has.
        from_atlas: whether to use the atlas; the result store is always used.
        earlier: whether figures of earlier sources in the atlas count.
    """
    store = ResultStore()
    entries: dict[Point, Entry] = {}
    if not fresh:
        entries = recall(points, from_atlas=from_atlas, earlier=earlier).entries
    for point, entry in entries.items():
        done(point, entry, -1)
    missing = [point for point in dict.fromkeys(points) if point not in entries]
    if missing:
        for target in dict.fromkeys(point.target for point in missing):
            check_target(target)
        run = _on_cluster(missing, cluster) if cluster else _here(missing, workers)
        time = None if cluster else lasts(missing, workers)
        with waiting.waiting(f"measuring {len(missing)} of {len(points)} points", time) as wait:
            for point, entry, running in run:
                keep(point, entry, store)
                if cluster is None:
                    learn(point, entry)
                entries[point] = entry
                left = [other for other in missing if other not in entries]
                rest = lasts(left, running).seconds if left and running else 0
                wait.move(len(missing) - len(left), len(missing), rest)
                done(point, entry, running)
    return [entries[point] for point in points]


def _answer(point: Point, error: BaseException | None, result: Callable[[], Entry]) -> Entry:
    """Return a point's entry, even if its process ended without an answer."""
    if error is None:
        return result()
    if isinstance(error, RequestError):
        raise error
    if isinstance(error, BrokenProcessPool):
        raise TransientError(
            "a worker process was killed; what was finished is kept, and the same command resumes"
        )
    return point.entry(
        status="failed",
        message=f"the measurement ended without a result: {type(error).__name__}: {error}",
    )


def _here(points: Sequence[Point], workers: int) -> Iterator[tuple[Point, Entry, int]]:
    with worker_pool(workers) as pool:
        # Never more tasks than workers: one that is told to end would take the next.
        queue = iter(points)
        running: dict[Future[Entry], Point] = {}
        for point in itertools.islice(queue, workers):
            running[pool.submit(measure, point)] = point
        while running:
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ready:
                point = running.pop(future)
                following = next(queue, None)
                if following is not None:
                    running[pool.submit(measure, following)] = following
                entry = _answer(point, future.exception(), future.result)
                yield point, entry, len(running)


def _on_cluster(points: Sequence[Point], cluster: Cluster) -> Iterator[tuple[Point, Entry, int]]:
    """Yield the entries as the workers of a Dask cluster finish them.

    A worker with other sources or tools is refused: its figures would be stored under our key.
    """
    ours = {target: identity(target) for target in dict.fromkeys(item.target for item in points)}
    with cluster.client() as client:
        futures = {
            client.submit(measure_as, point, measure, pure=False, retries=_RETRIES): point
            for point in points
        }
        left = len(points)
        for future in cluster.as_completed(futures, client):
            left -= 1
            point = futures[future]
            error = future.exception()
            if error is None:
                worker, entry = future.result()
                compare_identities(ours[point.target], worker)
                yield point, entry, left
            else:
                yield point, _answer(point, error, future.result), left
