from __future__ import annotations

from typing import Any, Iterator

from .transport import Body, Transport, quote


class ReviewClient:
    """Answers that need a person, and what people decided."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, status: str | None = None, domain: str | None = None) -> Iterator[Body]:
        return self._transport.items("/v1/reviews", {"status": status, "domain": domain, "limit": 100})

    def get(self, id: str) -> Body:
        return self._transport.json("GET", f"/v1/reviews/{quote(id)}")

    def decide(
        self,
        id: str,
        action: str,
        *,
        company_number: str | None = None,
        reviewer: str | None = None,
        reason: str | None = None,
    ) -> Body:
        """`accept` a candidate, `reject` them all, or `reassign` the domain to any company of the register."""
        body = {"action": action, **_given(company_number=company_number, reviewer=reviewer, reason=reason)}
        return self._transport.json("POST", f"/v1/reviews/{quote(id)}/decision", body=body, repeatable=False)

    def withdraw(self, id: str) -> Body:
        """The service's own answer holds again."""
        return self._transport.json("DELETE", f"/v1/reviews/{quote(id)}/decision", repeatable=False)

    def dispute(
        self,
        resolution_id: str,
        *,
        company_number: str | None = None,
        reviewer: str | None = None,
        reason: str | None = None,
    ) -> Body:
        """Says that a match is wrong: it is not answered to you again, and its credit comes back."""
        path = f"/v1/resolutions/{quote(resolution_id)}/dispute"
        body = _given(company_number=company_number, reviewer=reviewer, reason=reason)
        return self._transport.json("POST", path, body=body, repeatable=False)


def _given(**members: Any) -> Body:
    return {name: value for name, value in members.items() if value is not None}
