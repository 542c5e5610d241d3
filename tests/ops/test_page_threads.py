"""Pages are made in so many threads; the next ones wait, and too many are turned away."""

import asyncio
import threading

from games.ops.requests import page_threads


async def is_still_waiting(task: asyncio.Task) -> bool:
    await asyncio.sleep(0.05)
    return not task.done()


async def test_so_many_pages_have_a_thread_and_the_next_one_waits():
    threads = page_threads.PageThreads(2)
    one, other = await threads.take(), await threads.take()
    assert one is not other
    waiting = asyncio.create_task(threads.take())
    assert await is_still_waiting(waiting)
    threads.give_back(one)
    assert await waiting is one


async def test_a_thread_that_is_left_at_work_is_nobody_elses_until_the_end():
    threads = page_threads.PageThreads(1)
    thread, end = await threads.take(), threading.Event()
    thread.submit(end.wait)
    threads.give_back(thread)
    waiting = asyncio.create_task(threads.take())
    assert await is_still_waiting(waiting)
    end.set()
    assert await waiting is thread


async def test_where_too_many_wait_or_for_too_long_the_next_one_is_turned_away(monkeypatch):
    monkeypatch.setattr(page_threads, "MOST_WAITING", 1)
    monkeypatch.setattr(page_threads, "WAIT_SECONDS", 0.2)
    threads = page_threads.PageThreads(1)
    await threads.take()
    waiting = asyncio.create_task(threads.take())
    await asyncio.sleep(0)
    assert await threads.take() is None
    assert await waiting is None
