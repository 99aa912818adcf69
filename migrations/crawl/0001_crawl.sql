-- A crawl store: domains that are read although no customer waits for them, and what was read. The main database is one, and
-- others may be beside it (CRAWL_DATABASE_URLS). The release before knows none of these tables and works with them.
create table crawl_sweep (
  name text primary key,
  is_paused boolean not null default false,
  -- How many domains of this list are queued at a time in this store.
  ahead integer not null check (ahead between 1 and 100000),
  started_at timestamptz not null,
  -- A rate is measured from here on.
  resumed_at timestamptz not null
);

create table crawl_domain (
  domain text collate "C" primary key,
  -- The list that added it last.
  sweep text not null,
  -- As often as any list asked for; null: read once.
  every_days integer check (every_days between 1 and 3650),
  state text not null check (state in ('waiting', 'queued', 'read')),
  -- Null: not read again by itself.
  due_at timestamptz,
  added_at timestamptz not null,
  queued_at timestamptz,
  job_id uuid,
  -- The id of the answer that this reading becomes, made when the domain is queued.
  reading_id text,
  -- Jobs that ended without a word: their workers died.
  deaths smallint not null default 0,
  outcome text,
  read_at timestamptz,
  fresh_until timestamptz,
  -- It is on its way to another store: nothing is queued for it here.
  is_moving boolean not null default false,
  check ((state = 'queued') = (job_id is not null))
);
create index crawl_domain_due on crawl_domain (sweep, due_at, domain)
  where state <> 'queued' and due_at is not null and not is_moving;
create index crawl_domain_queued on crawl_domain (sweep) where state = 'queued';
create index crawl_domain_queued_at on crawl_domain (queued_at) where state = 'queued';
create index crawl_domain_read on crawl_domain (sweep, read_at) where read_at is not null;
create index crawl_domain_added on crawl_domain (sweep, added_at);
create index crawl_domain_moving on crawl_domain (domain) where is_moving;

-- The newest reading of each domain, as long as it is fresh. One that the main database has stored is not kept here.
create table crawl_reading (
  domain text collate "C" primary key,
  reading_id text not null,
  outcome text not null,
  model_version text not null,
  resolved_at timestamptz not null,
  expires_at timestamptz not null,
  answer jsonb not null
);
create index crawl_reading_expired on crawl_reading (expires_at);

-- How far a move of domains to other stores is, by the former list of stores and the new one.
create table crawl_move (
  stores text primary key,
  after_domain text collate "C" not null default '',
  -- Domains of other stores that this pass met. A move is finished when a whole pass met none.
  met integer not null default 0,
  -- Those of them that could not move yet: they are being read, or their store is away.
  left_behind integer not null default 0,
  moved bigint not null default 0,
  finished_at timestamptz
);
