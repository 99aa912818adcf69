-- Lists of domains that no customer waits for (`nameplated sweep`), in one table of this database. The release before read them
-- from other tables, which go: add the lists again.
drop table if exists crawl_sweep, crawl_domain, crawl_reading, crawl_move;

create table sweep (
  name text primary key,
  is_paused boolean not null default false,
  started_at timestamptz not null,
  -- A rate is measured from here on.
  resumed_at timestamptz not null
);

create table sweep_domain (
  domain text collate "C" primary key,
  -- The list that added it last.
  sweep text not null,
  -- As often as any list asked for; null: read once.
  every_days integer check (every_days between 1 and 3650),
  state text not null check (state in ('waiting', 'reading', 'read')),
  -- While it is being read, the end of the lease. Null: not read again by itself.
  due_at timestamptz,
  -- Of the worker that is reading it.
  lease uuid,
  -- Leases since it was last put off or read. One that is not returned is an attempt too: its worker died.
  attempts smallint not null default 0,
  added_at timestamptz not null,
  outcome text,
  read_at timestamptz,
  fresh_until timestamptz,
  check ((state = 'reading') = (lease is not null))
);
-- Without the domain: those that were added together are read in the order of the table, so that a page is written once for many.
create index sweep_domain_due on sweep_domain (sweep, due_at) where due_at is not null;
create index sweep_domain_read on sweep_domain (sweep, read_at) where read_at is not null;
create index sweep_domain_added on sweep_domain (sweep, added_at);

-- The newest reading of each domain that claims no company, while it is fresh: it becomes an answer when a customer asks.
create table sweep_reading (
  domain text collate "C" primary key,
  model_version text not null,
  resolved_at timestamptz not null,
  expires_at timestamptz not null,
  -- A resolution, as v8.serialize writes it.
  reading bytea not null
);
create index sweep_reading_expired on sweep_reading (expires_at);
