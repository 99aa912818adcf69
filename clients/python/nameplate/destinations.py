from __future__ import annotations

from datetime import datetime
from typing import Iterator, List

from .bodies import (
    DeletedDestination,
    RegisteredDestination,
    Replay,
    RotatedSecret,
    WebhookAttempt,
    WebhookDestination,
    WebhookDestinations,
    WebhookTrial,
)
from .transport import Transport, new_idempotency_key


class DestinationClient:
    """Webhook destinations: the addresses to which your events are sent."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        webhook_url: str,
        signal_type: str = "all",
        *,
        kind: str | None = None,
        list: str | None = None,
        severity_min: str | None = None,
    ) -> RegisteredDestination:
        """Returns the destination with its secret, which is shown only here. Slack and Teams have none."""
        members = {
            "webhook_url": webhook_url,
            "signal_type": signal_type,
            "kind": kind,
            "list": list,
            "severity_min": severity_min,
        }
        body = {name: value for name, value in members.items() if value is not None}
        key = new_idempotency_key()
        return self._transport.json(
            RegisteredDestination, "POST", "/v1/partner/webhooks", body=body, idempotency_key=key
        )

    def list(self) -> List[WebhookDestination]:
        return self._transport.json(WebhookDestinations, "GET", "/v1/partner/webhooks")["data"]

    def delete(self, id: int) -> DeletedDestination:
        return self._transport.json(DeletedDestination, "DELETE", f"/v1/partner/webhooks/{id}")

    def test(self, id: int) -> WebhookTrial:
        """Sends a test event now and returns the response of your server."""
        return self._transport.json(WebhookTrial, "POST", f"/v1/partner/webhooks/{id}/test", repeatable=False)

    def enable(self, id: int) -> WebhookDestination:
        return self._transport.json(WebhookDestination, "POST", f"/v1/partner/webhooks/{id}/enable")

    def rotate_secret(self, id: int) -> RotatedSecret:
        """Returns a new secret. For 24 hours events carry the signatures of both."""
        path = f"/v1/partner/webhooks/{id}/rotate-secret"
        return self._transport.json(RotatedSecret, "POST", path, idempotency_key=new_idempotency_key())

    def replay(
        self,
        id: int,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        only: str | None = None,
        event_id: str | None = None,
        cursor: str | None = None,
    ) -> Replay:
        """Sends events of the last 30 days again. Times carry their time zone."""
        members = {
            "since": since and since.isoformat(),
            "until": until and until.isoformat(),
            "only": only,
            "event_id": event_id,
            "cursor": cursor,
        }
        body = {name: value for name, value in members.items() if value is not None}
        path = f"/v1/partner/webhooks/{id}/replay"
        return self._transport.json(Replay, "POST", path, body=body, idempotency_key=new_idempotency_key())

    def deliveries(self, id: int, *, event_id: str | None = None) -> Iterator[WebhookAttempt]:
        """Yields every attempt of the last 30 days, newest first."""
        path = f"/v1/partner/webhooks/{id}/deliveries"
        return self._transport.items(WebhookAttempt, path, {"event_id": event_id, "limit": 100})
