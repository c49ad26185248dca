"""A proxy between browsers and the server that does what networks do: it drops, delays, doubles, cuts and makes things up."""

import asyncio
import random
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

PAGE = b"<!doctype html><title>Welcome</title><h1>Please accept the terms of this network</h1>"
CUTS = ("cut", "cut short")
"""Faults after which a reply is not whole."""
ANSWERS = {
    "portal": (200, "text/html", PAGE),
    "other json": (200, "application/json", b'{"ok": true, "order": [], "stages": {}}'),
    "another's receipt": (
        200,
        "application/json",
        b'{"receipt": {"id": "00000000-0000-4000-8000-000000000000", "state": "stored"}}',
    ),
    "400": (400, "text/html", PAGE),
    "403": (403, "text/html", PAGE),
    "404": (404, "text/html", PAGE),
    "409": (409, "application/json", b'{"error": "conflict"}'),
    "413": (413, "text/html", PAGE),
    "422": (422, "application/json", b'{"detail": "unprocessable"}'),
    "500": (500, "text/html", PAGE),
    "502": (502, "text/html", PAGE),
    "503": (503, "application/json", b"{}"),
}
"""What is said in the server's place: status, type and text."""
FAULTS = ("drop", "lose the reply", "delay", "twice", "late", "portal after", "redirect", *CUTS, *ANSWERS)


@dataclass
class Proxy:
    """Listens on `port` and passes everything on to `target`, except that of all forms sent a share meets a fault.

    `faults` are those that may be met; None passes everything on. Which one it is depends on `seed` only. `met` counts them.
    """

    target: int
    seed: int = 1
    share: float = 0.5
    faults: Sequence[str] | None = FAULTS
    port: int = 0
    met: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """The faults in their order."""
        self._random = random.Random(self.seed)
        self._late: set[asyncio.Task[bytes]] = set()
        self._under_way: set[asyncio.Task[None] | None] = set()

    def choose(self, method: str) -> str:
        """What happens to the next request; pages and scripts get through, or there would be nothing to test."""
        if method != "POST" or not self.faults or self._random.random() > self.share:
            return ""
        fault = self._random.choice(self.faults)
        self.met[fault] += 1
        return fault

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of one connection.

        The loop itself refers weakly to a task whose client has gone and whose server has not answered yet: it is kept here.
        """
        self._under_way.add(task := asyncio.current_task())
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            reply = await self._reply(self.choose(head.split(b" ", 1)[0].decode()), closing(head) + body)
            writer.write(reply)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # one of the two has gone: the other sees the connection end
        finally:
            await closed(writer)
            self._under_way.discard(task)

    async def _reply(self, fault: str, request: bytes) -> bytes:
        if fault in ANSWERS:
            return made_up(*ANSWERS[fault])
        if fault == "redirect":
            return b"HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        if fault == "drop":
            return b""
        if fault == "late":  # it arrives after what is sent next
            wait = self._random.uniform(1, 3)
            self._late.add(asyncio.get_running_loop().create_task(self._pass_on(request, wait=wait)))
            return made_up(504, "text/html", PAGE)
        if fault == "delay":
            await asyncio.sleep(self._random.uniform(0.2, 1.5))
        if fault == "twice":
            await self._pass_on(request)
        reply = await self._pass_on(request)
        if fault in CUTS:
            return cut(reply, is_declared=fault == "cut")
        after = {"lose the reply": b"", "portal after": made_up(200, "text/html", PAGE)}
        return after.get(fault, reply)

    async def _pass_on(self, request: bytes, wait: float = 0.0) -> bytes:
        await asyncio.sleep(wait)
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return made_up(502, "text/html", PAGE)
        try:
            writer.write(request)
            return await reader.read()
        except OSError:
            return made_up(502, "text/html", PAGE)
        finally:
            await closed(writer)


async def closed(writer: asyncio.StreamWriter) -> None:
    """Close a connection, whatever has become of it."""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


def closing(head: bytes) -> bytes:
    """The head of a request that asks for one reply and the end of the connection."""
    return re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head)[:-2] + b"connection: close\r\n\r\n"


def made_up(status: int, kind: str, body: bytes) -> bytes:
    """A reply of our own."""
    head = f"HTTP/1.1 {status} So\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    return head.encode() + body


def cut(reply: bytes, *, is_declared: bool) -> bytes:
    """Half a reply, with a length that says it is whole or with the true one."""
    head, _, body = reply.partition(b"\r\n\r\n")
    half = body[: len(body) // 2]
    if is_declared:
        head = re.sub(rb"(?i)content-length: *\d+", b"content-length: %d" % len(half), head)
    return head + b"\r\n\r\n" + half


@contextmanager
def proxied(proxy: Proxy) -> Iterator[Proxy]:
    """Let a proxy work, in a thread of its own."""
    started, ends = threading.Event(), threading.Event()

    async def listen() -> None:
        server = await asyncio.start_server(proxy.handle, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        started.set()
        async with server:
            while not ends.is_set():
                await asyncio.sleep(0.02)
        await everything_ended()

    thread = threading.Thread(target=lambda: asyncio.run(listen()))
    thread.start()
    started.wait()
    try:
        yield proxy
    finally:
        ends.set()
        thread.join()


async def everything_ended() -> None:
    """End what is still under way on this loop, and what begins meanwhile: a connection may just have been made."""
    while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.05)
