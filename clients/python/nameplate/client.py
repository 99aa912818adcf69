from __future__ import annotations

from typing import Iterator

from .bodies import (
    Account,
    CompanyFilings,
    CompanyGroup,
    CompanyProfile,
    CompanyResolution,
    DisqualificationCheck,
    Enrichment,
    EvidenceBundle,
    EvidencePack,
    FlatAnswer,
    LedgerEntry,
    OfficerAppointments,
    Resolution,
    SearchCandidate,
    Signal,
    UnwatchedCompany,
    Usage,
    WatchedCompany,
    WatchlistEntry,
)
from .bulk import BulkClient
from .destinations import DestinationClient
from .history import HistoryClient
from .resolve import OnProgress, ask_for_domain, find_website
from .reviews import ReviewClient
from .transport import Transport, new_idempotency_key, quote

_LIMIT = 100
# The service may take so long to fetch a document from the register.
_DOCUMENT_SECONDS = 120
_SEARCH_PAGES_MAX = 50


def _record_path(resolution_id: str) -> str:
    return f"/v1/resolutions/{quote(resolution_id)}/evidence/record"


class Nameplate:
    """Calls the public API with one key. Results are dictionaries with the types of `nameplate.bodies`."""

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
        self.history = HistoryClient(self._transport)
        self.reviews = ReviewClient(self._transport)

    def resolve(
        self,
        domain: str,
        *,
        wait_seconds: float = 60,
        max_age_days: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Resolution:
        """Returns the company behind a domain, with the proof. A match costs one credit; everything else is free.

        on_progress is called with the job about once a second. After wait_seconds without an answer, StillRunningError
        is raised.
        """
        return ask_for_domain(
            self._transport,
            Resolution,
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
    ) -> Enrichment:
        """Returns the same with the register's facts about the company, its profile and its newest signals."""
        return ask_for_domain(
            self._transport,
            Enrichment,
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
    ) -> FlatAnswer:
        """Returns one row for a table: the company behind a domain as a flat object, without the proof."""
        return ask_for_domain(
            self._transport,
            FlatAnswer,
            "/v1/partner/enrich-company",
            domain,
            wait_seconds=wait_seconds,
            max_age_days=max_age_days,
            on_progress=on_progress,
        )

    def find_website(
        self, company_number: str, *, wait_seconds: float = 60, refresh: bool | None = None
    ) -> CompanyResolution:
        """Returns a company and its own site, verified in both directions. A verified site costs one credit."""
        return find_website(self._transport, company_number, wait_seconds=wait_seconds, refresh=refresh)

    def evidence(self, resolution_id: str, *, why_not: str | None = None) -> EvidencePack:
        """Returns the evidence pack of an answer. With why_not it explains why the answer is not that company."""
        path = f"/v1/resolutions/{quote(resolution_id)}/evidence"
        return self._transport.json(EvidencePack, "GET", path, query={"company_number": why_not, "format": "json"})

    def evidence_record(self, resolution_id: str) -> EvidenceBundle:
        """Makes the sealed evidence record of an answer, or returns the one there is. Store the whole bundle."""
        return self._transport.json(EvidenceBundle, "POST", _record_path(resolution_id))

    def evidence_document(self, resolution_id: str) -> bytes:
        """Returns the evidence record of an answer as a signed document (PDF) for people."""
        path = _record_path(resolution_id)
        return self._transport.bytes("POST", path, accept="application/pdf", wait_seconds=_DOCUMENT_SECONDS)

    def company(self, company_number: str) -> CompanyProfile:
        """Returns everything the register has about a company."""
        return self._transport.json(CompanyProfile, "GET", f"/v1/companies/{quote(company_number)}")

    def company_group(
        self,
        company_number: str,
        *,
        limit: int | None = None,
        children_cursor: str | None = None,
        siblings_cursor: str | None = None,
    ) -> CompanyGroup:
        """Returns the owners of a company up to the top, and the companies that it and its parent own.

        Each list has at most limit companies (50 unless given); its next_cursor leads to the rest.
        """
        query = {"limit": limit, "children_cursor": children_cursor, "siblings_cursor": siblings_cursor}
        return self._transport.json(CompanyGroup, "GET", f"/v1/companies/{quote(company_number)}/group", query=query)

    def filings(
        self, company_number: str, *, category: str | None = None, cursor: str | None = None
    ) -> CompanyFilings:
        """Returns a page of all filings, or of one category, newest first; next_cursor leads to older ones."""
        query = {"category": category, "cursor": cursor}
        return self._transport.json(CompanyFilings, "GET", f"/v1/companies/{quote(company_number)}/filings", query=query)

    def filing_document(self, company_number: str, transaction_id: str) -> bytes:
        """Returns the document of a filing as a PDF. transaction_id is that of a filing in the company's profile."""
        path = f"/v1/companies/{quote(company_number)}/filings/{quote(transaction_id)}/document"
        return self._transport.bytes("GET", path, wait_seconds=_DOCUMENT_SECONDS)

    def officer(self, officer_id: str) -> OfficerAppointments:
        """Returns the appointments of an officer. One record may be several people: read identity_note."""
        return self._transport.json(OfficerAppointments, "GET", f"/v1/officers/{quote(officer_id)}")

    def check_disqualifications(self, officer_id: str) -> DisqualificationCheck:
        """Compares an officer with the register of disqualified directors, by name and month of birth."""
        path = f"/v1/officers/{quote(officer_id)}/disqualifications"
        return self._transport.json(DisqualificationCheck, "GET", path)

    def search_companies(
        self,
        *,
        name: str | None = None,
        postcode: str | None = None,
        company_status: str | None = None,
        accounts_type: str | None = None,
        incorporated_from: str | None = None,
        incorporated_to: str | None = None,
        age_from_years: int | None = None,
        age_to_years: int | None = None,
        sic_section: str | None = None,
        region: str | None = None,
        employees_from: int | None = None,
        employees_to: int | None = None,
        net_assets_from: int | None = None,
        net_assets_to: int | None = None,
    ) -> Iterator[SearchCandidate]:
        """Yields companies that fit every criterion, best first; without a name, by the alphabet.

        Dates are YYYY-MM-DD, amounts whole pounds. Figures are from the newest accounts that state them; a company
        without them never fits.
        """
        query = {
            "name": name,
            "postcode": postcode,
            "company_status": company_status,
            "accounts_type": accounts_type,
            "incorporated_from": incorporated_from,
            "incorporated_to": incorporated_to,
            "age_from_years": age_from_years,
            "age_to_years": age_to_years,
            "sic_section": sic_section,
            "region": region,
            "employees_from": employees_from,
            "employees_to": employees_to,
            "net_assets_from": net_assets_from,
            "net_assets_to": net_assets_to,
        }
        return self._transport.items(SearchCandidate, "/v1/companies/search", query, _SEARCH_PAGES_MAX)

    def signals(self, *, signal_type: str | None = None, company_number: str | None = None) -> Iterator[Signal]:
        """Yields the changes of the companies you watch, or of one company, newest first."""
        if company_number is None:
            yield from self._transport.items(Signal, "/v1/signals", {"signal_type": signal_type, "limit": _LIMIT})
            return
        path = f"/v1/companies/{quote(company_number)}/signals"
        for signal in self._transport.items(Signal, path, {"limit": _LIMIT}):
            if signal_type in (None, signal["signal_type"]):
                yield signal

    def watchlist(self) -> Iterator[WatchlistEntry]:
        return self._transport.items(WatchlistEntry, "/v1/watchlist", {"limit": _LIMIT})

    def watch(self, company_number: str) -> WatchedCompany:
        body, key = {"company_number": company_number}, new_idempotency_key()
        return self._transport.json(WatchedCompany, "POST", "/v1/watchlist", body=body, idempotency_key=key)

    def unwatch(self, company_number: str) -> UnwatchedCompany:
        return self._transport.json(UnwatchedCompany, "DELETE", f"/v1/watchlist/{quote(company_number)}")

    def account(self) -> Account:
        return self._transport.json(Account, "GET", "/v1/auth/me")

    def ledger(self) -> Iterator[LedgerEntry]:
        """Yields every movement of credits, newest first."""
        return self._transport.items(LedgerEntry, "/v1/account/ledger", {"limit": _LIMIT})

    def usage(self, *, from_date: str | None = None, to_date: str | None = None) -> Usage:
        """Returns answers and credits by day and outcome. Dates are YYYY-MM-DD."""
        query = {"from": from_date, "to": to_date}
        return self._transport.json(Usage, "GET", "/v1/account/usage", query=query)

    def raise_test_signal(self, *, signal_type: str | None = None, company_number: str | None = None) -> Signal:
        """Makes a signal on a test company, to try your receiver. Needs the test key."""
        members = {"signal_type": signal_type, "company_number": company_number}
        body = {name: value for name, value in members.items() if value is not None}
        key = new_idempotency_key()
        return self._transport.json(Signal, "POST", "/v1/test/signals", body=body, idempotency_key=key)
