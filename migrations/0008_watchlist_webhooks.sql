-- Who watches which company, what they were told, and how it reaches their own systems.
-- Safe with the previous release: yes (new tables only).

-- One per account and mode: a test key watches test companies apart from the real ones.
create table watchlist (
  -- Short, because it stands in every row of the two long tables below.
  id integer generated always as identity primary key,
  account_id text not null references account (id),
  mode text not null check (mode in ('live', 'test')),
  -- The companies on it. Adding takes this row first, so that the plan's cap holds however many add at once.
  used integer not null default 0 check (used >= 0),
  unique (account_id, mode)
);

create table watch (
  watchlist_id integer not null references watchlist (id),
  -- No foreign key: history outlives a company's row.
  company_number text collate "C" not null,
  watched_at timestamptz not null,
  primary key (watchlist_id, company_number)
);
create index watch_company on watch (company_number);
create index watch_newest on watch (watchlist_id, watched_at desc, company_number desc);

-- The feed: a row for each watcher of a signal, written with the signal. Reading costs the same for 10 companies and for
-- 50,000, with and without a type; docs/decisions/0005-feed.md has the figures of the other ways.
create table watched_signal (
  watchlist_id integer not null references watchlist (id),
  detected_at timestamptz not null,
  signal_id bigint not null,
  signal_type text collate "C" not null,
  primary key (watchlist_id, detected_at, signal_id)
);
create index watched_signal_type on watched_signal (watchlist_id, signal_type, detected_at, signal_id);

create table notification_setting (
  account_id text primary key references account (id),
  daily_digest boolean not null default false,
  -- Signals detected before this were told, or are too old to tell.
  digest_through timestamptz not null,
  -- The last digest that has its job goes up to here; a job of an earlier one has nothing left to do.
  digest_queued_through timestamptz not null
);
create index notification_setting_digest on notification_setting (digest_queued_through) where daily_digest;

create table webhook_destination (
  id integer generated always as identity primary key,
  account_id text not null references account (id),
  -- Null for a listener: a developer's machine that fetches its events itself until `listens_until`.
  webhook_url text,
  listens_until timestamptz,
  -- One of the signal types, `all` of them, or `resolution_completed`.
  signal_type text collate "C" not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text,
  -- Signing needs the secret in clear, so it is sealed, not hashed. The previous one signs too until its time is over.
  secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  consecutive_failures integer not null default 0,
  -- Of those, how many at the end were because its name led to an address that is not public.
  consecutive_blocked integer not null default 0,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- The breaker: nothing is sent before `paused_until`; `pauses` in a row make it longer.
  paused_until timestamptz,
  pauses integer not null default 0,
  -- The job that sends to this destination, until then: never two at a time.
  drained_by text,
  drained_until timestamptz,
  -- A queued job begins then. Null when none is queued.
  wake_at timestamptz,
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((webhook_url is null) = (listens_until is not null))
);
create index webhook_destination_account on webhook_destination (account_id) where deleted_at is null;
create index webhook_destination_deleted on webhook_destination (deleted_at) where deleted_at is not null;
-- For the sweep: jobs that never began, and jobs that died for good.
create index webhook_destination_wake on webhook_destination (wake_at) where wake_at is not null;
create index webhook_destination_drained on webhook_destination (drained_until) where drained_until is not null;
create index webhook_destination_listens on webhook_destination (listens_until) where listens_until is not null;

-- What happened, in the words that are sent: one body, however many it is sent to and how often.
create table webhook_event (
  -- The body's `sequence`.
  id bigint generated always as identity primary key,
  event_id text collate "C" not null unique,
  signal_type text collate "C" not null,
  body text not null check (octet_length(body) <= 20000),
  created_at timestamptz not null
);
create index webhook_event_created on webhook_event (created_at);

create table webhook_delivery (
  destination_id integer not null references webhook_destination (id),
  event_number bigint not null references webhook_event (id),
  -- missed: it came while the destination was disabled, or was waiting when that happened.
  state text not null check (state in ('pending', 'delivered', 'failed', 'missed')),
  -- Since it was last begun; a replay begins again.
  attempts integer not null default 0,
  is_replay boolean not null default false,
  due_at timestamptz not null,
  ended_at timestamptz,
  primary key (destination_id, event_number),
  check ((state = 'pending') = (ended_at is null))
);
create index webhook_delivery_due on webhook_delivery (destination_id, due_at, event_number) where state = 'pending';
create index webhook_delivery_event on webhook_delivery (event_number);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  destination_id integer not null references webhook_destination (id),
  event_number bigint not null,
  attempt integer not null,
  is_replay boolean not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- The receiver's answer, or null with the kind of failure.
  status integer,
  error text,
  -- The first 4 kB of the answer, as text without control characters.
  response text not null
);
create index webhook_attempt_destination on webhook_attempt (destination_id, id desc);
create index webhook_attempt_event on webhook_attempt (destination_id, event_number);
create index webhook_attempt_started on webhook_attempt (started_at);

-- Verified sites of watched companies are looked at again; see src/resolution/website-drift.ts.
create table website_check (
  company_number text collate "C" primary key,
  domain text collate "C" not null,
  -- Where the domain led already when it was verified; null for a site of its own.
  leads_to text collate "C",
  -- What its watchers were told, so that it is told once: same, moved, parked, gone, unnamed or other_company:<number>.
  state text not null,
  -- What the last look saw, where that is not yet believed.
  doubt text,
  -- Looks in a row at which the site could not be read.
  failures smallint not null default 0,
  checked_at timestamptz not null,
  due_at timestamptz not null,
  -- A job is to look at it now. Should that be lost, it is due again.
  is_queued boolean not null default false
);
create index website_check_due on website_check (due_at);
create index website_check_queued on website_check (due_at) where is_queued;

-- How far the walk over watched companies has come that finds those whose site is verified. One row.
create table website_check_walk (
  only_one boolean primary key default true check (only_one),
  -- Empty at the beginning.
  after_company text collate "C" not null default ''
);
insert into website_check_walk default values;
