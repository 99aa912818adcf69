"""The bodies of the public API. Written by `npm run openapi` from docs/openapi.json; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class AccountCredits(TypedDict):
    balance: int
    held: int
    available: int


class AccountSubscription(TypedDict):
    plan: Literal["free", "starter", "growth", "scale"]
    status: Literal["active"]
    renews_on: Optional[str]
    monthly_credits: int


class AccountWatchlist(TypedDict):
    used: int
    limit: int


class Account(TypedDict):
    account_id: str
    email: str
    email_verified: bool
    created_at: str
    credits: AccountCredits
    subscription: AccountSubscription
    watchlist: AccountWatchlist
    api_key: ApiKeyDescription
    test_api_key: ApiKeyDescription
    api_keys: List[LivingApiKey]


class AccountSettings(TypedDict):
    second_reader: bool
    second_reader_model: Optional[str]


class _AddedCompanyRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: Optional[str]
    watched_at: str
    latest_signal: Optional[Signal]
    watched: Literal[True]


class AddedCompany(_AddedCompanyRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class AlikeReviewsKinds(TypedDict):
    alike_by: Literal["company", "group", "doubt"]
    says: str
    count: int
    has_more: bool


class _AlikeReviewsDataRequired(TypedDict):
    id: str
    domain: str
    alike_by: Literal["company", "group", "doubt"]
    confidence: Optional[float]
    reason: str
    company_number: Optional[str]
    company_name: Optional[str]
    differences: List[Difference]


class AlikeReviewsData(_AlikeReviewsDataRequired, total=False):
    compared: List[Literal["name", "number", "postcode", "address"]]


class AlikeReviews(TypedDict):
    kinds: List[AlikeReviewsKinds]
    data: List[AlikeReviewsData]


class ApiKeyDescription(TypedDict):
    prefix: str
    last4: str
    created_at: str
    last_used_at: Optional[str]


class Appointment(TypedDict):
    company_number: Optional[str]
    company_name: Optional[str]
    company_status: Optional[str]
    company_status_text: Optional[str]
    role: Optional[str]
    role_text: Optional[str]
    appointed_on: Optional[str]
    appointed_before: Optional[str]
    resigned_on: Optional[str]


class AuditEntryActor(TypedDict):
    kind: Literal["person", "api_key", "program", "operator", "service", "unknown"]
    id: Optional[str]
    name: Optional[str]


class AuditEntryProof(TypedDict):
    previous_hash: str
    hash: str
    origin_hash: str
    origin_salt: Optional[str]
    content_hash: str
    content_salt: Optional[str]


class AuditEntry(TypedDict):
    sequence: int
    at: str
    act: str
    act_name: str
    outcome: Literal["success", "failure"]
    mode: Literal["live", "test"]
    actor: AuditEntryActor
    ip: Optional[str]
    user_agent: Optional[str]
    request_id: Optional[str]
    details: Dict[str, Optional[Union[str, float, bool]]]
    before: Optional[Dict[str, Optional[Union[str, float, bool]]]]
    after: Optional[Dict[str, Optional[Union[str, float, bool]]]]
    proof: AuditEntryProof


class _AuditEntryEventRequired(TypedDict):
    id: str
    created_at: str
    api_version: Literal["1.0.0"]
    sequence: int
    type: Literal["audit_entry"]
    signal_type: Literal["audit_entry"]
    data: AuditEntry


class AuditEntryEvent(_AuditEntryEventRequired, total=False):
    test: Literal[True]


class AuditLog(TypedDict):
    data: List[AuditEntry]
    has_more: bool
    next_cursor: Optional[str]


class BulkCounts(TypedDict):
    total: int
    waiting: int
    running: int
    matched: int
    needs_review: int
    no_match: int
    non_uk_entity: int
    scrape_failed: int
    failed: int
    invalid: int
    duplicate: int
    cancelled: int


class BulkSource(TypedDict):
    file_name: Optional[str]
    sheet: str
    columns: List[str]


class Bulk(TypedDict):
    id: str
    name: Optional[str]
    status: Literal["running", "paused", "completed", "cancelled"]
    paused_reason: Optional[str]
    counts: BulkCounts
    credits_spent: int
    credits_max: int
    created_at: str
    finished_at: Optional[str]
    eta_seconds: Optional[int]
    results_url: str
    source: Optional[BulkSource]


class BulkDecisionsRowsReplaced(TypedDict):
    action: Literal["accept", "reject", "reassign", "dispute"]
    company_number: Optional[str]
    reviewer: str
    reason: Optional[str]


class _BulkDecisionsRowsRequired(TypedDict):
    row: int
    ok: bool
    message: Optional[str]


class BulkDecisionsRows(_BulkDecisionsRowsRequired, total=False):
    changed: bool
    company_number: Optional[str]
    replaced: Optional[BulkDecisionsRowsReplaced]


class BulkDecisions(TypedDict):
    decided: int
    rows: List[BulkDecisionsRows]
    counts: Dict[str, int]


class BulkFileSheets(TypedDict):
    name: str
    rows: int
    columns: int
    hidden: bool


class BulkFileColumns(TypedDict):
    column: int
    name: str
    holds: Optional[Literal["domain", "email", "web_address", "company_name", "company_number", "postcode"]]
    sure: bool
    examples: List[str]


class BulkFileNotices(TypedDict):
    kind: str
    count: int
    message: str


class BulkFile(TypedDict):
    id: str
    name: Optional[str]
    format: Literal["csv", "xlsx"]
    bytes: int
    encoding: Optional[str]
    delimiter: Optional[str]
    sheets: List[BulkFileSheets]
    sheet: str
    header_rows: int
    rows: int
    columns: List[BulkFileColumns]
    first_rows: List[List[str]]
    notices: List[BulkFileNotices]
    asks: bool
    mapping_from: Literal["guess", "saved"]
    rows_max: int
    expires_at: str


class BulkPreflightExamplesInvalid(TypedDict):
    row: int
    input: str
    message: str


class BulkPreflightExamplesFreeMail(TypedDict):
    row: int
    input: str
    message: str


class BulkPreflightExamples(TypedDict):
    invalid: List[BulkPreflightExamplesInvalid]
    free_mail: List[BulkPreflightExamplesFreeMail]


class BulkPreflight(TypedDict):
    rows: int
    unique_domains: int
    numbers: int
    names: int
    duplicates: int
    invalid: int
    free_mail: int
    empty: int
    already_known: int
    already_paid: int
    credits_max: int
    credits_available: int
    enough_credits: bool
    examples: BulkPreflightExamples


class _BulkResultRequired(TypedDict):
    row: int
    input: str
    domain: Optional[str]
    status: Literal["waiting", "running", "completed", "failed", "invalid", "duplicate", "cancelled"]
    outcome: Optional[Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]]
    company_number: Optional[str]
    company_name: Optional[str]
    company_status: Optional[str]
    registered_postcode: Optional[str]
    confidence: Optional[float]
    reason: Optional[str]
    duplicate_of: Optional[int]
    resolution_id: Optional[str]
    evidence_url: Optional[str]
    charged: bool
    charge_reason: Optional[str]
    resolution_url: Optional[str]


class BulkResult(_BulkResultRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class BulkRowCompany(TypedDict):
    number: str
    name: Optional[str]
    status: Optional[str]
    status_text: Optional[str]
    postcode: Optional[str]


class BulkRowCandidates(TypedDict):
    company_number: str
    company_name: str
    company_status: Optional[str]
    company_status_text: Optional[str]
    registered_postcode: Optional[str]
    score: float
    why: str


class _BulkRowDecisionRequired(TypedDict):
    action: str
    by: str
    at: str


class BulkRowDecision(_BulkRowDecisionRequired, total=False):
    company_number: Optional[str]


class BulkRow(TypedDict):
    row: int
    kind: Literal["domain", "register"]
    input: str
    domain: Optional[str]
    own: List[str]
    state: Literal["waiting", "running", "matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed", "failed", "invalid", "duplicate", "cancelled"]
    duplicate_of: Optional[int]
    company: Optional[BulkRowCompany]
    confidence: Optional[float]
    reason: Optional[str]
    resolution_id: Optional[str]
    candidates: List[BulkRowCandidates]
    decision: Optional[BulkRowDecision]
    charged: bool
    charge_reason: Optional[str]


class BulkRows(TypedDict):
    data: List[BulkRow]
    total: int
    offset: int
    limit: int


class BulkWatchedData(TypedDict):
    company_number: str
    outcome: Literal["watched", "already_watched", "limit_reached", "not_found", "invalid"]


class BulkWatchedCounts(TypedDict):
    watched: int
    already_watched: int
    limit_reached: int
    not_found: int
    invalid: int


class BulkWatched(TypedDict):
    data: List[BulkWatchedData]
    counts: BulkWatchedCounts
    used: int
    limit: int


class Bulks(TypedDict):
    data: List[Bulk]
    page: int
    limit: int
    has_more: bool


class ChangedValue(TypedDict):
    name: Literal["outcome", "company_number", "company_name", "confidence", "status", "postcode"]
    before: Optional[Union[str, float]]
    after: Optional[Union[str, float]]


class ChargeParticulars(TypedDict):
    type: Optional[str]
    type_text: Optional[str]
    description: Optional[str]
    flags: List[str]
    flags_text: List[str]


class ChargeSecuredDetails(TypedDict):
    type: Optional[str]
    type_text: Optional[str]
    description: Optional[str]


class Charge(TypedDict):
    charge_code: Optional[str]
    status: Optional[str]
    status_text: Optional[str]
    created_on: Optional[str]
    delivered_on: Optional[str]
    satisfied_on: Optional[str]
    description: Optional[str]
    persons_entitled: List[str]
    particulars: Optional[ChargeParticulars]
    secured_details: Optional[ChargeSecuredDetails]
    assets_ceased_released: Optional[str]
    assets_ceased_released_text: Optional[str]


class ClosedListener(TypedDict):
    id: int
    deleted: Literal[True]


class CompanyFactsRecentResignations(TypedDict):
    name: Optional[str]
    role: Optional[str]
    role_text: Optional[str]
    resigned_on: str
    appointed_on: Optional[str]


class CompanyFacts(TypedDict):
    accounts_type: Optional[str]
    accounts_type_text: Optional[str]
    accounts_next_due: Optional[str]
    accounts_overdue: Optional[bool]
    accounts_days_until_due: Optional[int]
    confirmation_next_due: Optional[str]
    confirmation_overdue: Optional[bool]
    confirmation_days_until_due: Optional[int]
    has_insolvency_history: Optional[bool]
    current_insolvency_status: Optional[str]
    current_insolvency_status_text: Optional[str]
    has_active_charges: Optional[bool]
    last_charge_date: Optional[str]
    days_since_last_charge: Optional[int]
    recent_director_resignation: Optional[bool]
    last_director_change_date: Optional[str]
    days_since_last_director_change: Optional[int]
    recent_resignations: List[CompanyFactsRecentResignations]


class CompanyFigures(TypedDict):
    period_end: str
    employees: Optional[int]
    net_assets: Optional[int]
    current_assets: Optional[int]
    creditors: Optional[int]
    cash: Optional[int]
    turnover: Optional[int]
    is_dormant: Optional[bool]
    source_on: str


class CompanyFilings(TypedDict):
    data: List[Filing]
    total: int
    next_cursor: Optional[str]
    as_of: str


class CompanyGroup(TypedDict):
    company_number: str
    company_name: str
    as_of: Optional[str]
    owners: List[GroupOwner]
    ancestors: List[GroupOwner]
    top: Literal["people", "protected_person", "outside_register", "owner_dissolved", "several_parents", "no_majority", "majority_not_stated", "exempt", "stated", "no_owner_recorded", "circle", "too_deep", "not_known"]
    top_text: str
    top_statement_text: Optional[str]
    top_owners: List[GroupOwner]
    children: Optional[GroupCompanies]
    siblings: Optional[GroupCompanies]


class CompanyList(TypedDict):
    id: str
    name: str
    is_default: bool
    companies: int
    created_at: Optional[str]
    digest: Literal["off", "daily", "weekly"]
    instant_email: Literal["off", "info", "notice", "warning"]


class CompanyListsTags(TypedDict):
    tag: str
    companies: int


class CompanyLists(TypedDict):
    data: List[CompanyList]
    tags: List[CompanyListsTags]


class CompanyNote(TypedDict):
    company_number: str
    note: str
    tags: List[str]


class CompanyProfilePreviousNames(TypedDict):
    name: str
    ceased_on: Optional[str]


class CompanyProfileTotals(TypedDict):
    officers: Optional[int]
    charges: Optional[int]
    insolvency: Optional[int]
    pscs: Optional[int]
    filings: Optional[int]


class CompanyProfileAsOf(TypedDict):
    officers: Optional[str]
    charges: Optional[str]
    insolvency: Optional[str]
    pscs: Optional[str]
    filings: Optional[str]
    company: str


class CompanyProfileMissing(TypedDict):
    part: Literal["officers", "charges", "insolvency", "pscs", "filings"]
    reason: Literal["not_configured", "budget_spent", "register_unavailable", "register_refused"]
    retry_at: Optional[str]


class CompanyProfileProvenWebsites(TypedDict):
    domain: str
    resolution_id: str
    evidence_url: str
    proven_at: str
    paid_until: str


class _CompanyProfileRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: Optional[str]
    company_status_detail: Optional[str]
    company_type: str
    company_type_text: str
    incorporated_on: Optional[str]
    dissolved_on: Optional[str]
    registered_address: RegisteredAddress
    registered_postcode: Optional[str]
    country_of_origin: Optional[str]
    sic_codes: List[str]
    sic_codes_text: List[Optional[str]]
    previous_names: List[CompanyProfilePreviousNames]
    warnings: List[CompanyWarning]
    facts: CompanyFacts
    officers: Optional[List[Officer]]
    charges: Optional[List[Charge]]
    insolvency: Optional[Insolvency]
    pscs: Optional[List[PersonWithSignificantControl]]
    psc_statements: Optional[List[OwnerStatement]]
    filings: Optional[List[Filing]]
    filings_next_cursor: Optional[str]
    figures: List[CompanyFigures]
    figures_as_of: Optional[str]
    totals: CompanyProfileTotals
    as_of: CompanyProfileAsOf
    missing: List[CompanyProfileMissing]


class CompanyProfile(_CompanyProfileRequired, total=False):
    company_status_text: Optional[str]
    proven_websites: List[CompanyProfileProvenWebsites]


class CompanyResolution(TypedDict):
    company: CompanyProfile
    signals: List[Signal]
    website: Website


class CompanyResultRecentResignations(TypedDict):
    name: Optional[str]
    role: Optional[str]
    role_text: Optional[str]
    resigned_on: str
    appointed_on: Optional[str]


class _CompanyResultRequired(TypedDict):
    accounts_type: Optional[str]
    accounts_type_text: Optional[str]
    accounts_next_due: Optional[str]
    accounts_overdue: Optional[bool]
    accounts_days_until_due: Optional[int]
    confirmation_next_due: Optional[str]
    confirmation_overdue: Optional[bool]
    confirmation_days_until_due: Optional[int]
    has_insolvency_history: Optional[bool]
    current_insolvency_status: Optional[str]
    current_insolvency_status_text: Optional[str]
    has_active_charges: Optional[bool]
    last_charge_date: Optional[str]
    days_since_last_charge: Optional[int]
    recent_director_resignation: Optional[bool]
    last_director_change_date: Optional[str]
    days_since_last_director_change: Optional[int]
    recent_resignations: List[CompanyResultRecentResignations]
    match_status: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_name: Optional[str]
    company_number: Optional[str]
    company_status: Optional[str]
    registered_postcode: Optional[str]
    incorporated_on: Optional[str]
    match_confidence: Optional[float]
    review_candidates: List[ReviewCandidate]


class CompanyResult(_CompanyResultRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class CompanySignals(TypedDict):
    data: List[Signal]
    page: int
    limit: int
    has_more: bool
    next_cursor: Optional[str]


class CompanySummaryPreviousNames(TypedDict):
    name: str
    ceased_on: Optional[str]


class _CompanySummaryRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    company_type: str
    incorporated_on: Optional[str]
    dissolved_on: Optional[str]
    registered_postcode: Optional[str]
    sic_codes: List[str]
    previous_names: List[CompanySummaryPreviousNames]


class CompanySummary(_CompanySummaryRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]
    company_type_text: str
    sic_codes_text: List[Optional[str]]


class CompanyWarning(TypedDict):
    code: Literal["off_register", "insolvency", "strike_off_proposed", "false_statement", "owner_sanctioned", "default_office", "office_in_dispute", "office_undeliverable", "all_directors_identity_overdue", "director_identity_overdue", "psc_identity_overdue", "accounts_overdue", "confirmation_overdue", "dormant"]
    severity: Literal["high", "medium", "low"]
    text: str


class ComparedReadingsBefore(TypedDict):
    resolution_id: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_number: Optional[str]
    company_name: Optional[str]
    confidence: Optional[float]
    origin: Literal["console", "api", "program", "bulk"]
    answered_at: str
    refunded: bool
    decided_by: Optional[DecidedBy]
    resolution_url: str
    evidence_url: str
    read_at: str


class ComparedReadingsAfter(TypedDict):
    resolution_id: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_number: Optional[str]
    company_name: Optional[str]
    confidence: Optional[float]
    origin: Literal["console", "api", "program", "bulk"]
    answered_at: str
    refunded: bool
    decided_by: Optional[DecidedBy]
    resolution_url: str
    evidence_url: str
    read_at: str


class ComparedReadingsSiteQuotes(TypedDict):
    change: Literal["added", "gone", "changed"]
    url: str
    says: str
    before: Optional[str]
    after: Optional[str]


class ComparedReadingsSitePages(TypedDict):
    change: Literal["added", "gone", "changed"]
    url: str
    before_sha256: Optional[str]
    after_sha256: Optional[str]


class ComparedReadingsSite(TypedDict):
    quotes: List[ComparedReadingsSiteQuotes]
    pages: List[ComparedReadingsSitePages]
    unread: bool


class ComparedReadings(TypedDict):
    domain: str
    before: ComparedReadingsBefore
    after: ComparedReadingsAfter
    answer: List[ChangedValue]
    register: List[ChangedValue]
    site: ComparedReadingsSite


class Connection(TypedDict):
    id: str
    name: str
    client_id: str
    scope: str
    returns_to: str
    connected_at: str
    last_used_at: Optional[str]
    daily_credit_cap: int
    credits_today: int


class Connections(TypedDict):
    data: List[Connection]


class DecidedBy(TypedDict):
    action: Literal["accept", "reject", "reassign", "dispute"]
    company_number: Optional[str]
    reviewer: str
    reason: Optional[str]
    decided_at: str


class DecisionPrevious(TypedDict):
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_number: Optional[str]


class _DecisionRequired(TypedDict):
    id: str
    action: Literal["accept", "reject", "reassign", "dispute", "withdraw"]
    company_number: Optional[str]
    previous: DecisionPrevious
    reviewer: str
    reason: Optional[str]
    decided_at: str
    refunded: bool


class Decision(_DecisionRequired, total=False):
    refund_status: Optional[Literal["checking", "waiting", "refunded", "refused", "withdrawn"]]


class DeletedDestination(TypedDict):
    id: int
    deleted: Literal[True]


class DeletedList(TypedDict):
    id: str
    deleted: Literal[True]
    unwatched: int


class Difference(TypedDict):
    kind: Literal["name", "number", "postcode", "address", "status"]
    site: Optional[str]
    register: Optional[str]
    says: str


class _DisputeRequired(TypedDict):
    domain: str
    blocked_company_number: str
    refunded: bool
    credits_available: int
    decision: Decision


class Dispute(_DisputeRequired, total=False):
    refund_status: Optional[Literal["checking", "waiting", "refunded", "refused", "withdrawn"]]


class DisqualificationCheckDateOfBirth(TypedDict):
    month: Optional[int]
    year: int


class DisqualificationCheck(TypedDict):
    officer_id: str
    name: Optional[str]
    date_of_birth: Optional[DisqualificationCheckDateOfBirth]
    result: Literal["found", "possible", "none_found", "not_checked"]
    result_text: str
    not_checked_reason: Optional[Literal["no_birth_date", "no_readable_name", "no_birth_date_of_order", "not_a_person", "too_many_namesakes", "too_many_results", "unreadable_result", "not_configured", "budget_spent", "register_unavailable", "register_refused"]]
    retry_at: Optional[str]
    orders: List[DisqualificationOrder]
    as_of: Optional[str]


class DisqualificationOrder(TypedDict):
    name: str
    state: Literal["in_force", "expired", "not_begun"]
    disqualified_from: Optional[str]
    disqualified_until: Optional[str]
    type: Optional[str]
    type_text: Optional[str]
    reason: Optional[str]
    reason_text: Optional[str]
    act_text: Optional[str]
    company_names: List[str]
    court_name: Optional[str]
    has_permission_to_act: bool
    register_url: str


class EndedConnection(TypedDict):
    id: str
    ended: Literal[True]


class EndedKey(TypedDict):
    id: str
    mode: Literal["live", "test"]
    ended: Literal[True]
    replaced: bool


class Enrichment(TypedDict):
    status: Literal["completed"]
    input_domain: str
    domain: str
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]
    method: Literal["rules", "second_reader"]
    decided_by: Optional[DecidedBy]
    result: CompanyResult
    company: Optional[CompanyProfile]
    evidence: List[Evidence]
    explanation: Explanation
    second_reader: SecondReading
    signals: List[Signal]
    resolved_at: str
    as_of: str
    expires_at: str


class ErrorErrors(TypedDict):
    field: str
    message: str


class _ErrorCandidatesRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    registered_postcode: Optional[str]


class ErrorCandidates(_ErrorCandidatesRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class _ErrorRequired(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal["invalid_request", "invalid_token", "invalid_domain", "password_too_common", "missing_credentials", "invalid_credentials", "account_disabled", "email_not_verified", "insufficient_credits", "connection_cap_reached", "plan_limit_reached", "password_required", "foreign_form", "foreign_origin", "insufficient_scope", "not_found", "company_not_found", "method_not_allowed", "account_exists", "destination_exists", "listener_limit_reached", "destination_disabled", "bulk_limit_reached", "idempotency_key_in_use", "idempotency_response_lost", "payload_too_large", "unsupported_media_type", "idempotency_key_reused", "rate_limited", "internal_error", "unavailable", "busy"]
    request_id: str
    retryable: bool


class Error(_ErrorRequired, total=False):
    errors: List[ErrorErrors]
    limit: int
    candidates: List[ErrorCandidates]


class Evidence(TypedDict):
    kind: str
    supports: Optional[str]
    strength: Literal["decisive", "strong", "supporting", "against"]
    says: str
    quote: str
    url: str
    fetched_at: str
    content_sha256: str


class EvidenceBundleTimeStamp(TypedDict):
    state: Literal["stamped", "pending", "off"]
    token: Optional[str]


class EvidenceBundle(TypedDict):
    format: Literal["nameplate-evidence-bundle/1"]
    id: str
    record: str
    jws: str
    time_stamp: EvidenceBundleTimeStamp
    keys_url: str
    verify_url: str


class EvidenceKeysKeys(TypedDict):
    kid: str
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    alg: Literal["EdDSA"]
    use: Literal["sig"]
    active_from: str
    active_until: Optional[str]


class EvidenceKeys(TypedDict):
    issuer: str
    keys: List[EvidenceKeysKeys]
    time_stamp_authorities: List[str]
    document_certificates: List[str]


class EvidencePackCandidates(TypedDict):
    company_number: str
    company_name: str
    confidence: float
    reasons: List[str]


class EvidencePackConsidered(TypedDict):
    company_number: str
    company_name: str
    says: str
    quote: str
    url: str


class EvidencePackCrawlPages(TypedDict):
    url: str
    status: int
    fetched_at: str
    sha256: str


class EvidencePackCrawl(TypedDict):
    finding: str
    reason: str
    redirected_to: Optional[str]
    pages: List[EvidencePackCrawlPages]


class EvidencePackRegisterBefore(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    company_status_text: Optional[str]
    registered_postcode: Optional[str]
    record_changed_at: str


class EvidencePackRegisterNowPreviousNames(TypedDict):
    name: str
    ceased_on: Optional[str]


class _EvidencePackRegisterNowRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    company_type: str
    incorporated_on: Optional[str]
    dissolved_on: Optional[str]
    registered_postcode: Optional[str]
    sic_codes: List[str]
    previous_names: List[EvidencePackRegisterNowPreviousNames]
    record_changed_at: str


class EvidencePackRegisterNow(_EvidencePackRegisterNowRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]
    company_type_text: str
    sic_codes_text: List[Optional[str]]


class EvidencePackRegister(TypedDict):
    before: Optional[EvidencePackRegisterBefore]
    now: List[EvidencePackRegisterNow]


class EvidencePackWhyNot(TypedDict):
    company_number: str
    company_name: Optional[str]
    answer: str
    quote: Optional[str]
    url: Optional[str]
    reasons: List[str]


class EvidencePack(TypedDict):
    resolution_id: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    confidence: Optional[float]
    reason: str
    method: Literal["rules", "second_reader"]
    second_reader: SecondReading
    evidence: List[Evidence]
    explanation: Explanation
    candidates: List[EvidencePackCandidates]
    considered: List[EvidencePackConsidered]
    crawl: EvidencePackCrawl
    register: EvidencePackRegister
    why_not: Optional[EvidencePackWhyNot]
    decided_by: Optional[DecidedBy]
    model_version: str
    resolved_at: str
    expires_at: str
    read_at: str


class ExplanationChecklist(TypedDict):
    name: Literal["number", "name", "office", "own_name", "runs_site", "no_other_claimant"]
    met: bool
    says: str


class ExplanationFeatures(TypedDict):
    kind: Literal["evidence", "veto", "calibration"]
    name: str
    level: str
    says: str
    weight: float
    found: Optional[str]
    registered: Optional[str]


class ExplanationRunnerUp(TypedDict):
    company_number: str
    company_name: str
    total: float


class Explanation(TypedDict):
    checklist: List[ExplanationChecklist]
    prior: float
    features: List[ExplanationFeatures]
    total: float
    runner_up: Optional[ExplanationRunnerUp]
    margin: Optional[float]
    version: str


_FeedSignalChangesRequired = TypedDict(
    "_FeedSignalChangesRequired",
    {
        "field": "str",
        "from": "Optional[Union[str, bool, List[str]]]",
        "to": "Optional[Union[str, bool, List[str]]]",
    },
)


class FeedSignalChanges(_FeedSignalChangesRequired, total=False):
    field_text: str
    from_text: Optional[str]
    to_text: Optional[str]


class FeedSignalSource(TypedDict):
    kind: str
    reference: str


class FeedSignal(TypedDict):
    id: str
    signal_type: Literal["status_changed", "name_changed", "registered_office_changed", "sic_codes_changed", "accounts_filed", "accounts_overdue", "accounts_type_changed", "confirmation_filed", "confirmation_overdue", "director_appointed", "director_resigned", "charge_registered", "charge_satisfied", "insolvency_started", "insolvency_updated", "strike_off_proposed", "strike_off_discontinued", "psc_changed", "website_changed", "director_identity_overdue", "all_directors_overdue", "psc_identity_overdue", "default_office_applied", "registered_office_disputed", "registered_office_undeliverable", "false_statement_strike_off", "psc_statement_made", "psc_statement_withdrawn", "majority_owner_added", "owner_sanctioned", "owner_protected", "owner_country_changed", "parent_dissolved", "default_service_address_applied", "default_office_upheld", "psc_statement_unresolved"]
    company_number: str
    company_name: str
    severity: Literal["info", "notice", "warning"]
    summary: str
    occurred_on: str
    detected_at: str
    changes: List[FeedSignalChanges]
    source: FeedSignalSource
    is_read: bool


class FetchedEventsData(TypedDict):
    event_id: str
    signal_type: str
    body: str
    attempt: int


class FetchedEvents(TypedDict):
    data: List[FetchedEventsData]


class Filing(TypedDict):
    transaction_id: Optional[str]
    type: Optional[str]
    category: Optional[str]
    category_text: Optional[str]
    subcategories: List[str]
    description: Optional[str]
    description_text: str
    details_text: List[str]
    date: Optional[str]
    action_date: Optional[str]
    document_url: Optional[str]


class FlatAnswer(TypedDict):
    status: Literal["completed"]
    input_domain: str
    domain: str
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]
    method: Literal["rules", "second_reader"]
    decided_by: Optional[DecidedBy]
    result: CompanyResult


class FreshSession(TypedDict):
    message: str
    token: str
    token_type: Literal["Bearer"]
    expires_at: str


class GroupCompanies(TypedDict):
    data: List[GroupCompany]
    total: int
    next_cursor: Optional[str]


class _GroupCompanyRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    company_status_text: Optional[str]
    control: Optional[Literal["parent", "more_than_quarter", "holder", "through_others"]]
    control_text: Optional[str]
    notified_on: Optional[str]


class GroupCompany(_GroupCompanyRequired, total=False):
    company_status_detail: Optional[str]


class _GroupOwnerRequired(TypedDict):
    kind: Literal["company", "organisation", "person", "protected_person"]
    name: Optional[str]
    company_number: Optional[str]
    company_status: Optional[str]
    company_status_text: Optional[str]
    country_registered: Optional[str]
    registration_number: Optional[str]
    control: Optional[Literal["parent", "more_than_quarter", "holder", "through_others"]]
    control_text: Optional[str]
    majority_claimed_twice: bool
    notified_on: Optional[str]


class GroupOwner(_GroupOwnerRequired, total=False):
    company_status_detail: Optional[str]


class HealthChecks(TypedDict):
    database: Literal["ok", "failed"]
    migrations: Literal["ok", "failed"]
    queue: Literal["ok", "failed"]


class Health(TypedDict):
    status: Literal["healthy", "degraded"]
    checks: HealthChecks
    version: str


class History(TypedDict):
    data: List[HistoryEntry]
    has_more: bool
    next_cursor: Optional[str]


class HistoryEntry(TypedDict):
    resolution_id: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_number: Optional[str]
    company_name: Optional[str]
    confidence: Optional[float]
    origin: Literal["console", "api", "program", "bulk"]
    answered_at: str
    refunded: bool
    decided_by: Optional[DecidedBy]
    resolution_url: str
    evidence_url: str


class HistoryItem(TypedDict):
    resolution_id: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_number: Optional[str]
    company_name: Optional[str]
    confidence: Optional[float]
    origin: Literal["console", "api", "program", "bulk"]
    answered_at: str
    refunded: bool
    decided_by: Optional[DecidedBy]
    resolution_url: str
    evidence_url: str
    readings: List[HistoryEntry]
    records: List[SealedRecord]


class ImportedCompaniesCounts(TypedDict):
    watched: int
    already_watched: int
    limit_reached: int
    not_found: int
    invalid: int


class ImportedCompaniesProblems(TypedDict):
    row: int
    company_number: str
    outcome: Literal["watched", "already_watched", "limit_reached", "not_found", "invalid"]


class ImportedCompanies(TypedDict):
    rows: int
    counts: ImportedCompaniesCounts
    problems: List[ImportedCompaniesProblems]
    used: int
    limit: int


class InsolvencyCasesDates(TypedDict):
    type: str
    type_text: Optional[str]
    date: str


class InsolvencyCasesPractitioners(TypedDict):
    name: str
    role: Optional[str]
    role_text: Optional[str]
    appointed_on: Optional[str]
    ceased_to_act_on: Optional[str]


class InsolvencyCases(TypedDict):
    type: Optional[str]
    type_text: Optional[str]
    number: Optional[str]
    dates: List[InsolvencyCasesDates]
    practitioners: List[InsolvencyCasesPractitioners]


class Insolvency(TypedDict):
    status: List[str]
    status_text: List[str]
    cases: List[InsolvencyCases]


class JobProgressPages(TypedDict):
    url: str
    status: int


class JobProgress(TypedDict):
    step: Literal["queued", "reading", "deciding"]
    pages: List[JobProgressPages]
    started_at: Optional[str]


class Ledger(TypedDict):
    data: List[LedgerEntry]
    page: int
    limit: int
    has_more: bool
    next_cursor: Optional[str]


class LedgerEntry(TypedDict):
    id: int
    kind: Literal["grant", "hold", "capture", "release", "refund"]
    amount: int
    reason: str
    reference: str
    subject: Optional[str]
    balance_after: int
    held_after: int
    created_at: str
    resolution_id: Optional[str]
    resolution_url: Optional[str]


class ListCalendar(TypedDict):
    calendar_made_at: Optional[str]


class ListEntries(TypedDict):
    data: List[ListEntry]
    page: int
    limit: int
    has_more: bool
    next_cursor: Optional[str]


class _ListEntryRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: Optional[str]
    watched_at: str
    latest_signal: Optional[Signal]
    note: str
    tags: List[str]
    lists: List[str]


class ListEntry(_ListEntryRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class LivingApiKey(TypedDict):
    id: str
    mode: Literal["live", "test"]
    prefix: str
    last4: str
    created_at: str
    last_used_at: Optional[str]
    ends_at: Optional[str]


class _LoginRequired(TypedDict):
    token: str
    token_type: Literal["Bearer"]
    expires_at: str
    api_key: Optional[str]
    test_api_key: Optional[str]
    account: Account


class Login(_LoginRequired, total=False):
    notice: str


class MarkedSignals(TypedDict):
    unread: int
    read_through: Optional[str]
    previous_read_through: Optional[str]


class Message(TypedDict):
    message: str


class NewListCalendar(TypedDict):
    calendar_url: str
    calendar_made_at: str


class NewShareLink(TypedDict):
    id: str
    resolution_id: str
    made_at: str
    expires_at: str
    revoked_at: Optional[str]
    open: bool
    url: str


class Notifications(TypedDict):
    daily_digest: bool
    email: str


class OfficerDateOfBirth(TypedDict):
    month: Optional[int]
    year: int


class OfficerIdentity(TypedDict):
    state: Literal["verified", "due", "overdue", "ended"]
    due_on: Optional[str]
    verified_on: Optional[str]


class Officer(TypedDict):
    officer_id: Optional[str]
    name: Optional[str]
    role: Optional[str]
    role_text: Optional[str]
    appointed_on: Optional[str]
    resigned_on: Optional[str]
    nationality: Optional[str]
    occupation: Optional[str]
    country_of_residence: Optional[str]
    date_of_birth: Optional[OfficerDateOfBirth]
    identity: Optional[OfficerIdentity]


class OfficerAppointmentsDateOfBirth(TypedDict):
    month: Optional[int]
    year: int


class OfficerAppointmentsMissing(TypedDict):
    part: Literal["appointments"]
    reason: Literal["not_configured", "budget_spent", "register_unavailable", "register_refused"]
    retry_at: Optional[str]


class OfficerAppointments(TypedDict):
    officer_id: str
    name: Optional[str]
    date_of_birth: Optional[OfficerAppointmentsDateOfBirth]
    is_company: bool
    identity_note: str
    appointments: Optional[List[Appointment]]
    appointments_total: Optional[int]
    register_url: str
    as_of: Optional[str]
    missing: List[OfficerAppointmentsMissing]


class OwnerStatement(TypedDict):
    statement: str
    statement_text: Optional[str]
    notified_on: Optional[str]
    ceased_on: Optional[str]


class PasswordReset(TypedDict):
    message: str
    api_keys_revoked: bool


class PendingJob(TypedDict):
    status: Literal["pending", "processing", "failed"]
    input_domain: str
    domain: str
    job_id: str
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]
    status_url: str
    error_message: Optional[str]
    progress: Optional[JobProgress]


class _PersonWithSignificantControlOwnerCompanyRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    company_status_text: Optional[str]


class PersonWithSignificantControlOwnerCompany(_PersonWithSignificantControlOwnerCompanyRequired, total=False):
    company_status_detail: Optional[str]


class PersonWithSignificantControlIdentity(TypedDict):
    state: Literal["verified", "due", "overdue", "ended"]
    due_on: Optional[str]
    verified_on: Optional[str]


class PersonWithSignificantControl(TypedDict):
    kind: Optional[str]
    kind_text: Optional[str]
    name: Optional[str]
    notified_on: Optional[str]
    ceased_on: Optional[str]
    is_ceased: bool
    natures_of_control: List[str]
    natures_of_control_text: List[str]
    is_sanctioned: bool
    nationality: Optional[str]
    country_of_residence: Optional[str]
    registration_number: Optional[str]
    country_registered: Optional[str]
    control: Optional[Literal["parent", "more_than_quarter", "holder", "through_others"]]
    control_text: Optional[str]
    owner_company: Optional[PersonWithSignificantControlOwnerCompany]
    identity: Optional[PersonWithSignificantControlIdentity]


class ReadState(TypedDict):
    unread: int
    read_through: Optional[str]


class RegisteredAddress(TypedDict):
    care_of: Optional[str]
    po_box: Optional[str]
    line_1: Optional[str]
    line_2: Optional[str]
    town: Optional[str]
    county: Optional[str]
    country: Optional[str]
    postcode: Optional[str]


class _RegisteredDestinationRequired(TypedDict):
    id: int
    kind: Literal["webhook", "slack", "teams"]
    webhook_url: str
    signal_type: Literal["status_changed", "name_changed", "registered_office_changed", "sic_codes_changed", "accounts_filed", "accounts_overdue", "accounts_type_changed", "confirmation_filed", "confirmation_overdue", "director_appointed", "director_resigned", "charge_registered", "charge_satisfied", "insolvency_started", "insolvency_updated", "strike_off_proposed", "strike_off_discontinued", "psc_changed", "website_changed", "director_identity_overdue", "all_directors_overdue", "psc_identity_overdue", "default_office_applied", "registered_office_disputed", "registered_office_undeliverable", "false_statement_strike_off", "psc_statement_made", "psc_statement_withdrawn", "majority_owner_added", "owner_sanctioned", "owner_protected", "owner_country_changed", "parent_dissolved", "default_service_address_applied", "default_office_upheld", "psc_statement_unresolved", "all", "resolution_completed", "audit_entry"]
    list: Optional[str]
    severity_min: Optional[Literal["info", "notice", "warning"]]
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]
    created_at: str
    last_success_at: Optional[str]
    last_failure_at: Optional[str]
    consecutive_failures: int
    pending: int
    waits_until: Optional[str]
    waits_because: Optional[Literal["unproven", "failing", "busy"]]
    secret: Optional[str]


class RegisteredDestination(_RegisteredDestinationRequired, total=False):
    note: str


class RemovedCompany(TypedDict):
    company_number: str
    was_on_list: bool
    watched: bool
    note: str
    tags: List[str]


class ReplacedWatchlist(TypedDict):
    added: List[str]
    removed: List[str]
    kept: int
    not_found: List[str]
    invalid: List[str]
    used: int
    limit: int


class Replay(TypedDict):
    queued: int
    has_more: bool
    next_cursor: Optional[str]


class ResolutionActions(TypedDict):
    action: str
    says: str
    url: str


class Resolution(TypedDict):
    status: Literal["completed"]
    resolution_id: str
    input_domain: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    confidence: Optional[float]
    reason: str
    method: Literal["rules", "second_reader"]
    second_reader: SecondReading
    company: Optional[CompanySummary]
    evidence: List[Evidence]
    explanation: Explanation
    candidates: List[ReviewCandidate]
    group_notes: List[str]
    actions: List[ResolutionActions]
    resolved_at: str
    expires_at: str
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]
    decided_by: Optional[DecidedBy]


class _ResolutionCompletedEventDataRequired(TypedDict):
    job_id: str
    status: Literal["completed", "failed"]
    input: str
    domain: Optional[str]
    resolution_id: Optional[str]
    resolution_url: Optional[str]
    outcome: Optional[str]
    confidence: Optional[float]
    company_number: Optional[str]
    company_name: Optional[str]
    company_status: Optional[str]
    charged: bool
    charge_reason: str
    error_message: Optional[str]
    finished_at: str
    status_url: str


class ResolutionCompletedEventData(_ResolutionCompletedEventDataRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class _ResolutionCompletedEventRequired(TypedDict):
    id: str
    created_at: str
    api_version: Literal["1.0.0"]
    sequence: int
    type: Literal["resolution_completed"]
    signal_type: Literal["resolution_completed"]
    data: ResolutionCompletedEventData


class ResolutionCompletedEvent(_ResolutionCompletedEventRequired, total=False):
    test: Literal[True]


class ResolutionJobAnswerActions(TypedDict):
    action: str
    says: str
    url: str


class ResolutionJobAnswerResultRecentResignations(TypedDict):
    name: Optional[str]
    role: Optional[str]
    role_text: Optional[str]
    resigned_on: str
    appointed_on: Optional[str]


class ResolutionJobAnswerResultActions(TypedDict):
    action: str
    says: str
    url: str


class _ResolutionJobAnswerResultRequired(TypedDict):
    accounts_type: Optional[str]
    accounts_type_text: Optional[str]
    accounts_next_due: Optional[str]
    accounts_overdue: Optional[bool]
    accounts_days_until_due: Optional[int]
    confirmation_next_due: Optional[str]
    confirmation_overdue: Optional[bool]
    confirmation_days_until_due: Optional[int]
    has_insolvency_history: Optional[bool]
    current_insolvency_status: Optional[str]
    current_insolvency_status_text: Optional[str]
    has_active_charges: Optional[bool]
    last_charge_date: Optional[str]
    days_since_last_charge: Optional[int]
    recent_director_resignation: Optional[bool]
    last_director_change_date: Optional[str]
    days_since_last_director_change: Optional[int]
    recent_resignations: List[ResolutionJobAnswerResultRecentResignations]
    match_status: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_name: Optional[str]
    company_number: Optional[str]
    company_status: Optional[str]
    registered_postcode: Optional[str]
    incorporated_on: Optional[str]
    match_confidence: Optional[float]
    review_candidates: List[ReviewCandidate]
    status: Literal["completed"]
    resolution_id: str
    input_domain: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    confidence: Optional[float]
    reason: str
    method: Literal["rules", "second_reader"]
    second_reader: SecondReading
    company: Optional[CompanySummary]
    evidence: List[Evidence]
    explanation: Explanation
    candidates: List[ReviewCandidate]
    group_notes: List[str]
    actions: List[ResolutionJobAnswerResultActions]
    resolved_at: str
    expires_at: str
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]
    decided_by: Optional[DecidedBy]


class ResolutionJobAnswerResult(_ResolutionJobAnswerResultRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class ResolutionJobAnswer(TypedDict):
    status: Literal["completed"]
    resolution_id: str
    input_domain: str
    domain: str
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    confidence: Optional[float]
    reason: str
    method: Literal["rules", "second_reader"]
    second_reader: SecondReading
    company: Optional[CompanySummary]
    evidence: List[Evidence]
    explanation: Explanation
    candidates: List[ReviewCandidate]
    group_notes: List[str]
    actions: List[ResolutionJobAnswerActions]
    resolved_at: str
    expires_at: str
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]
    decided_by: Optional[DecidedBy]
    result: ResolutionJobAnswerResult


class Review(TypedDict):
    id: str
    domain: str
    status: Literal["open", "decided", "closed"]
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    confidence: Optional[float]
    reason: str
    doubt: Optional[Literal["several", "dissolved", "franchise", "commentary", "contradiction", "rival", "contested", "objected", "untied", "named", "namesake"]]
    doubt_text: Optional[str]
    candidates: List[ReviewCandidate]
    resolution_id: str
    evidence_url: str
    created_at: str
    updated_at: str
    decision: Optional[Decision]


class _ReviewCandidateRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    registered_postcode: Optional[str]
    confidence: float
    reasons: List[str]
    reasons_against: List[str]


class ReviewCandidate(_ReviewCandidateRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class ReviewDetailRecordsPreviousNames(TypedDict):
    name: str
    ceased_on: Optional[str]


class _ReviewDetailRecordsRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    company_type: str
    incorporated_on: Optional[str]
    dissolved_on: Optional[str]
    registered_postcode: Optional[str]
    sic_codes: List[str]
    previous_names: List[ReviewDetailRecordsPreviousNames]
    registered_office: Optional[str]
    differences: List[Difference]


class ReviewDetailRecords(_ReviewDetailRecordsRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]
    company_type_text: str
    sic_codes_text: List[Optional[str]]
    compared: List[Literal["name", "number", "postcode", "address"]]


class ReviewDetail(TypedDict):
    id: str
    domain: str
    status: Literal["open", "decided", "closed"]
    outcome: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    confidence: Optional[float]
    reason: str
    doubt: Optional[Literal["several", "dissolved", "franchise", "commentary", "contradiction", "rival", "contested", "objected", "untied", "named", "namesake"]]
    doubt_text: Optional[str]
    candidates: List[ReviewCandidate]
    resolution_id: str
    evidence_url: str
    created_at: str
    updated_at: str
    decision: Optional[Decision]
    evidence: List[Evidence]
    explanation: Explanation
    method: Literal["rules", "second_reader"]
    second_reader: SecondReading
    group_notes: List[str]
    records: List[ReviewDetailRecords]
    history: List[Decision]


class ReviewsCounts(TypedDict):
    open: int
    decided_today: int
    total: int


class Reviews(TypedDict):
    data: List[Review]
    page: int
    limit: int
    has_more: bool
    next_cursor: Optional[str]
    counts: ReviewsCounts


class ReviewsDoneDataReplaced(TypedDict):
    action: Literal["accept", "reject", "reassign", "dispute"]
    company_number: Optional[str]
    reviewer: str
    reason: Optional[str]


class ReviewsDoneDataProblem(TypedDict):
    code: str
    title: str
    detail: str


class _ReviewsDoneDataRequired(TypedDict):
    id: str
    result: Literal["done", "unchanged", "refused"]
    company_number: Optional[str]
    problem: Optional[ReviewsDoneDataProblem]


class ReviewsDoneData(_ReviewsDoneDataRequired, total=False):
    replaced: Optional[ReviewsDoneDataReplaced]
    decided_since: bool


class ReviewsDone(TypedDict):
    done: int
    data: List[ReviewsDoneData]


class _RotatedKeyRequired(TypedDict):
    api_key: Optional[str]
    mode: Literal["live", "test"]
    previous_key_valid_until: str


class RotatedKey(_RotatedKeyRequired, total=False):
    note: str


class _RotatedSecretRequired(TypedDict):
    id: int
    kind: Literal["webhook", "slack", "teams"]
    webhook_url: str
    signal_type: Literal["status_changed", "name_changed", "registered_office_changed", "sic_codes_changed", "accounts_filed", "accounts_overdue", "accounts_type_changed", "confirmation_filed", "confirmation_overdue", "director_appointed", "director_resigned", "charge_registered", "charge_satisfied", "insolvency_started", "insolvency_updated", "strike_off_proposed", "strike_off_discontinued", "psc_changed", "website_changed", "director_identity_overdue", "all_directors_overdue", "psc_identity_overdue", "default_office_applied", "registered_office_disputed", "registered_office_undeliverable", "false_statement_strike_off", "psc_statement_made", "psc_statement_withdrawn", "majority_owner_added", "owner_sanctioned", "owner_protected", "owner_country_changed", "parent_dissolved", "default_service_address_applied", "default_office_upheld", "psc_statement_unresolved", "all", "resolution_completed", "audit_entry"]
    list: Optional[str]
    severity_min: Optional[Literal["info", "notice", "warning"]]
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]
    created_at: str
    last_success_at: Optional[str]
    last_failure_at: Optional[str]
    consecutive_failures: int
    pending: int
    waits_until: Optional[str]
    waits_because: Optional[Literal["unproven", "failing", "busy"]]
    secret: Optional[str]
    previous_secret_valid_until: str


class RotatedSecret(_RotatedSecretRequired, total=False):
    note: str


class _RpcAnswerRequired(TypedDict):
    jsonrpc: Literal["2.0"]


class RpcAnswer(_RpcAnswerRequired, total=False):
    id: Optional[Union[str, float]]


class RpcMessageInput(TypedDict):
    pass


class RpcRefusalErrorData(TypedDict):
    code: str
    type: str
    request_id: str
    retryable: bool


class RpcRefusalError(TypedDict):
    code: int
    message: str
    data: RpcRefusalErrorData


class RpcRefusal(TypedDict):
    jsonrpc: Literal["2.0"]
    id: None
    error: RpcRefusalError


class SavedView(TypedDict):
    name: str
    path: str
    query: str
    id: str
    saved_at: str


class SavedViews(TypedDict):
    data: List[SavedView]


class SealedRecord(TypedDict):
    id: str
    made_at: str
    url: str
    verify_url: str


class SearchCandidatePreviousNames(TypedDict):
    name: str
    ceased_on: Optional[str]


class _SearchCandidateRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: str
    company_type: str
    incorporated_on: Optional[str]
    dissolved_on: Optional[str]
    registered_address: Optional[str]
    registered_postcode: Optional[str]
    accounts_type: Optional[str]
    sic_codes: List[str]
    previous_names: List[SearchCandidatePreviousNames]
    region: Optional[str]
    employees: Optional[int]
    net_assets: Optional[int]
    score: float
    matched_on: Literal["company_number", "name", "previous_name", "postcode", "accounts_type", "company_status", "incorporated_on", "sic_section", "region", "employees", "net_assets"]


class SearchCandidate(_SearchCandidateRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]
    company_type_text: str
    sic_codes_text: List[Optional[str]]


class _SearchPageRequired(TypedDict):
    data: List[SearchCandidate]
    page: int
    limit: int
    has_more: bool


class SearchPage(_SearchPageRequired, total=False):
    figures_as_of: Optional[str]


class SecondReadingBody(TypedDict):
    task: Literal["find", "check"]
    decision: Literal["match", "confirm", "object"]
    reason: str
    quote: Optional[str]
    url: Optional[str]
    model: str
    prompt_version: str


class ShareLink(TypedDict):
    id: str
    resolution_id: str
    made_at: str
    expires_at: str
    revoked_at: Optional[str]
    open: bool


class ShownKey(TypedDict):
    api_key: Optional[str]
    mode: Literal["live", "test"]


_SignalChangesRequired = TypedDict(
    "_SignalChangesRequired",
    {
        "field": "str",
        "from": "Optional[Union[str, bool, List[str]]]",
        "to": "Optional[Union[str, bool, List[str]]]",
    },
)


class SignalChanges(_SignalChangesRequired, total=False):
    field_text: str
    from_text: Optional[str]
    to_text: Optional[str]


class SignalSource(TypedDict):
    kind: str
    reference: str


class Signal(TypedDict):
    id: str
    signal_type: Literal["status_changed", "name_changed", "registered_office_changed", "sic_codes_changed", "accounts_filed", "accounts_overdue", "accounts_type_changed", "confirmation_filed", "confirmation_overdue", "director_appointed", "director_resigned", "charge_registered", "charge_satisfied", "insolvency_started", "insolvency_updated", "strike_off_proposed", "strike_off_discontinued", "psc_changed", "website_changed", "director_identity_overdue", "all_directors_overdue", "psc_identity_overdue", "default_office_applied", "registered_office_disputed", "registered_office_undeliverable", "false_statement_strike_off", "psc_statement_made", "psc_statement_withdrawn", "majority_owner_added", "owner_sanctioned", "owner_protected", "owner_country_changed", "parent_dissolved", "default_service_address_applied", "default_office_upheld", "psc_statement_unresolved"]
    company_number: str
    company_name: str
    severity: Literal["info", "notice", "warning"]
    summary: str
    occurred_on: str
    detected_at: str
    changes: List[SignalChanges]
    source: SignalSource


_SignalEventDataChangesRequired = TypedDict(
    "_SignalEventDataChangesRequired",
    {
        "field": "str",
        "from": "Optional[Union[str, bool, List[str]]]",
        "to": "Optional[Union[str, bool, List[str]]]",
    },
)


class SignalEventDataChanges(_SignalEventDataChangesRequired, total=False):
    field_text: str
    from_text: Optional[str]
    to_text: Optional[str]


class SignalEventDataSource(TypedDict):
    kind: str
    reference: str


class _SignalEventDataRequired(TypedDict):
    id: str
    signal_type: Literal["status_changed", "name_changed", "registered_office_changed", "sic_codes_changed", "accounts_filed", "accounts_overdue", "accounts_type_changed", "confirmation_filed", "confirmation_overdue", "director_appointed", "director_resigned", "charge_registered", "charge_satisfied", "insolvency_started", "insolvency_updated", "strike_off_proposed", "strike_off_discontinued", "psc_changed", "website_changed", "director_identity_overdue", "all_directors_overdue", "psc_identity_overdue", "default_office_applied", "registered_office_disputed", "registered_office_undeliverable", "false_statement_strike_off", "psc_statement_made", "psc_statement_withdrawn", "majority_owner_added", "owner_sanctioned", "owner_protected", "owner_country_changed", "parent_dissolved", "default_service_address_applied", "default_office_upheld", "psc_statement_unresolved"]
    company_number: str
    company_name: str
    severity: Literal["info", "notice", "warning"]
    summary: str
    occurred_on: str
    detected_at: str
    changes: List[SignalEventDataChanges]
    source: SignalEventDataSource


class SignalEventData(_SignalEventDataRequired, total=False):
    changes_left_out: Literal[True]


class _SignalEventRequired(TypedDict):
    id: str
    created_at: str
    api_version: Literal["1.0.0"]
    sequence: int
    type: Literal["signal"]
    signal_type: Literal["status_changed", "name_changed", "registered_office_changed", "sic_codes_changed", "accounts_filed", "accounts_overdue", "accounts_type_changed", "confirmation_filed", "confirmation_overdue", "director_appointed", "director_resigned", "charge_registered", "charge_satisfied", "insolvency_started", "insolvency_updated", "strike_off_proposed", "strike_off_discontinued", "psc_changed", "website_changed", "director_identity_overdue", "all_directors_overdue", "psc_identity_overdue", "default_office_applied", "registered_office_disputed", "registered_office_undeliverable", "false_statement_strike_off", "psc_statement_made", "psc_statement_withdrawn", "majority_owner_added", "owner_sanctioned", "owner_protected", "owner_country_changed", "parent_dissolved", "default_service_address_applied", "default_office_upheld", "psc_statement_unresolved"]
    data: SignalEventData


class SignalEvent(_SignalEventRequired, total=False):
    test: Literal[True]


class SignalFeed(TypedDict):
    data: List[FeedSignal]
    page: int
    limit: int
    has_more: bool
    next_cursor: Optional[str]


class StatusRegisterSnapshot(TypedDict):
    as_of: Optional[str]
    finished_at: str
    companies: int


class StatusRegisterRestBudget(TypedDict):
    limit: int
    left: int
    window_seconds: int


class StatusRegister(TypedDict):
    streams: List[StreamStatus]
    snapshot: Optional[StatusRegisterSnapshot]
    rest_budget: StatusRegisterRestBudget


class StatusWebhooks(TypedDict):
    due: int
    waiting: int
    disabled_destinations: int


class StatusJobs(TypedDict):
    ready: int
    active: int
    dead: int


class Status(TypedDict):
    register: StatusRegister
    webhooks: StatusWebhooks
    jobs: StatusJobs


class StreamStatus(TypedDict):
    stream: str
    lag_seconds: Optional[int]
    last_event_at: Optional[str]
    gap_since: Optional[str]
    followed: bool


class TestEventData(TypedDict):
    message: str


class _TestEventRequired(TypedDict):
    id: str
    created_at: str
    api_version: Literal["1.0.0"]
    sequence: int
    type: Literal["test"]
    signal_type: Literal["test"]
    data: TestEventData


class TestEvent(_TestEventRequired, total=False):
    test: Literal[True]


class UnwatchedCompany(TypedDict):
    company_number: str
    watched: Literal[False]
    was_watched: bool


class UsageTotals(TypedDict):
    answers: int
    credits: int


Usage = TypedDict(
    "Usage",
    {
        "from": "str",
        "to": "str",
        "data": "List[UsageDay]",
        "totals": "UsageTotals",
    },
)


class UsageDay(TypedDict):
    date: str
    outcome: str
    answers: int
    credits: int


class _WatchedCompanyRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: Optional[str]
    watched_at: str
    latest_signal: Optional[Signal]
    watched: Literal[True]


class WatchedCompany(_WatchedCompanyRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class Watchlist(TypedDict):
    data: List[WatchlistEntry]
    page: int
    limit: int
    has_more: bool
    next_cursor: Optional[str]


class _WatchlistEntryRequired(TypedDict):
    company_number: str
    company_name: str
    company_status: Optional[str]
    watched_at: str
    latest_signal: Optional[Signal]


class WatchlistEntry(_WatchlistEntryRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class WebhookAttempt(TypedDict):
    id: int
    event_id: str
    signal_type: str
    attempt: int
    replay: bool
    started_at: str
    status: Optional[int]
    error: Optional[str]
    duration_ms: int
    response: str
    request: str
    state: Literal["pending", "delivered", "failed", "missed"]
    next_attempt_at: Optional[str]


class WebhookAttempts(TypedDict):
    data: List[WebhookAttempt]
    page: int
    limit: int
    has_more: bool
    next_cursor: Optional[str]


class WebhookDestination(TypedDict):
    id: int
    kind: Literal["webhook", "slack", "teams"]
    webhook_url: str
    signal_type: Literal["status_changed", "name_changed", "registered_office_changed", "sic_codes_changed", "accounts_filed", "accounts_overdue", "accounts_type_changed", "confirmation_filed", "confirmation_overdue", "director_appointed", "director_resigned", "charge_registered", "charge_satisfied", "insolvency_started", "insolvency_updated", "strike_off_proposed", "strike_off_discontinued", "psc_changed", "website_changed", "director_identity_overdue", "all_directors_overdue", "psc_identity_overdue", "default_office_applied", "registered_office_disputed", "registered_office_undeliverable", "false_statement_strike_off", "psc_statement_made", "psc_statement_withdrawn", "majority_owner_added", "owner_sanctioned", "owner_protected", "owner_country_changed", "parent_dissolved", "default_service_address_applied", "default_office_upheld", "psc_statement_unresolved", "all", "resolution_completed", "audit_entry"]
    list: Optional[str]
    severity_min: Optional[Literal["info", "notice", "warning"]]
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]
    created_at: str
    last_success_at: Optional[str]
    last_failure_at: Optional[str]
    consecutive_failures: int
    pending: int
    waits_until: Optional[str]
    waits_because: Optional[Literal["unproven", "failing", "busy"]]


class WebhookDestinations(TypedDict):
    data: List[WebhookDestination]
    page: int
    limit: int
    has_more: bool


class _WebhookListenerRequired(TypedDict):
    id: int
    secret: Optional[str]
    expires_at: str


class WebhookListener(_WebhookListenerRequired, total=False):
    note: str


class WebhookTrial(TypedDict):
    event_id: str
    delivered: bool
    status: Optional[int]
    error: Optional[str]
    duration_ms: int
    response: str


class WebsiteTried(TypedDict):
    domain: str
    source: str
    outcome: str


class _WebsiteRequired(TypedDict):
    status: Literal["verified", "searching", "needs_review", "not_found", "failed", "not_searched"]
    domain: Optional[str]
    evidence: List[Evidence]
    tried: List[WebsiteTried]
    resolution_id: Optional[str]
    checked_at: Optional[str]
    job_id: Optional[str]
    status_url: Optional[str]
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]


class Website(_WebsiteRequired, total=False):
    message: Optional[str]


class WebsiteJobResultRecentResignations(TypedDict):
    name: Optional[str]
    role: Optional[str]
    role_text: Optional[str]
    resigned_on: str
    appointed_on: Optional[str]


class _WebsiteJobResultRequired(TypedDict):
    accounts_type: Optional[str]
    accounts_type_text: Optional[str]
    accounts_next_due: Optional[str]
    accounts_overdue: Optional[bool]
    accounts_days_until_due: Optional[int]
    confirmation_next_due: Optional[str]
    confirmation_overdue: Optional[bool]
    confirmation_days_until_due: Optional[int]
    has_insolvency_history: Optional[bool]
    current_insolvency_status: Optional[str]
    current_insolvency_status_text: Optional[str]
    has_active_charges: Optional[bool]
    last_charge_date: Optional[str]
    days_since_last_charge: Optional[int]
    recent_director_resignation: Optional[bool]
    last_director_change_date: Optional[str]
    days_since_last_director_change: Optional[int]
    recent_resignations: List[WebsiteJobResultRecentResignations]
    match_status: Literal["matched", "needs_review", "no_match", "non_uk_entity", "scrape_failed"]
    company_name: Optional[str]
    company_number: Optional[str]
    company_status: Optional[str]
    registered_postcode: Optional[str]
    incorporated_on: Optional[str]
    match_confidence: Optional[float]
    review_candidates: List[ReviewCandidate]
    company: CompanyProfile
    signals: List[Signal]
    website: Website


class WebsiteJobResult(_WebsiteJobResultRequired, total=False):
    company_status_detail: Optional[str]
    company_status_text: Optional[str]


class WebsiteJob(TypedDict):
    status: Literal["pending", "processing", "completed", "failed"]
    input_domain: None
    domain: Optional[str]
    company_number: str
    job_id: str
    charged: bool
    charge_reason: Literal["matched", "verified", "already_paid", "needs_review_free", "no_match_free", "non_uk_entity_free", "scrape_failed_free", "own_decision_free", "register_free", "refunded", "failed_free", "no_credits_free", "pending", "test_mode"]
    status_url: str
    error_message: Optional[str]
    website: Website
    result: Optional[WebsiteJobResult]


SecondReading = Optional[SecondReadingBody]
