from __future__ import annotations

from typing import Iterator, List

from .bodies import ComparedReadings, HistoryEntry, HistoryItem, NewShareLink, ShareLink
from .transport import Transport, quote


class HistoryClient:
    """The history: every answer that the account got, and links that show one to people without an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        domain: str | None = None,
        company: str | None = None,
        outcome: str | None = None,
        origin: str | None = None,
        from_date: str | None = None,
        to_date: str | None = None,
    ) -> Iterator[HistoryEntry]:
        """Yields the answers, newest first; a search by domain or company is sorted by what it searches.

        domain is the beginning of a domain; company that of a company's name or number. Dates are London days, included.
        """
        query = {
            "domain": domain,
            "company": company,
            "outcome": outcome,
            "origin": origin,
            "from": from_date,
            "to": to_date,
            "limit": 100,
        }
        return self._transport.items(HistoryEntry, "/v1/resolutions", query)

    def get(self, resolution_id: str) -> HistoryItem:
        """Returns one answer with the others about its domain."""
        return self._transport.json(HistoryItem, "GET", f"/v1/resolutions/{quote(resolution_id)}")

    def changes(self, resolution_id: str, *, since: str | None = None) -> ComparedReadings:
        """Returns what changed since an earlier answer about the domain; by default since the one before."""
        path = f"/v1/resolutions/{quote(resolution_id)}/changes"
        return self._transport.json(ComparedReadings, "GET", path, query={"since": since})

    def share(self, resolution_id: str, *, days: int | None = None) -> NewShareLink:
        """Makes a link to the evidence for people without an account. Its url is shown once."""
        path = f"/v1/resolutions/{quote(resolution_id)}/share-links"
        body = {} if days is None else {"days": days}
        return self._transport.json(NewShareLink, "POST", path, body=body, repeatable=False)

    def share_links(self, resolution_id: str) -> List[ShareLink]:
        path = f"/v1/resolutions/{quote(resolution_id)}/share-links"
        links: List[ShareLink] = self._transport.json(dict, "GET", path)["data"]
        return links

    def revoke_share_link(self, id: str) -> ShareLink:
        return self._transport.json(ShareLink, "DELETE", f"/v1/share-links/{quote(id)}")
