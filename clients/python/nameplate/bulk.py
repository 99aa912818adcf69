from __future__ import annotations

import time
from typing import Any, Callable, Iterator, Sequence

from .bodies import Bulk, BulkPreflight, BulkResult
from .errors import NameplateError
from .transport import Transport, new_idempotency_key, quote

_POLL_SECONDS = 1.0
_POLL_MAX_SECONDS = 10.0


class BulkClient:
    """Bulk jobs: up to 10,000 domains at once."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def preflight(self, rows: Sequence[str] | str) -> BulkPreflight:
        """Returns what the bulk job can cost. Nothing starts."""
        return self._transport.json(BulkPreflight, "POST", "/v1/bulk", query={"preflight": True}, **_request_of(rows))

    def create(self, rows: Sequence[str] | str, *, name: str | None = None, idempotency_key: str | None = None) -> Bulk:
        """Starts a bulk job. The same idempotency_key within a day returns the same bulk job."""
        key = idempotency_key or new_idempotency_key()
        return self._transport.json(Bulk, "POST", "/v1/bulk", query={"name": name}, idempotency_key=key, **_request_of(rows))

    def list(self) -> Iterator[Bulk]:
        return self._transport.items(Bulk, "/v1/bulk", {})

    def get(self, id: str) -> Bulk:
        return self._transport.json(Bulk, "GET", f"/v1/bulk/{quote(id)}")

    def wait(
        self, id: str, *, wait_seconds: float = 3_600, on_progress: Callable[[Bulk], Any] | None = None
    ) -> Bulk:
        """Waits until every row has ended or the bulk job is paused; its status says which."""
        deadline = time.monotonic() + wait_seconds
        pause_seconds = _POLL_SECONDS
        while True:
            bulk = self.get(id)
            if on_progress:
                on_progress(bulk)
            if bulk["finished_at"] is not None or bulk["status"] == "paused":
                return bulk
            if time.monotonic() >= deadline:
                detail = f"The bulk job {id} is still running. Wait longer, or ask again in a while."
                raise NameplateError(detail, code="still_running", retryable=True)
            time.sleep(pause_seconds)
            pause_seconds = min(_POLL_MAX_SECONDS, pause_seconds * 1.5)

    def results(self, id: str) -> Iterator[BulkResult]:
        """Yields a result for every row, in the order in which they were sent."""
        return self._transport.lines(BulkResult, f"/v1/bulk/{quote(id)}/results", query={"format": "jsonl"})

    def cancel(self, id: str) -> Bulk:
        return self._transport.json(Bulk, "POST", f"/v1/bulk/{quote(id)}/cancel")

    def resume(self, id: str) -> Bulk:
        """Resolves every row that has no answer yet."""
        return self._transport.json(Bulk, "POST", f"/v1/bulk/{quote(id)}/resume")


def _request_of(rows: Sequence[str] | str) -> dict[str, Any]:
    return {"csv": rows} if isinstance(rows, str) else {"body": {"domains": list(rows)}}
