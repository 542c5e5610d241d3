"""Pages are made in so many threads; the next ones wait, and too many are turned away."""

import asyncio
import logging
import threading

import pytest
from django.http import HttpResponse

from games.ops.requests import body_limit, page_threads
from games.streams import Stream


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


FORM = b"nickname=Carla&csrfmiddlewaretoken=none"
MULTIPART = b'--B\r\nContent-Disposition: form-data; name="nickname"\r\n\r\nCarla\r\n--B--\r\n'
KINDS = {b"application/x-www-form-urlencoded": FORM, b"multipart/form-data; boundary=B": MULTIPART}


def posted(kind: bytes) -> dict:
    cookie = b"csrftoken=" + b"a" * 32
    headers = [(b"host", b"testserver"), (b"content-type", kind), (b"cookie", cookie)]
    headers.append((b"content-length", b"%d" % len(KINDS[kind])))
    about = {"method": "POST", "path": "/me/", "raw_path": b"/me/", "query_string": b"", "scheme": "http"}
    return {"type": "http", "http_version": "1.1", **about, "headers": headers, "server": ("testserver", 80)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", KINDS, ids=["form", "multipart"])
async def test_a_form_whose_sender_goes_before_the_page_has_read_it_is_no_fault(monkeypatch, caplog, kind):
    """The page's thread reads the body only after Django has closed its file."""
    begun, gone, sent = threading.Event(), threading.Event(), []
    is_long = body_limit._is_long

    def slowly(request) -> bool:
        begun.set()
        assert gone.wait(10)
        return is_long(request)

    monkeypatch.setattr(body_limit, "_is_long", slowly)
    came = iter([{"type": "http.request", "body": KINDS[kind], "more_body": False}])

    async def receive() -> dict:
        if (message := next(came, None)) is not None:
            return message
        await asyncio.to_thread(begun.wait, 10)
        return {"type": "http.disconnect"}

    async def send(message: dict) -> None:
        sent.append(message)

    with caplog.at_level(logging.ERROR):
        task = asyncio.create_task(page_threads.Application()(posted(kind), receive, send))
        await asyncio.to_thread(begun.wait, 10)
        await asyncio.sleep(0.1)
        gone.set()
        await task
    assert sent == []
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


GET = {"method": "GET", "query_string": b"", "scheme": "http", "headers": [(b"host", b"testserver")]}


class Client:
    """A client that sends a request without a body and stays."""

    def __init__(self):
        self.has_sent = False

    async def receive(self):
        if self.has_sent:
            await asyncio.sleep(60)
        self.has_sent = True
        return {"type": "http.request", "body": b"", "more_body": False}


async def no_thread(_threads, first=None):
    return None


async def test_a_part_of_a_file_that_takes_long_and_a_refused_request_hold_up_no_page(monkeypatch):
    """Neither is made in a page thread, and what Django does beside a page waits for neither."""
    begun, end = threading.Event(), threading.Event()

    def slow_part():
        begun.set()
        assert end.wait(10)
        yield b"part"

    def answer(request):
        if request.path == "/refused/":
            request.is_turned_away = True
            assert end.wait(10)
        return Stream(slow_part()) if request.path == "/file/" else HttpResponse(b"a page")

    async def ask(path):
        sent = []

        async def send(message):
            sent.append(message)

        await site({"type": "http", "path": path, **GET}, Client().receive, send)
        return b"".join(message.get("body", b"") for message in sent)

    site = page_threads.Application()
    monkeypatch.setattr(site, "get_response", answer)
    slow = [asyncio.create_task(ask("/file/"))]
    await asyncio.to_thread(begun.wait, 10)
    with monkeypatch.context() as full:
        full.setattr(page_threads.PageThreads, "take", no_thread)
        slow.append(asyncio.create_task(ask("/refused/")))
        await asyncio.sleep(0.1)
    try:
        assert await asyncio.wait_for(ask("/page/"), 5) == b"a page"
    finally:
        end.set()
    assert await asyncio.gather(*slow) == [b"part", b"a page"]
