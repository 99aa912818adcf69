from __future__ import annotations

from datetime import datetime
from typing import Iterator

from .transport import Body, Transport, new_idempotency_key


class DestinationClient:
    """Where your events are sent."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, webhook_url: str, signal_type: str = "all") -> Body:
        """The answer has the secret, which is shown this once."""
        body = {"webhook_url": webhook_url, "signal_type": signal_type}
        key = new_idempotency_key()
        return self._transport.json("POST", "/v1/partner/webhooks", body=body, idempotency_key=key)

    def list(self) -> list[Body]:
        return self._transport.json("GET", "/v1/partner/webhooks")["data"]

    def delete(self, id: int) -> Body:
        return self._transport.json("DELETE", f"/v1/partner/webhooks/{id}")

    def test(self, id: int) -> Body:
        """Sends a test event now and says what your server answered."""
        return self._transport.json("POST", f"/v1/partner/webhooks/{id}/test", repeatable=False)

    def enable(self, id: int) -> Body:
        return self._transport.json("POST", f"/v1/partner/webhooks/{id}/enable")

    def rotate_secret(self, id: int) -> Body:
        """The old secret signs beside the new one for 24 hours."""
        path = f"/v1/partner/webhooks/{id}/rotate-secret"
        return self._transport.json("POST", path, idempotency_key=new_idempotency_key())

    def replay(
        self,
        id: int,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        only: str | None = None,
        event_id: str | None = None,
        cursor: str | None = None,
    ) -> Body:
        """Sends events of the last 30 days again. Times carry their time zone."""
        wish = {
            "since": since and since.isoformat(),
            "until": until and until.isoformat(),
            "only": only,
            "event_id": event_id,
            "cursor": cursor,
        }
        body = {name: value for name, value in wish.items() if value is not None}
        path = f"/v1/partner/webhooks/{id}/replay"
        return self._transport.json("POST", path, body=body, idempotency_key=new_idempotency_key())

    def deliveries(self, id: int, *, event_id: str | None = None) -> Iterator[Body]:
        """Every attempt of the last 30 days, the newest first."""
        return self._transport.items(f"/v1/partner/webhooks/{id}/deliveries", {"event_id": event_id, "limit": 100})
