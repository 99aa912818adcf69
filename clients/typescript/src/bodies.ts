/** The bodies of the public API. Written by `npm run openapi` from docs/openapi.json; do not edit. */

export type Account = {
  account_id: string
  email: string
  email_verified: boolean
  created_at: string
  credits: {
    balance: number
    held: number
    available: number
  }
  subscription: {
    plan: 'free' | 'starter' | 'growth' | 'scale'
    status: 'active'
    renews_on: string | null
    monthly_credits: number
  }
  watchlist: {
    used: number
    limit: number
  }
  api_key: ApiKeyDescription
  test_api_key: ApiKeyDescription
  api_keys: Array<LivingApiKey>
}

export type AccountSettings = {
  second_reader: boolean
  second_reader_model: string | null
}

export type AddedCompany = {
  company_number: string
  company_name: string
  company_status: string | null
  company_status_detail?: string | null
  company_status_text?: string | null
  watched_at: string
  latest_signal: Signal | null
  watched: true
}

export type AlikeReviews = {
  kinds: Array<{
    alike_by: 'company' | 'group' | 'doubt'
    says: string
    count: number
    has_more: boolean
  }>
  data: Array<{
    id: string
    domain: string
    alike_by: 'company' | 'group' | 'doubt'
    confidence: number | null
    reason: string
    company_number: string | null
    company_name: string | null
    compared?: Array<'name' | 'number' | 'postcode' | 'address'>
    differences: Array<Difference>
  }>
}

export type ApiKeyDescription = {
  prefix: string
  last4: string
  created_at: string
  last_used_at: string | null
}

export type Appointment = {
  company_number: string | null
  company_name: string | null
  company_status: string | null
  company_status_text: string | null
  role: string | null
  role_text: string | null
  appointed_on: string | null
  appointed_before: string | null
  resigned_on: string | null
}

export type AuditEntry = {
  sequence: number
  at: string
  act: string
  act_name: string
  outcome: 'success' | 'failure'
  mode: 'live' | 'test'
  actor: {
    kind: 'person' | 'api_key' | 'program' | 'operator' | 'service' | 'unknown'
    id: string | null
    name: string | null
  }
  ip: string | null
  user_agent: string | null
  request_id: string | null
  details: Record<string, string | number | boolean | null>
  before: Record<string, string | number | boolean | null> | null
  after: Record<string, string | number | boolean | null> | null
  proof: {
    previous_hash: string
    hash: string
    origin_hash: string
    origin_salt: string | null
    content_hash: string
    content_salt: string | null
  }
}

export type AuditEntryEvent = {
  id: string
  created_at: string
  api_version: '1.0.0'
  sequence: number
  test?: true
  type: 'audit_entry'
  signal_type: 'audit_entry'
  data: AuditEntry
}

export type AuditLog = {
  data: Array<AuditEntry>
  has_more: boolean
  next_cursor: string | null
}

export type Bulk = {
  id: string
  name: string | null
  status: 'running' | 'paused' | 'completed' | 'cancelled'
  paused_reason: string | null
  counts: {
    total: number
    waiting: number
    running: number
    matched: number
    needs_review: number
    no_match: number
    non_uk_entity: number
    scrape_failed: number
    failed: number
    invalid: number
    duplicate: number
    cancelled: number
  }
  credits_spent: number
  credits_max: number
  created_at: string
  finished_at: string | null
  eta_seconds: number | null
  results_url: string
  source: {
    file_name: string | null
    sheet: string
    columns: Array<string>
  } | null
}

export type BulkDecisions = {
  decided: number
  rows: Array<{
    row: number
    ok: boolean
    message: string | null
    changed?: boolean
    company_number?: string | null
    replaced?: {
      action: 'accept' | 'reject' | 'reassign' | 'dispute'
      company_number: string | null
      reviewer: string
      reason: string | null
    } | null
  }>
  counts: Record<string, number>
}

export type BulkFile = {
  id: string
  name: string | null
  format: 'csv' | 'xlsx'
  bytes: number
  encoding: string | null
  delimiter: string | null
  sheets: Array<{
    name: string
    rows: number
    columns: number
    hidden: boolean
  }>
  sheet: string
  header_rows: number
  rows: number
  columns: Array<{
    column: number
    name: string
    holds: 'domain' | 'email' | 'web_address' | 'company_name' | 'company_number' | 'postcode' | null
    sure: boolean
    examples: Array<string>
  }>
  first_rows: Array<Array<string>>
  notices: Array<{
    kind: string
    count: number
    message: string
  }>
  asks: boolean
  mapping_from: 'guess' | 'saved'
  rows_max: number
  expires_at: string
}

export type BulkPreflight = {
  rows: number
  unique_domains: number
  numbers: number
  names: number
  duplicates: number
  invalid: number
  free_mail: number
  empty: number
  already_known: number
  already_paid: number
  credits_max: number
  credits_available: number
  enough_credits: boolean
  examples: {
    invalid: Array<{
      row: number
      input: string
      message: string
    }>
    free_mail: Array<{
      row: number
      input: string
      message: string
    }>
  }
}

export type BulkResult = {
  row: number
  input: string
  domain: string | null
  status: 'waiting' | 'running' | 'completed' | 'failed' | 'invalid' | 'duplicate' | 'cancelled'
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed' | null
  company_number: string | null
  company_name: string | null
  company_status: string | null
  registered_postcode: string | null
  confidence: number | null
  reason: string | null
  duplicate_of: number | null
  resolution_id: string | null
  evidence_url: string | null
  charged: boolean
  charge_reason: string | null
  company_status_detail?: string | null
  company_status_text?: string | null
  resolution_url: string | null
}

export type BulkRow = {
  row: number
  kind: 'domain' | 'register'
  input: string
  domain: string | null
  own: Array<string>
  state: 'waiting' | 'running' | 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed' | 'failed' | 'invalid' | 'duplicate' | 'cancelled'
  duplicate_of: number | null
  company: {
    number: string
    name: string | null
    status: string | null
    status_text: string | null
    postcode: string | null
  } | null
  confidence: number | null
  reason: string | null
  resolution_id: string | null
  candidates: Array<{
    company_number: string
    company_name: string
    company_status: string | null
    company_status_text: string | null
    registered_postcode: string | null
    score: number
    why: string
  }>
  decision: {
    action: string
    company_number?: string | null
    by: string
    at: string
  } | null
  charged: boolean
  charge_reason: string | null
}

export type BulkRows = {
  data: Array<BulkRow>
  total: number
  offset: number
  limit: number
}

export type BulkWatched = {
  data: Array<{
    company_number: string
    outcome: 'watched' | 'already_watched' | 'limit_reached' | 'not_found' | 'invalid'
  }>
  counts: {
    watched: number
    already_watched: number
    limit_reached: number
    not_found: number
    invalid: number
  }
  used: number
  limit: number
}

export type Bulks = {
  data: Array<Bulk>
  page: number
  limit: number
  has_more: boolean
}

export type ChangedValue = {
  name: 'outcome' | 'company_number' | 'company_name' | 'confidence' | 'status' | 'postcode'
  before: string | number | null
  after: string | number | null
}

export type Charge = {
  charge_code: string | null
  status: string | null
  status_text: string | null
  created_on: string | null
  delivered_on: string | null
  satisfied_on: string | null
  description: string | null
  persons_entitled: Array<string>
  particulars: {
    type: string | null
    type_text: string | null
    description: string | null
    flags: Array<string>
    flags_text: Array<string>
  } | null
  secured_details: {
    type: string | null
    type_text: string | null
    description: string | null
  } | null
  assets_ceased_released: string | null
  assets_ceased_released_text: string | null
}

export type ClosedListener = {
  id: number
  deleted: true
}

export type CompanyFacts = {
  accounts_type: string | null
  accounts_type_text: string | null
  accounts_next_due: string | null
  accounts_overdue: boolean | null
  accounts_days_until_due: number | null
  confirmation_next_due: string | null
  confirmation_overdue: boolean | null
  confirmation_days_until_due: number | null
  has_insolvency_history: boolean | null
  current_insolvency_status: string | null
  current_insolvency_status_text: string | null
  has_active_charges: boolean | null
  last_charge_date: string | null
  days_since_last_charge: number | null
  recent_director_resignation: boolean | null
  last_director_change_date: string | null
  days_since_last_director_change: number | null
  recent_resignations: Array<{
    name: string | null
    role: string | null
    role_text: string | null
    resigned_on: string
    appointed_on: string | null
  }>
}

export type CompanyFigures = {
  period_end: string
  employees: number | null
  net_assets: number | null
  current_assets: number | null
  creditors: number | null
  cash: number | null
  turnover: number | null
  is_dormant: boolean | null
  source_on: string
}

export type CompanyFilings = {
  data: Array<Filing>
  total: number
  next_cursor: string | null
  as_of: string
}

export type CompanyGroup = {
  company_number: string
  company_name: string
  as_of: string | null
  owners: Array<GroupOwner>
  ancestors: Array<GroupOwner>
  top: 'people' | 'protected_person' | 'outside_register' | 'owner_dissolved' | 'several_parents' | 'no_majority' | 'majority_not_stated' | 'exempt' | 'stated' | 'no_owner_recorded' | 'circle' | 'too_deep' | 'not_known'
  top_text: string
  top_statement_text: string | null
  top_owners: Array<GroupOwner>
  children: GroupCompanies | null
  siblings: GroupCompanies | null
}

export type CompanyList = {
  id: string
  name: string
  is_default: boolean
  companies: number
  created_at: string | null
  digest: 'off' | 'daily' | 'weekly'
  instant_email: 'off' | 'info' | 'notice' | 'warning'
}

export type CompanyLists = {
  data: Array<CompanyList>
  tags: Array<{
    tag: string
    companies: number
  }>
}

export type CompanyNote = {
  company_number: string
  note: string
  tags: Array<string>
}

export type CompanyProfile = {
  company_number: string
  company_name: string
  company_status: string | null
  company_status_detail: string | null
  company_status_text?: string | null
  company_type: string
  company_type_text: string
  incorporated_on: string | null
  dissolved_on: string | null
  registered_address: RegisteredAddress
  registered_postcode: string | null
  country_of_origin: string | null
  sic_codes: Array<string>
  sic_codes_text: Array<string | null>
  previous_names: Array<{
    name: string
    ceased_on: string | null
  }>
  warnings: Array<CompanyWarning>
  facts: CompanyFacts
  officers: Array<Officer> | null
  charges: Array<Charge> | null
  insolvency: Insolvency | null
  pscs: Array<PersonWithSignificantControl> | null
  psc_statements: Array<OwnerStatement> | null
  filings: Array<Filing> | null
  filings_next_cursor: string | null
  figures: Array<CompanyFigures>
  figures_as_of: string | null
  totals: {
    officers: number | null
    charges: number | null
    insolvency: number | null
    pscs: number | null
    filings: number | null
  }
  as_of: {
    officers: string | null
    charges: string | null
    insolvency: string | null
    pscs: string | null
    filings: string | null
    company: string
  }
  missing: Array<{
    part: 'officers' | 'charges' | 'insolvency' | 'pscs' | 'filings'
    reason: 'not_configured' | 'budget_spent' | 'register_unavailable' | 'register_refused'
    retry_at: string | null
  }>
  proven_websites?: Array<{
    domain: string
    resolution_id: string
    evidence_url: string
    proven_at: string
    paid_until: string
  }>
}

export type CompanyResolution = {
  company: CompanyProfile
  signals: Array<Signal>
  website: Website
}

export type CompanyResult = {
  accounts_type: string | null
  accounts_type_text: string | null
  accounts_next_due: string | null
  accounts_overdue: boolean | null
  accounts_days_until_due: number | null
  confirmation_next_due: string | null
  confirmation_overdue: boolean | null
  confirmation_days_until_due: number | null
  has_insolvency_history: boolean | null
  current_insolvency_status: string | null
  current_insolvency_status_text: string | null
  has_active_charges: boolean | null
  last_charge_date: string | null
  days_since_last_charge: number | null
  recent_director_resignation: boolean | null
  last_director_change_date: string | null
  days_since_last_director_change: number | null
  recent_resignations: Array<{
    name: string | null
    role: string | null
    role_text: string | null
    resigned_on: string
    appointed_on: string | null
  }>
  match_status: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  company_name: string | null
  company_number: string | null
  company_status: string | null
  company_status_detail?: string | null
  company_status_text?: string | null
  registered_postcode: string | null
  incorporated_on: string | null
  match_confidence: number | null
  review_candidates: Array<ReviewCandidate>
}

export type CompanySignals = {
  data: Array<Signal>
  page: number
  limit: number
  has_more: boolean
  next_cursor: string | null
}

export type CompanySummary = {
  company_number: string
  company_name: string
  company_status: string
  company_status_detail?: string | null
  company_status_text?: string | null
  company_type: string
  company_type_text?: string
  sic_codes_text?: Array<string | null>
  incorporated_on: string | null
  dissolved_on: string | null
  registered_postcode: string | null
  sic_codes: Array<string>
  previous_names: Array<{
    name: string
    ceased_on: string | null
  }>
}

export type CompanyWarning = {
  code: 'off_register' | 'insolvency' | 'strike_off_proposed' | 'false_statement' | 'owner_sanctioned' | 'default_office' | 'office_in_dispute' | 'office_undeliverable' | 'all_directors_identity_overdue' | 'director_identity_overdue' | 'psc_identity_overdue' | 'accounts_overdue' | 'confirmation_overdue' | 'dormant'
  severity: 'high' | 'medium' | 'low'
  text: string
}

export type ComparedReadings = {
  domain: string
  before: {
    resolution_id: string
    domain: string
    outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
    company_number: string | null
    company_name: string | null
    confidence: number | null
    origin: 'console' | 'api' | 'program' | 'bulk'
    answered_at: string
    refunded: boolean
    decided_by: DecidedBy | null
    resolution_url: string
    evidence_url: string
    read_at: string
  }
  after: {
    resolution_id: string
    domain: string
    outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
    company_number: string | null
    company_name: string | null
    confidence: number | null
    origin: 'console' | 'api' | 'program' | 'bulk'
    answered_at: string
    refunded: boolean
    decided_by: DecidedBy | null
    resolution_url: string
    evidence_url: string
    read_at: string
  }
  answer: Array<ChangedValue>
  register: Array<ChangedValue>
  site: {
    quotes: Array<{
      change: 'added' | 'gone' | 'changed'
      url: string
      says: string
      before: string | null
      after: string | null
    }>
    pages: Array<{
      change: 'added' | 'gone' | 'changed'
      url: string
      before_sha256: string | null
      after_sha256: string | null
    }>
    unread: boolean
  }
}

export type Connection = {
  id: string
  name: string
  client_id: string
  scope: string
  returns_to: string
  connected_at: string
  last_used_at: string | null
  daily_credit_cap: number
  credits_today: number
}

export type Connections = {
  data: Array<Connection>
}

export type DecidedBy = {
  action: 'accept' | 'reject' | 'reassign' | 'dispute'
  company_number: string | null
  reviewer: string
  reason: string | null
  decided_at: string
}

export type Decision = {
  id: string
  action: 'accept' | 'reject' | 'reassign' | 'dispute' | 'withdraw'
  company_number: string | null
  previous: {
    outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
    company_number: string | null
  }
  reviewer: string
  reason: string | null
  decided_at: string
  refunded: boolean
  refund_status?: 'checking' | 'waiting' | 'refunded' | 'refused' | 'withdrawn' | null
}

export type DeletedDestination = {
  id: number
  deleted: true
}

export type DeletedList = {
  id: string
  deleted: true
  unwatched: number
}

export type Difference = {
  kind: 'name' | 'number' | 'postcode' | 'address' | 'status'
  site: string | null
  register: string | null
  says: string
}

export type Dispute = {
  domain: string
  blocked_company_number: string
  refunded: boolean
  refund_status?: 'checking' | 'waiting' | 'refunded' | 'refused' | 'withdrawn' | null
  credits_available: number
  decision: Decision
}

export type DisqualificationCheck = {
  officer_id: string
  name: string | null
  date_of_birth: {
    month: number | null
    year: number
  } | null
  result: 'found' | 'possible' | 'none_found' | 'not_checked'
  result_text: string
  not_checked_reason: 'no_birth_date' | 'no_readable_name' | 'no_birth_date_of_order' | 'not_a_person' | 'too_many_namesakes' | 'too_many_results' | 'unreadable_result' | 'not_configured' | 'budget_spent' | 'register_unavailable' | 'register_refused' | null
  retry_at: string | null
  orders: Array<DisqualificationOrder>
  as_of: string | null
}

export type DisqualificationOrder = {
  name: string
  state: 'in_force' | 'expired' | 'not_begun'
  disqualified_from: string | null
  disqualified_until: string | null
  type: string | null
  type_text: string | null
  reason: string | null
  reason_text: string | null
  act_text: string | null
  company_names: Array<string>
  court_name: string | null
  has_permission_to_act: boolean
  register_url: string
}

export type EndedConnection = {
  id: string
  ended: true
}

export type EndedKey = {
  id: string
  mode: 'live' | 'test'
  ended: true
  replaced: boolean
}

export type Enrichment = {
  status: 'completed'
  input_domain: string
  domain: string
  charged: boolean
  charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
  method: 'rules' | 'second_reader'
  decided_by: DecidedBy | null
  result: CompanyResult
  company: CompanyProfile | null
  evidence: Array<Evidence>
  explanation: Explanation
  second_reader: SecondReading
  signals: Array<Signal>
  resolved_at: string
  as_of: string
  expires_at: string
}

export type Error = {
  type: string
  title: string
  status: number
  detail: string
  code: 'invalid_request' | 'invalid_token' | 'invalid_domain' | 'password_too_common' | 'missing_credentials' | 'invalid_credentials' | 'account_disabled' | 'email_not_verified' | 'insufficient_credits' | 'connection_cap_reached' | 'plan_limit_reached' | 'password_required' | 'foreign_form' | 'foreign_origin' | 'insufficient_scope' | 'not_found' | 'company_not_found' | 'method_not_allowed' | 'account_exists' | 'destination_exists' | 'listener_limit_reached' | 'destination_disabled' | 'bulk_limit_reached' | 'idempotency_key_in_use' | 'idempotency_response_lost' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'rate_limited' | 'internal_error' | 'unavailable' | 'busy'
  request_id: string
  retryable: boolean
  errors?: Array<{
    field: string
    message: string
  }>
  limit?: number
  candidates?: Array<{
    company_number: string
    company_name: string
    company_status: string
    company_status_detail?: string | null
    company_status_text?: string | null
    registered_postcode: string | null
  }>
}

export type Evidence = {
  kind: string
  supports: string | null
  strength: 'decisive' | 'strong' | 'supporting' | 'against'
  says: string
  quote: string
  url: string
  fetched_at: string
  content_sha256: string
}

export type EvidenceBundle = {
  format: 'nameplate-evidence-bundle/1'
  id: string
  record: string
  jws: string
  time_stamp: {
    state: 'stamped' | 'pending' | 'off'
    token: string | null
  }
  keys_url: string
  verify_url: string
}

export type EvidenceKeys = {
  issuer: string
  keys: Array<{
    kid: string
    kty: 'OKP'
    crv: 'Ed25519'
    x: string
    alg: 'EdDSA'
    use: 'sig'
    active_from: string
    active_until: string | null
  }>
  time_stamp_authorities: Array<string>
  document_certificates: Array<string>
}

export type EvidencePack = {
  resolution_id: string
  domain: string
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  confidence: number | null
  reason: string
  method: 'rules' | 'second_reader'
  second_reader: SecondReading
  evidence: Array<Evidence>
  explanation: Explanation
  candidates: Array<{
    company_number: string
    company_name: string
    confidence: number
    reasons: Array<string>
  }>
  considered: Array<{
    company_number: string
    company_name: string
    says: string
    quote: string
    url: string
  }>
  crawl: {
    finding: string
    reason: string
    redirected_to: string | null
    pages: Array<{
      url: string
      status: number
      fetched_at: string
      sha256: string
    }>
  }
  register: {
    before: {
      company_number: string
      company_name: string
      company_status: string
      company_status_text: string | null
      registered_postcode: string | null
      record_changed_at: string
    } | null
    now: Array<{
      company_number: string
      company_name: string
      company_status: string
      company_status_detail?: string | null
      company_status_text?: string | null
      company_type: string
      company_type_text?: string
      sic_codes_text?: Array<string | null>
      incorporated_on: string | null
      dissolved_on: string | null
      registered_postcode: string | null
      sic_codes: Array<string>
      previous_names: Array<{
        name: string
        ceased_on: string | null
      }>
      record_changed_at: string
    }>
  }
  why_not: {
    company_number: string
    company_name: string | null
    answer: string
    quote: string | null
    url: string | null
    reasons: Array<string>
  } | null
  decided_by: DecidedBy | null
  model_version: string
  resolved_at: string
  expires_at: string
  read_at: string
}

export type Explanation = {
  checklist: Array<{
    name: 'number' | 'name' | 'office' | 'own_name' | 'runs_site' | 'no_other_claimant'
    met: boolean
    says: string
  }>
  prior: number
  features: Array<{
    kind: 'evidence' | 'veto' | 'calibration'
    name: string
    level: string
    says: string
    weight: number
    found: string | null
    registered: string | null
  }>
  total: number
  runner_up: {
    company_number: string
    company_name: string
    total: number
  } | null
  margin: number | null
  version: string
}

export type FeedSignal = {
  id: string
  signal_type: 'status_changed' | 'name_changed' | 'registered_office_changed' | 'sic_codes_changed' | 'accounts_filed' | 'accounts_overdue' | 'accounts_type_changed' | 'confirmation_filed' | 'confirmation_overdue' | 'director_appointed' | 'director_resigned' | 'charge_registered' | 'charge_satisfied' | 'insolvency_started' | 'insolvency_updated' | 'strike_off_proposed' | 'strike_off_discontinued' | 'psc_changed' | 'website_changed' | 'director_identity_overdue' | 'all_directors_overdue' | 'psc_identity_overdue' | 'default_office_applied' | 'registered_office_disputed' | 'registered_office_undeliverable' | 'false_statement_strike_off' | 'psc_statement_made' | 'psc_statement_withdrawn' | 'majority_owner_added' | 'owner_sanctioned' | 'owner_protected' | 'owner_country_changed' | 'parent_dissolved' | 'default_service_address_applied' | 'default_office_upheld' | 'psc_statement_unresolved'
  company_number: string
  company_name: string
  severity: 'info' | 'notice' | 'warning'
  summary: string
  occurred_on: string
  detected_at: string
  changes: Array<{
    field: string
    from: string | boolean | Array<string> | null
    to: string | boolean | Array<string> | null
    field_text?: string
    from_text?: string | null
    to_text?: string | null
  }>
  source: {
    kind: string
    reference: string
  }
  is_read: boolean
}

export type FetchedEvents = {
  data: Array<{
    event_id: string
    signal_type: string
    body: string
    attempt: number
  }>
}

export type Filing = {
  transaction_id: string | null
  type: string | null
  category: string | null
  category_text: string | null
  subcategories: Array<string>
  description: string | null
  description_text: string
  details_text: Array<string>
  date: string | null
  action_date: string | null
  document_url: string | null
}

export type FlatAnswer = {
  status: 'completed'
  input_domain: string
  domain: string
  charged: boolean
  charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
  method: 'rules' | 'second_reader'
  decided_by: DecidedBy | null
  result: CompanyResult
}

export type FreshSession = {
  message: string
  token: string
  token_type: 'Bearer'
  expires_at: string
}

export type GroupCompanies = {
  data: Array<GroupCompany>
  total: number
  next_cursor: string | null
}

export type GroupCompany = {
  company_number: string
  company_name: string
  company_status: string
  company_status_detail?: string | null
  company_status_text: string | null
  control: 'parent' | 'more_than_quarter' | 'holder' | 'through_others' | null
  control_text: string | null
  notified_on: string | null
}

export type GroupOwner = {
  kind: 'company' | 'organisation' | 'person' | 'protected_person'
  name: string | null
  company_number: string | null
  company_status: string | null
  company_status_detail?: string | null
  company_status_text: string | null
  country_registered: string | null
  registration_number: string | null
  control: 'parent' | 'more_than_quarter' | 'holder' | 'through_others' | null
  control_text: string | null
  majority_claimed_twice: boolean
  notified_on: string | null
}

export type Health = {
  status: 'healthy' | 'degraded'
  checks: {
    database: 'ok' | 'failed'
    migrations: 'ok' | 'failed'
    queue: 'ok' | 'failed'
  }
  version: string
}

export type History = {
  data: Array<HistoryEntry>
  has_more: boolean
  next_cursor: string | null
}

export type HistoryEntry = {
  resolution_id: string
  domain: string
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  company_number: string | null
  company_name: string | null
  confidence: number | null
  origin: 'console' | 'api' | 'program' | 'bulk'
  answered_at: string
  refunded: boolean
  decided_by: DecidedBy | null
  resolution_url: string
  evidence_url: string
}

export type HistoryItem = {
  resolution_id: string
  domain: string
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  company_number: string | null
  company_name: string | null
  confidence: number | null
  origin: 'console' | 'api' | 'program' | 'bulk'
  answered_at: string
  refunded: boolean
  decided_by: DecidedBy | null
  resolution_url: string
  evidence_url: string
  readings: Array<HistoryEntry>
  records: Array<SealedRecord>
}

export type ImportedCompanies = {
  rows: number
  counts: {
    watched: number
    already_watched: number
    limit_reached: number
    not_found: number
    invalid: number
  }
  problems: Array<{
    row: number
    company_number: string
    outcome: 'watched' | 'already_watched' | 'limit_reached' | 'not_found' | 'invalid'
  }>
  used: number
  limit: number
}

export type Insolvency = {
  status: Array<string>
  status_text: Array<string>
  cases: Array<{
    type: string | null
    type_text: string | null
    number: string | null
    dates: Array<{
      type: string
      type_text: string | null
      date: string
    }>
    practitioners: Array<{
      name: string
      role: string | null
      role_text: string | null
      appointed_on: string | null
      ceased_to_act_on: string | null
    }>
  }>
}

export type JobProgress = {
  step: 'queued' | 'reading' | 'deciding'
  pages: Array<{
    url: string
    status: number
  }>
  started_at: string | null
}

export type Ledger = {
  data: Array<LedgerEntry>
  page: number
  limit: number
  has_more: boolean
  next_cursor: string | null
}

export type LedgerEntry = {
  id: number
  kind: 'grant' | 'hold' | 'capture' | 'release' | 'refund'
  amount: number
  reason: string
  reference: string
  subject: string | null
  balance_after: number
  held_after: number
  created_at: string
  resolution_id: string | null
  resolution_url: string | null
}

export type ListCalendar = {
  calendar_made_at: string | null
}

export type ListEntries = {
  data: Array<ListEntry>
  page: number
  limit: number
  has_more: boolean
  next_cursor: string | null
}

export type ListEntry = {
  company_number: string
  company_name: string
  company_status: string | null
  company_status_detail?: string | null
  company_status_text?: string | null
  watched_at: string
  latest_signal: Signal | null
  note: string
  tags: Array<string>
  lists: Array<string>
}

export type LivingApiKey = {
  id: string
  mode: 'live' | 'test'
  prefix: string
  last4: string
  created_at: string
  last_used_at: string | null
  ends_at: string | null
}

export type Login = {
  token: string
  token_type: 'Bearer'
  expires_at: string
  api_key: string | null
  test_api_key: string | null
  notice?: string
  account: Account
}

export type MarkedSignals = {
  unread: number
  read_through: string | null
  previous_read_through: string | null
}

export type Message = {
  message: string
}

export type NewListCalendar = {
  calendar_url: string
  calendar_made_at: string
}

export type NewShareLink = {
  id: string
  resolution_id: string
  made_at: string
  expires_at: string
  revoked_at: string | null
  open: boolean
  url: string
}

export type Notifications = {
  daily_digest: boolean
  email: string
}

export type Officer = {
  officer_id: string | null
  name: string | null
  role: string | null
  role_text: string | null
  appointed_on: string | null
  resigned_on: string | null
  nationality: string | null
  occupation: string | null
  country_of_residence: string | null
  date_of_birth: {
    month: number | null
    year: number
  } | null
  identity: {
    state: 'verified' | 'due' | 'overdue' | 'ended'
    due_on: string | null
    verified_on: string | null
  } | null
}

export type OfficerAppointments = {
  officer_id: string
  name: string | null
  date_of_birth: {
    month: number | null
    year: number
  } | null
  is_company: boolean
  identity_note: string
  appointments: Array<Appointment> | null
  appointments_total: number | null
  register_url: string
  as_of: string | null
  missing: Array<{
    part: 'appointments'
    reason: 'not_configured' | 'budget_spent' | 'register_unavailable' | 'register_refused'
    retry_at: string | null
  }>
}

export type OwnerStatement = {
  statement: string
  statement_text: string | null
  notified_on: string | null
  ceased_on: string | null
}

export type PasswordReset = {
  message: string
  api_keys_revoked: boolean
}

export type PendingJob = {
  status: 'pending' | 'processing' | 'failed'
  input_domain: string
  domain: string
  job_id: string
  charged: boolean
  charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
  status_url: string
  error_message: string | null
  progress: JobProgress | null
}

export type PersonWithSignificantControl = {
  kind: string | null
  kind_text: string | null
  name: string | null
  notified_on: string | null
  ceased_on: string | null
  is_ceased: boolean
  natures_of_control: Array<string>
  natures_of_control_text: Array<string>
  is_sanctioned: boolean
  nationality: string | null
  country_of_residence: string | null
  registration_number: string | null
  country_registered: string | null
  control: 'parent' | 'more_than_quarter' | 'holder' | 'through_others' | null
  control_text: string | null
  owner_company: {
    company_number: string
    company_name: string
    company_status: string
    company_status_detail?: string | null
    company_status_text: string | null
  } | null
  identity: {
    state: 'verified' | 'due' | 'overdue' | 'ended'
    due_on: string | null
    verified_on: string | null
  } | null
}

export type ReadState = {
  unread: number
  read_through: string | null
}

export type RegisteredAddress = {
  care_of: string | null
  po_box: string | null
  line_1: string | null
  line_2: string | null
  town: string | null
  county: string | null
  country: string | null
  postcode: string | null
}

export type RegisteredDestination = {
  id: number
  kind: 'webhook' | 'slack' | 'teams'
  webhook_url: string
  signal_type: 'status_changed' | 'name_changed' | 'registered_office_changed' | 'sic_codes_changed' | 'accounts_filed' | 'accounts_overdue' | 'accounts_type_changed' | 'confirmation_filed' | 'confirmation_overdue' | 'director_appointed' | 'director_resigned' | 'charge_registered' | 'charge_satisfied' | 'insolvency_started' | 'insolvency_updated' | 'strike_off_proposed' | 'strike_off_discontinued' | 'psc_changed' | 'website_changed' | 'director_identity_overdue' | 'all_directors_overdue' | 'psc_identity_overdue' | 'default_office_applied' | 'registered_office_disputed' | 'registered_office_undeliverable' | 'false_statement_strike_off' | 'psc_statement_made' | 'psc_statement_withdrawn' | 'majority_owner_added' | 'owner_sanctioned' | 'owner_protected' | 'owner_country_changed' | 'parent_dissolved' | 'default_service_address_applied' | 'default_office_upheld' | 'psc_statement_unresolved' | 'all' | 'resolution_completed' | 'audit_entry'
  list: string | null
  severity_min: 'info' | 'notice' | 'warning' | null
  status: 'active' | 'disabled'
  disabled_reason: string | null
  created_at: string
  last_success_at: string | null
  last_failure_at: string | null
  consecutive_failures: number
  pending: number
  waits_until: string | null
  waits_because: 'unproven' | 'failing' | 'busy' | null
  secret: string | null
  note?: string
}

export type RemovedCompany = {
  company_number: string
  was_on_list: boolean
  watched: boolean
  note: string
  tags: Array<string>
}

export type ReplacedWatchlist = {
  added: Array<string>
  removed: Array<string>
  kept: number
  not_found: Array<string>
  invalid: Array<string>
  used: number
  limit: number
}

export type Replay = {
  queued: number
  has_more: boolean
  next_cursor: string | null
}

export type Resolution = {
  status: 'completed'
  resolution_id: string
  input_domain: string
  domain: string
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  confidence: number | null
  reason: string
  method: 'rules' | 'second_reader'
  second_reader: SecondReading
  company: CompanySummary | null
  evidence: Array<Evidence>
  explanation: Explanation
  candidates: Array<ReviewCandidate>
  group_notes: Array<string>
  actions: Array<{
    action: string
    says: string
    url: string
  }>
  resolved_at: string
  expires_at: string
  charged: boolean
  charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
  decided_by: DecidedBy | null
}

export type ResolutionCompletedEvent = {
  id: string
  created_at: string
  api_version: '1.0.0'
  sequence: number
  test?: true
  type: 'resolution_completed'
  signal_type: 'resolution_completed'
  data: {
    job_id: string
    status: 'completed' | 'failed'
    input: string
    domain: string | null
    resolution_id: string | null
    resolution_url: string | null
    outcome: string | null
    confidence: number | null
    company_number: string | null
    company_name: string | null
    company_status: string | null
    company_status_detail?: string | null
    company_status_text?: string | null
    charged: boolean
    charge_reason: string
    error_message: string | null
    finished_at: string
    status_url: string
  }
}

export type ResolutionJobAnswer = {
  status: 'completed'
  resolution_id: string
  input_domain: string
  domain: string
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  confidence: number | null
  reason: string
  method: 'rules' | 'second_reader'
  second_reader: SecondReading
  company: CompanySummary | null
  evidence: Array<Evidence>
  explanation: Explanation
  candidates: Array<ReviewCandidate>
  group_notes: Array<string>
  actions: Array<{
    action: string
    says: string
    url: string
  }>
  resolved_at: string
  expires_at: string
  charged: boolean
  charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
  decided_by: DecidedBy | null
  result: {
    accounts_type: string | null
    accounts_type_text: string | null
    accounts_next_due: string | null
    accounts_overdue: boolean | null
    accounts_days_until_due: number | null
    confirmation_next_due: string | null
    confirmation_overdue: boolean | null
    confirmation_days_until_due: number | null
    has_insolvency_history: boolean | null
    current_insolvency_status: string | null
    current_insolvency_status_text: string | null
    has_active_charges: boolean | null
    last_charge_date: string | null
    days_since_last_charge: number | null
    recent_director_resignation: boolean | null
    last_director_change_date: string | null
    days_since_last_director_change: number | null
    recent_resignations: Array<{
      name: string | null
      role: string | null
      role_text: string | null
      resigned_on: string
      appointed_on: string | null
    }>
    match_status: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
    company_name: string | null
    company_number: string | null
    company_status: string | null
    company_status_detail?: string | null
    company_status_text?: string | null
    registered_postcode: string | null
    incorporated_on: string | null
    match_confidence: number | null
    review_candidates: Array<ReviewCandidate>
    status: 'completed'
    resolution_id: string
    input_domain: string
    domain: string
    outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
    confidence: number | null
    reason: string
    method: 'rules' | 'second_reader'
    second_reader: SecondReading
    company: CompanySummary | null
    evidence: Array<Evidence>
    explanation: Explanation
    candidates: Array<ReviewCandidate>
    group_notes: Array<string>
    actions: Array<{
      action: string
      says: string
      url: string
    }>
    resolved_at: string
    expires_at: string
    charged: boolean
    charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
    decided_by: DecidedBy | null
  }
}

export type Review = {
  id: string
  domain: string
  status: 'open' | 'decided' | 'closed'
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  confidence: number | null
  reason: string
  doubt: 'several' | 'dissolved' | 'franchise' | 'commentary' | 'contradiction' | 'rival' | 'contested' | 'objected' | 'untied' | 'named' | 'namesake' | null
  doubt_text: string | null
  candidates: Array<ReviewCandidate>
  resolution_id: string
  evidence_url: string
  created_at: string
  updated_at: string
  decision: Decision | null
}

export type ReviewCandidate = {
  company_number: string
  company_name: string
  company_status: string
  company_status_detail?: string | null
  company_status_text?: string | null
  registered_postcode: string | null
  confidence: number
  reasons: Array<string>
  reasons_against: Array<string>
}

export type ReviewDetail = {
  id: string
  domain: string
  status: 'open' | 'decided' | 'closed'
  outcome: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
  confidence: number | null
  reason: string
  doubt: 'several' | 'dissolved' | 'franchise' | 'commentary' | 'contradiction' | 'rival' | 'contested' | 'objected' | 'untied' | 'named' | 'namesake' | null
  doubt_text: string | null
  candidates: Array<ReviewCandidate>
  resolution_id: string
  evidence_url: string
  created_at: string
  updated_at: string
  decision: Decision | null
  evidence: Array<Evidence>
  explanation: Explanation
  method: 'rules' | 'second_reader'
  second_reader: SecondReading
  group_notes: Array<string>
  records: Array<{
    company_number: string
    company_name: string
    company_status: string
    company_status_detail?: string | null
    company_status_text?: string | null
    company_type: string
    company_type_text?: string
    sic_codes_text?: Array<string | null>
    incorporated_on: string | null
    dissolved_on: string | null
    registered_postcode: string | null
    sic_codes: Array<string>
    previous_names: Array<{
      name: string
      ceased_on: string | null
    }>
    registered_office: string | null
    compared?: Array<'name' | 'number' | 'postcode' | 'address'>
    differences: Array<Difference>
  }>
  history: Array<Decision>
}

export type Reviews = {
  data: Array<Review>
  page: number
  limit: number
  has_more: boolean
  next_cursor: string | null
  counts: {
    open: number
    decided_today: number
    total: number
  }
}

export type ReviewsDone = {
  done: number
  data: Array<{
    id: string
    result: 'done' | 'unchanged' | 'refused'
    company_number: string | null
    replaced?: {
      action: 'accept' | 'reject' | 'reassign' | 'dispute'
      company_number: string | null
      reviewer: string
      reason: string | null
    } | null
    problem: {
      code: string
      title: string
      detail: string
    } | null
    decided_since?: boolean
  }>
}

export type RotatedKey = {
  api_key: string | null
  note?: string
  mode: 'live' | 'test'
  previous_key_valid_until: string
}

export type RotatedSecret = {
  id: number
  kind: 'webhook' | 'slack' | 'teams'
  webhook_url: string
  signal_type: 'status_changed' | 'name_changed' | 'registered_office_changed' | 'sic_codes_changed' | 'accounts_filed' | 'accounts_overdue' | 'accounts_type_changed' | 'confirmation_filed' | 'confirmation_overdue' | 'director_appointed' | 'director_resigned' | 'charge_registered' | 'charge_satisfied' | 'insolvency_started' | 'insolvency_updated' | 'strike_off_proposed' | 'strike_off_discontinued' | 'psc_changed' | 'website_changed' | 'director_identity_overdue' | 'all_directors_overdue' | 'psc_identity_overdue' | 'default_office_applied' | 'registered_office_disputed' | 'registered_office_undeliverable' | 'false_statement_strike_off' | 'psc_statement_made' | 'psc_statement_withdrawn' | 'majority_owner_added' | 'owner_sanctioned' | 'owner_protected' | 'owner_country_changed' | 'parent_dissolved' | 'default_service_address_applied' | 'default_office_upheld' | 'psc_statement_unresolved' | 'all' | 'resolution_completed' | 'audit_entry'
  list: string | null
  severity_min: 'info' | 'notice' | 'warning' | null
  status: 'active' | 'disabled'
  disabled_reason: string | null
  created_at: string
  last_success_at: string | null
  last_failure_at: string | null
  consecutive_failures: number
  pending: number
  waits_until: string | null
  waits_because: 'unproven' | 'failing' | 'busy' | null
  secret: string | null
  note?: string
  previous_secret_valid_until: string
}

export type RpcAnswer = {
  jsonrpc: '2.0'
  id?: string | number | null
}

export type RpcMessageInput = {
}

export type RpcRefusal = {
  jsonrpc: '2.0'
  id: null
  error: {
    code: number
    message: string
    data: {
      code: string
      type: string
      request_id: string
      retryable: boolean
    }
  }
}

export type SavedView = {
  name: string
  path: string
  query: string
  id: string
  saved_at: string
}

export type SavedViews = {
  data: Array<SavedView>
}

export type SealedRecord = {
  id: string
  made_at: string
  url: string
  verify_url: string
}

export type SearchCandidate = {
  company_number: string
  company_name: string
  company_status: string
  company_status_detail?: string | null
  company_status_text?: string | null
  company_type: string
  company_type_text?: string
  sic_codes_text?: Array<string | null>
  incorporated_on: string | null
  dissolved_on: string | null
  registered_address: string | null
  registered_postcode: string | null
  accounts_type: string | null
  sic_codes: Array<string>
  previous_names: Array<{
    name: string
    ceased_on: string | null
  }>
  region: string | null
  employees: number | null
  net_assets: number | null
  score: number
  matched_on: 'company_number' | 'name' | 'previous_name' | 'postcode' | 'accounts_type' | 'company_status' | 'incorporated_on' | 'sic_section' | 'region' | 'employees' | 'net_assets'
}

export type SearchPage = {
  data: Array<SearchCandidate>
  page: number
  limit: number
  has_more: boolean
  figures_as_of?: string | null
}

export type SecondReading = {
  task: 'find' | 'check'
  decision: 'match' | 'confirm' | 'object'
  reason: string
  quote: string | null
  url: string | null
  model: string
  prompt_version: string
} | null

export type ShareLink = {
  id: string
  resolution_id: string
  made_at: string
  expires_at: string
  revoked_at: string | null
  open: boolean
}

export type ShownKey = {
  api_key: string | null
  mode: 'live' | 'test'
}

export type Signal = {
  id: string
  signal_type: 'status_changed' | 'name_changed' | 'registered_office_changed' | 'sic_codes_changed' | 'accounts_filed' | 'accounts_overdue' | 'accounts_type_changed' | 'confirmation_filed' | 'confirmation_overdue' | 'director_appointed' | 'director_resigned' | 'charge_registered' | 'charge_satisfied' | 'insolvency_started' | 'insolvency_updated' | 'strike_off_proposed' | 'strike_off_discontinued' | 'psc_changed' | 'website_changed' | 'director_identity_overdue' | 'all_directors_overdue' | 'psc_identity_overdue' | 'default_office_applied' | 'registered_office_disputed' | 'registered_office_undeliverable' | 'false_statement_strike_off' | 'psc_statement_made' | 'psc_statement_withdrawn' | 'majority_owner_added' | 'owner_sanctioned' | 'owner_protected' | 'owner_country_changed' | 'parent_dissolved' | 'default_service_address_applied' | 'default_office_upheld' | 'psc_statement_unresolved'
  company_number: string
  company_name: string
  severity: 'info' | 'notice' | 'warning'
  summary: string
  occurred_on: string
  detected_at: string
  changes: Array<{
    field: string
    from: string | boolean | Array<string> | null
    to: string | boolean | Array<string> | null
    field_text?: string
    from_text?: string | null
    to_text?: string | null
  }>
  source: {
    kind: string
    reference: string
  }
}

export type SignalEvent = {
  id: string
  created_at: string
  api_version: '1.0.0'
  sequence: number
  test?: true
  type: 'signal'
  signal_type: 'status_changed' | 'name_changed' | 'registered_office_changed' | 'sic_codes_changed' | 'accounts_filed' | 'accounts_overdue' | 'accounts_type_changed' | 'confirmation_filed' | 'confirmation_overdue' | 'director_appointed' | 'director_resigned' | 'charge_registered' | 'charge_satisfied' | 'insolvency_started' | 'insolvency_updated' | 'strike_off_proposed' | 'strike_off_discontinued' | 'psc_changed' | 'website_changed' | 'director_identity_overdue' | 'all_directors_overdue' | 'psc_identity_overdue' | 'default_office_applied' | 'registered_office_disputed' | 'registered_office_undeliverable' | 'false_statement_strike_off' | 'psc_statement_made' | 'psc_statement_withdrawn' | 'majority_owner_added' | 'owner_sanctioned' | 'owner_protected' | 'owner_country_changed' | 'parent_dissolved' | 'default_service_address_applied' | 'default_office_upheld' | 'psc_statement_unresolved'
  data: {
    id: string
    signal_type: 'status_changed' | 'name_changed' | 'registered_office_changed' | 'sic_codes_changed' | 'accounts_filed' | 'accounts_overdue' | 'accounts_type_changed' | 'confirmation_filed' | 'confirmation_overdue' | 'director_appointed' | 'director_resigned' | 'charge_registered' | 'charge_satisfied' | 'insolvency_started' | 'insolvency_updated' | 'strike_off_proposed' | 'strike_off_discontinued' | 'psc_changed' | 'website_changed' | 'director_identity_overdue' | 'all_directors_overdue' | 'psc_identity_overdue' | 'default_office_applied' | 'registered_office_disputed' | 'registered_office_undeliverable' | 'false_statement_strike_off' | 'psc_statement_made' | 'psc_statement_withdrawn' | 'majority_owner_added' | 'owner_sanctioned' | 'owner_protected' | 'owner_country_changed' | 'parent_dissolved' | 'default_service_address_applied' | 'default_office_upheld' | 'psc_statement_unresolved'
    company_number: string
    company_name: string
    severity: 'info' | 'notice' | 'warning'
    summary: string
    occurred_on: string
    detected_at: string
    changes: Array<{
      field: string
      from: string | boolean | Array<string> | null
      to: string | boolean | Array<string> | null
      field_text?: string
      from_text?: string | null
      to_text?: string | null
    }>
    source: {
      kind: string
      reference: string
    }
    changes_left_out?: true
  }
}

export type SignalFeed = {
  data: Array<FeedSignal>
  page: number
  limit: number
  has_more: boolean
  next_cursor: string | null
}

export type Status = {
  register: {
    streams: Array<StreamStatus>
    snapshot: {
      as_of: string | null
      finished_at: string
      companies: number
    } | null
    rest_budget: {
      limit: number
      left: number
      window_seconds: number
    }
  }
  webhooks: {
    due: number
    waiting: number
    disabled_destinations: number
  }
  jobs: {
    ready: number
    active: number
    dead: number
  }
}

export type StreamStatus = {
  stream: string
  lag_seconds: number | null
  last_event_at: string | null
  gap_since: string | null
  followed: boolean
}

export type TestEvent = {
  id: string
  created_at: string
  api_version: '1.0.0'
  sequence: number
  test?: true
  type: 'test'
  signal_type: 'test'
  data: {
    message: string
  }
}

export type UnwatchedCompany = {
  company_number: string
  watched: false
  was_watched: boolean
}

export type Usage = {
  from: string
  to: string
  data: Array<UsageDay>
  totals: {
    answers: number
    credits: number
  }
}

export type UsageDay = {
  date: string
  outcome: string
  answers: number
  credits: number
}

export type WatchedCompany = {
  company_number: string
  company_name: string
  company_status: string | null
  company_status_detail?: string | null
  company_status_text?: string | null
  watched_at: string
  latest_signal: Signal | null
  watched: true
}

export type Watchlist = {
  data: Array<WatchlistEntry>
  page: number
  limit: number
  has_more: boolean
  next_cursor: string | null
}

export type WatchlistEntry = {
  company_number: string
  company_name: string
  company_status: string | null
  company_status_detail?: string | null
  company_status_text?: string | null
  watched_at: string
  latest_signal: Signal | null
}

export type WebhookAttempt = {
  id: number
  event_id: string
  signal_type: string
  attempt: number
  replay: boolean
  started_at: string
  status: number | null
  error: string | null
  duration_ms: number
  response: string
  request: string
  state: 'pending' | 'delivered' | 'failed' | 'missed'
  next_attempt_at: string | null
}

export type WebhookAttempts = {
  data: Array<WebhookAttempt>
  page: number
  limit: number
  has_more: boolean
  next_cursor: string | null
}

export type WebhookDestination = {
  id: number
  kind: 'webhook' | 'slack' | 'teams'
  webhook_url: string
  signal_type: 'status_changed' | 'name_changed' | 'registered_office_changed' | 'sic_codes_changed' | 'accounts_filed' | 'accounts_overdue' | 'accounts_type_changed' | 'confirmation_filed' | 'confirmation_overdue' | 'director_appointed' | 'director_resigned' | 'charge_registered' | 'charge_satisfied' | 'insolvency_started' | 'insolvency_updated' | 'strike_off_proposed' | 'strike_off_discontinued' | 'psc_changed' | 'website_changed' | 'director_identity_overdue' | 'all_directors_overdue' | 'psc_identity_overdue' | 'default_office_applied' | 'registered_office_disputed' | 'registered_office_undeliverable' | 'false_statement_strike_off' | 'psc_statement_made' | 'psc_statement_withdrawn' | 'majority_owner_added' | 'owner_sanctioned' | 'owner_protected' | 'owner_country_changed' | 'parent_dissolved' | 'default_service_address_applied' | 'default_office_upheld' | 'psc_statement_unresolved' | 'all' | 'resolution_completed' | 'audit_entry'
  list: string | null
  severity_min: 'info' | 'notice' | 'warning' | null
  status: 'active' | 'disabled'
  disabled_reason: string | null
  created_at: string
  last_success_at: string | null
  last_failure_at: string | null
  consecutive_failures: number
  pending: number
  waits_until: string | null
  waits_because: 'unproven' | 'failing' | 'busy' | null
}

export type WebhookDestinations = {
  data: Array<WebhookDestination>
  page: number
  limit: number
  has_more: boolean
}

export type WebhookListener = {
  id: number
  secret: string | null
  note?: string
  expires_at: string
}

export type WebhookTrial = {
  event_id: string
  delivered: boolean
  status: number | null
  error: string | null
  duration_ms: number
  response: string
}

export type Website = {
  status: 'verified' | 'searching' | 'needs_review' | 'not_found' | 'failed' | 'not_searched'
  message?: string | null
  domain: string | null
  evidence: Array<Evidence>
  tried: Array<{
    domain: string
    source: string
    outcome: string
  }>
  resolution_id: string | null
  checked_at: string | null
  job_id: string | null
  status_url: string | null
  charged: boolean
  charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
}

export type WebsiteJob = {
  status: 'pending' | 'processing' | 'completed' | 'failed'
  input_domain: null
  domain: string | null
  company_number: string
  job_id: string
  charged: boolean
  charge_reason: 'matched' | 'verified' | 'already_paid' | 'needs_review_free' | 'no_match_free' | 'non_uk_entity_free' | 'scrape_failed_free' | 'own_decision_free' | 'register_free' | 'refunded' | 'failed_free' | 'no_credits_free' | 'pending' | 'test_mode'
  status_url: string
  error_message: string | null
  website: Website
  result: {
    accounts_type: string | null
    accounts_type_text: string | null
    accounts_next_due: string | null
    accounts_overdue: boolean | null
    accounts_days_until_due: number | null
    confirmation_next_due: string | null
    confirmation_overdue: boolean | null
    confirmation_days_until_due: number | null
    has_insolvency_history: boolean | null
    current_insolvency_status: string | null
    current_insolvency_status_text: string | null
    has_active_charges: boolean | null
    last_charge_date: string | null
    days_since_last_charge: number | null
    recent_director_resignation: boolean | null
    last_director_change_date: string | null
    days_since_last_director_change: number | null
    recent_resignations: Array<{
      name: string | null
      role: string | null
      role_text: string | null
      resigned_on: string
      appointed_on: string | null
    }>
    match_status: 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'
    company_name: string | null
    company_number: string | null
    company_status: string | null
    company_status_detail?: string | null
    company_status_text?: string | null
    registered_postcode: string | null
    incorporated_on: string | null
    match_confidence: number | null
    review_candidates: Array<ReviewCandidate>
    company: CompanyProfile
    signals: Array<Signal>
    website: Website
  } | null
}
