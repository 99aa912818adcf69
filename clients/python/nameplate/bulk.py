from __future__ import annotations

import time
from typing import Any, Callable, Iterator, Sequence

from .errors import NameplateError
from .transport import Body, Transport, new_idempotency_key, quote

_POLL_SECONDS = 1.0
_POLL_MAX_SECONDS = 10.0


class BulkClient:
    """Up to 10,000 domains at once."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def preflight(self, rows: Sequence[str] | str) -> Body:
        """What it would come to. Nothing is begun."""
        return self._transport.json("POST", "/v1/bulk", query={"preflight": True}, **_sent(rows))

    def create(self, rows: Sequence[str] | str, *, name: str | None = None, idempotency_key: str | None = None) -> Body:
        """With an idempotency_key of your own, sending the list again within a day is the same bulk."""
        key = idempotency_key or new_idempotency_key()
        return self._transport.json("POST", "/v1/bulk", query={"name": name}, idempotency_key=key, **_sent(rows))

    def list(self) -> Iterator[Body]:
        return self._transport.items("/v1/bulk", {})

    def get(self, id: str) -> Body:
        return self._transport.json("GET", f"/v1/bulk/{quote(id)}")

    def wait(
        self, id: str, *, wait_seconds: float = 3_600, on_progress: Callable[[Body], Any] | None = None
    ) -> Body:
        """Until every row has its end or the bulk is paused, which its status says."""
        deadline = time.monotonic() + wait_seconds
        pause_seconds = _POLL_SECONDS
        while True:
            bulk = self.get(id)
            if on_progress:
                on_progress(bulk)
            if bulk["finished_at"] is not None or bulk["status"] == "paused":
                return bulk
            if time.monotonic() >= deadline:
                detail = f"The bulk {id} is still running. Wait longer, or ask again in a while."
                raise NameplateError(detail, code="still_running", retryable=True)
            time.sleep(pause_seconds)
            pause_seconds = min(_POLL_MAX_SECONDS, pause_seconds * 1.5)

    def results(self, id: str) -> Iterator[Body]:
        """A result for every row that was sent, in that order, read as they arrive."""
        return self._transport.lines("GET", f"/v1/bulk/{quote(id)}/results", query={"format": "jsonl"})

    def cancel(self, id: str) -> Body:
        return self._transport.json("POST", f"/v1/bulk/{quote(id)}/cancel")

    def resume(self, id: str) -> Body:
        """Asks for every row that has no answer."""
        return self._transport.json("POST", f"/v1/bulk/{quote(id)}/resume")


def _sent(rows: Sequence[str] | str) -> dict[str, Any]:
    return {"csv": rows} if isinstance(rows, str) else {"body": {"domains": list(rows)}}
