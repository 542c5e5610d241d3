"""Commands that read one JSON object and write one; with `--lines` one a line.

A refusal is written in the answer's place, and the exit status is then 2.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO

OK, UNREAD, REFUSED, MISUSED = 0, 1, 2, 64
Answer = Callable[[bytes], dict[str, Any]]
"""The answer to one text; a refusal has the key "error"."""


def run(answer: Answer, arguments: Sequence[str]) -> int:
    """Answer what stands on standard input; return the exit status."""
    if arguments not in ([], ["--lines"]):
        sys.stderr.write("usage: [--lines] < input > output\n")
        return MISUSED
    try:
        return _write_answers(answer, is_by_line=bool(arguments))
    except BrokenPipeError:
        # Nobody reads on; Python would complain once more when it ends.
        sys.stderr.close()
        return UNREAD


def decoded(answer: Callable[[Any], dict[str, Any]], bad_json: dict[str, Any]) -> Answer:
    """Return the answer to texts of a function that answers values; `bad_json` answers what is no JSON."""

    def answered(text: bytes) -> dict[str, Any]:
        try:
            given = json.loads(text.decode(), parse_constant=_no_number)
        except (ValueError, RecursionError):
            return bad_json
        return answer(given)

    return answered


def _write_answers(answer: Answer, *, is_by_line: bool) -> int:
    """Answer each text on standard output; return the exit status."""
    status = OK
    for text in _texts(sys.stdin.buffer, is_by_line=is_by_line):
        answered = answer(text)
        status = REFUSED if "error" in answered else status
        sys.stdout.write(json.dumps(answered, separators=(",", ":")) + "\n")
        sys.stdout.flush()
    return status


def _texts(stream: BinaryIO, *, is_by_line: bool) -> Iterable[bytes]:
    """Return the texts to answer; an empty line is one, so that each line has its answer."""
    return stream if is_by_line else [stream.read()]


def _no_number(name: str) -> None:
    """Refuse `NaN` and `Infinity`, which JSON does not have."""
    raise ValueError(name)
