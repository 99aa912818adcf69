from __future__ import annotations

from typing import Any, Iterator

from .bodies import Dispute, Review, ReviewDetail
from .transport import Transport, quote


class ReviewClient:
    """Reviews: answers that need a person, and the decisions of people."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, status: str | None = None, domain: str | None = None) -> Iterator[Review]:
        return self._transport.items(Review, "/v1/reviews", {"status": status, "domain": domain, "limit": 100})

    def get(self, id: str) -> ReviewDetail:
        return self._transport.json(ReviewDetail, "GET", f"/v1/reviews/{quote(id)}")

    def decide(
        self,
        id: str,
        action: str,
        *,
        company_number: str | None = None,
        reviewer: str | None = None,
        reason: str | None = None,
    ) -> ReviewDetail:
        """`accept` a candidate, `reject` them all, or `reassign` the domain to any company of the register."""
        body = {"action": action, **_given(company_number=company_number, reviewer=reviewer, reason=reason)}
        path = f"/v1/reviews/{quote(id)}/decision"
        return self._transport.json(ReviewDetail, "POST", path, body=body, repeatable=False)

    def withdraw(self, id: str) -> ReviewDetail:
        """Withdraws your decision: the service's own answer is valid again."""
        return self._transport.json(ReviewDetail, "DELETE", f"/v1/reviews/{quote(id)}/decision", repeatable=False)

    def dispute(
        self,
        resolution_id: str,
        *,
        company_number: str | None = None,
        reviewer: str | None = None,
        reason: str | None = None,
    ) -> Dispute:
        """Reports a match as wrong: you do not get it again, and its credit is refunded."""
        path = f"/v1/resolutions/{quote(resolution_id)}/dispute"
        body = _given(company_number=company_number, reviewer=reviewer, reason=reason)
        return self._transport.json(Dispute, "POST", path, body=body, repeatable=False)


def _given(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
