from __future__ import annotations

from typing import Iterator

from .bulk import BulkClient
from .destinations import DestinationClient
from .resolve import OnProgress, ask_for_domain, find_website
from .reviews import ReviewClient
from .transport import Body, Transport, new_idempotency_key, quote

_LIMIT = 100
_SEARCH_PAGES_MAX = 50


class Nameplate:
    """The public API with one key. Bodies are dictionaries, named as the API documents them."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout_seconds: float = 30,
        retries_max: int = 3,
    ) -> None:
        """Without them, the key and the address are NAMEPLATE_API_KEY and NAMEPLATE_API_URL of the environment."""
        self._transport = Transport(
            api_key=api_key, base_url=base_url, timeout_seconds=timeout_seconds, retries_max=retries_max
        )
        self.bulk = BulkClient(self._transport)
        self.destinations = DestinationClient(self._transport)
        self.reviews = ReviewClient(self._transport)

    def resolve(
        self,
        domain: str,
        *,
        wait_seconds: float = 60,
        max_age_days: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Body:
        """The company behind a domain, with the proof. Costs a credit when it is matched, and nothing otherwise.

        on_progress is told how far the job is, about once a second. What is not known after wait_seconds is a
        StillRunningError.
        """
        return ask_for_domain(
            self._transport,
            "/v1/resolve/domain",
            domain,
            wait_seconds=wait_seconds,
            max_age_days=max_age_days,
            on_progress=on_progress,
        )

    def enrich(
        self,
        domain: str,
        *,
        wait_seconds: float = 60,
        max_age_days: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Body:
        """The same with everything the register says of the company: flat facts, the profile and its newest signals."""
        return ask_for_domain(
            self._transport,
            "/v1/enrich",
            domain,
            wait_seconds=wait_seconds,
            max_age_days=max_age_days,
            on_progress=on_progress,
        )

    def enrich_row(
        self,
        domain: str,
        *,
        wait_seconds: float = 60,
        max_age_days: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Body:
        """One row of a table: the company behind a domain in one flat object, without the proof."""
        return ask_for_domain(
            self._transport,
            "/v1/partner/enrich-company",
            domain,
            wait_seconds=wait_seconds,
            max_age_days=max_age_days,
            on_progress=on_progress,
        )

    def find_website(self, company_number: str, *, wait_seconds: float = 60, refresh: bool | None = None) -> Body:
        """A company and its own site, verified in both directions. Costs a credit when a site is verified."""
        return find_website(self._transport, company_number, wait_seconds=wait_seconds, refresh=refresh)

    def evidence(self, resolution_id: str, *, why_not: str | None = None) -> Body:
        """The evidence pack of an answer, to file. With why_not it says why the answer is not that company."""
        path = f"/v1/resolutions/{quote(resolution_id)}/evidence"
        return self._transport.json("GET", path, query={"company_number": why_not, "format": "json"})

    def company(self, company_number: str) -> Body:
        """Everything the register says about a company."""
        return self._transport.json("GET", f"/v1/companies/{quote(company_number)}")

    def search_companies(
        self,
        *,
        name: str | None = None,
        postcode: str | None = None,
        company_status: str | None = None,
        accounts_type: str | None = None,
        incorporated_from: str | None = None,
        incorporated_to: str | None = None,
    ) -> Iterator[Body]:
        """All that are given must hold. Best first; without a name, by the alphabet. Dates are YYYY-MM-DD."""
        query = {
            "name": name,
            "postcode": postcode,
            "company_status": company_status,
            "accounts_type": accounts_type,
            "incorporated_from": incorporated_from,
            "incorporated_to": incorporated_to,
        }
        return self._transport.items("/v1/companies/search", query, _SEARCH_PAGES_MAX)

    def signals(self, *, signal_type: str | None = None, company_number: str | None = None) -> Iterator[Body]:
        """What changed about the companies you watch, or about one company; the newest first."""
        if company_number is None:
            yield from self._transport.items("/v1/signals", {"signal_type": signal_type, "limit": _LIMIT})
            return
        for signal in self._transport.items(f"/v1/companies/{quote(company_number)}/signals", {"limit": _LIMIT}):
            if signal_type in (None, signal["signal_type"]):
                yield signal

    def watchlist(self) -> Iterator[Body]:
        return self._transport.items("/v1/watchlist", {"limit": _LIMIT})

    def watch(self, company_number: str) -> Body:
        body = {"company_number": company_number}
        return self._transport.json("POST", "/v1/watchlist", body=body, idempotency_key=new_idempotency_key())

    def unwatch(self, company_number: str) -> Body:
        return self._transport.json("DELETE", f"/v1/watchlist/{quote(company_number)}")

    def account(self) -> Body:
        return self._transport.json("GET", "/v1/auth/me")

    def ledger(self) -> Iterator[Body]:
        """Every movement of credits, the newest first."""
        return self._transport.items("/v1/account/ledger", {"limit": _LIMIT})

    def usage(self, *, from_date: str | None = None, to_date: str | None = None) -> Body:
        """Answers and credits by day and outcome. Dates are YYYY-MM-DD."""
        return self._transport.json("GET", "/v1/account/usage", query={"from": from_date, "to": to_date})

    def raise_test_signal(self, *, signal_type: str | None = None, company_number: str | None = None) -> Body:
        """Makes a signal on a test company, to try your receiver with. Needs the test key."""
        wish = {"signal_type": signal_type, "company_number": company_number}
        body = {name: value for name, value in wish.items() if value is not None}
        return self._transport.json("POST", "/v1/test/signals", body=body, idempotency_key=new_idempotency_key())
