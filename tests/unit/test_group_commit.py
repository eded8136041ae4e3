import asyncio
from collections.abc import Sequence
from contextvars import ContextVar

import pytest

from hippograph.graph.writing.group_commit import GroupCommit

AROUND: ContextVar[str] = ContextVar("AROUND", default="nothing")


class Store:
    """Stores batches of numbers once its gate is open; raises `ValueError` for a batch with a negative number."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.batches: list[list[int]] = []
        self.around: set[str] = set()

    async def __call__(self, batch: Sequence[int]) -> list[str]:
        """Waits for the gate, then stores the batch."""
        self.around.add(AROUND.get())
        await self.gate.wait()
        if min(batch) < 0:
            raise ValueError(f"{min(batch)} is negative")
        self.batches.append(list(batch))
        return [f"stored {number}" for number in batch]


async def submitted(commit: GroupCommit[int, str], numbers: Sequence[int], group: str = "") -> list[asyncio.Task[str]]:
    """Starts a task for each number that submits it; returns the tasks in order."""
    tasks = [asyncio.create_task(commit.submit(number, group)) for number in numbers]
    await asyncio.sleep(0)
    return tasks


async def test_what_comes_meanwhile_is_committed_together() -> None:
    """The first item is committed at once; items that arrive meanwhile share batches of at most `largest`."""
    store = Store()
    tasks = await submitted(GroupCommit(store, largest=3, at_once=1, patience_s=60), range(6))
    store.gate.set()
    assert [f"stored {number}" for number in range(6)] == await asyncio.gather(*tasks)
    assert [[0], [1, 2, 3], [4, 5]] == store.batches


async def test_groups_do_not_mix() -> None:
    """A batch has items of one group only, and the group of the item that waits longest is next."""
    store, tasks = Store(), []
    commit = GroupCommit(store, largest=9, at_once=1, patience_s=60)
    for number, group in enumerate("abab"):
        tasks += await submitted(commit, [number], group)
    store.gate.set()
    await asyncio.gather(*tasks)
    assert [[0], [1, 3], [2]] == store.batches


async def test_an_error_reaches_whose_item_it_is() -> None:
    """A failed batch is retried item by item: only the task of the bad item gets the error, the others are stored."""
    store = Store()
    tasks = await submitted(GroupCommit(store, largest=9, at_once=1, patience_s=60), [0, 1, -2, 3])
    store.gate.set()
    first, one, two, three = await asyncio.gather(*tasks, return_exceptions=True)
    assert ["stored 0", "stored 1", "stored 3"] == [first, one, three]
    assert "-2 is negative" == str(two)
    assert [[0], [1], [3]] == store.batches


async def test_who_gives_up_is_left_out() -> None:
    """An item whose task was cancelled before its batch began is not stored, and the others are."""
    store = Store()
    tasks = await submitted(GroupCommit(store, largest=9, at_once=1, patience_s=60), [0, 1, 2])
    tasks[1].cancel()
    with pytest.raises(asyncio.CancelledError):
        await tasks[1]
    store.gate.set()
    assert ["stored 0", "stored 2"] == await asyncio.gather(tasks[0], tasks[2])
    assert [[0], [2]] == store.batches


async def test_all_may_give_up() -> None:
    """After all waiting tasks were cancelled, the next item is still committed."""
    store = Store()
    commit = GroupCommit(store, largest=9, at_once=1, patience_s=60)
    tasks = await submitted(commit, [0, 1])
    tasks[1].cancel()
    store.gate.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert "stored 2" == await commit.submit(2, "")
    assert [[0], [2]] == store.batches


async def test_a_batch_has_nobodys_surroundings() -> None:
    """A batch does not run in the context of the task that starts it, which holds that task's bookmarks."""
    store = Store()
    AROUND.set("mine")
    store.gate.set()
    await GroupCommit(store, largest=9, at_once=1, patience_s=60).submit(1, "")
    assert {"nothing"} == store.around


async def test_a_batch_that_is_held_up_holds_up_no_other() -> None:
    """A batch that takes longer than `patience_s` lets the next one start, and still completes."""
    store, open_gate = Store(), Store()
    open_gate.gate.set()

    async def commit(batch: Sequence[int]) -> list[str]:
        return await (store if 0 in batch else open_gate)(batch)

    tasks = await submitted(GroupCommit(commit, largest=9, at_once=1, patience_s=0.01), [0, 1, 2])
    assert ["stored 1", "stored 2"] == await asyncio.gather(*tasks[1:])
    assert not tasks[0].done()
    store.gate.set()
    assert "stored 0" == await tasks[0]
