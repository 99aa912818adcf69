-- Many domains asked for at once: what was sent, how far each row is, and who is at it.
-- Safe with the previous release: yes (new tables only).

create table bulk (
  id text collate "C" primary key,
  account_id text not null references account (id),
  name text,
  status text not null check (status in ('running', 'paused', 'completed', 'cancelled')),
  paused_reason text,
  -- The rows that were sent. Counts by state are counted, and must come to this.
  row_count integer not null check (row_count > 0),
  -- The most that it could cost when it was sent.
  credits_max integer not null check (credits_max >= 0),
  created_at timestamptz not null,
  -- When it was last set going.
  running_since timestamptz not null,
  -- When nothing was left under way; null for one that is paused.
  finished_at timestamptz,
  expires_at timestamptz not null,
  -- The job that asks for its rows, and how long it may be silent before another takes over.
  fed_by text,
  fed_until timestamptz not null,
  check ((status = 'paused') = (paused_reason is not null)),
  check (status <> 'completed' or finished_at is not null),
  check (status not in ('running', 'paused') or finished_at is null)
);
create index bulk_account on bulk (account_id, created_at desc, id desc);
create index bulk_unattended on bulk (fed_until) where finished_at is null and status <> 'paused';
create index bulk_expiry on bulk (expires_at);

create table bulk_row (
  bulk_id text collate "C" not null references bulk (id) on delete cascade,
  -- From 1, in the order in which they were sent.
  row integer not null,
  input text not null,
  domain text collate "C",
  -- Every row is in one state, so the counts by state always come to the number of rows.
  state text not null check (state in ('waiting', 'running', 'matched', 'needs_review', 'no_match', 'non_uk_entity',
    'scrape_failed', 'failed', 'invalid', 'duplicate', 'cancelled')),
  duplicate_of integer,
  -- No foreign key: a job may be forgotten before its row.
  job_id text collate "C",
  asked_at timestamptz,
  ended_at timestamptz,
  -- The answer as its account was given it.
  resolution_id text collate "C",
  company_number text collate "C",
  confidence real,
  reason text,
  charged boolean not null default false,
  charge_reason text,
  primary key (bulk_id, row),
  check ((state = 'running') = (job_id is not null and ended_at is null)),
  check ((state = 'duplicate') = (duplicate_of is not null)),
  check (domain is not null or state = 'invalid')
);
create index bulk_row_waiting on bulk_row (bulk_id, row) where state = 'waiting';
create index bulk_row_running on bulk_row (bulk_id) where state = 'running';
