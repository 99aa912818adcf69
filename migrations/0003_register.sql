-- The register: one row per company as the snapshot and the streams last told it, where each stream stands, and the
-- changes that other features have yet to read.
-- Safe with the previous release: yes (new tables only).

create table company (
  number text collate "C" primary key,
  name text not null,
  -- The name as search compares it; see src/register/name-key.ts.
  name_key text collate "C" not null,
  -- [{ "name", "ceased_on" }], newest first; null when there are none.
  previous_names jsonb,
  -- The register's own API words, kept as they come: the vocabulary is open.
  status text not null,
  status_detail text,
  type text not null,
  incorporated_on date,
  dissolved_on date,
  address_care_of text,
  address_po_box text,
  address_line_1 text,
  address_line_2 text,
  address_town text,
  address_county text,
  address_country text,
  postcode text,
  country_of_origin text,
  accounts_ref_day smallint,
  accounts_ref_month smallint,
  accounts_next_due date,
  accounts_last_made_up date,
  accounts_type text,
  confirmation_next_due date,
  confirmation_last_made_up date,
  charges_total integer not null default 0,
  charges_outstanding integer not null default 0,
  charges_part_satisfied integer not null default 0,
  charges_satisfied integer not null default 0,
  sic_codes text[] not null default '{}',
  -- Of the snapshot's line this row was made from; equal means nothing to do. Null once a stream has changed the row.
  row_hash bigint,
  -- The newest companies-stream event applied; older ones are ignored. 0 before any.
  timepoint bigint not null default 0,
  -- Where the row comes from and since when it stands as it is.
  source text not null check (source in ('snapshot', 'stream', 'rest')),
  changed_at timestamptz not null
);

-- One row per import of a snapshot: what it was, how far it came, what it did.
create table register_snapshot (
  id bigint generated always as identity primary key,
  source text not null,
  -- The day the register's file is of, from its name, where it says so.
  as_of date,
  state text not null check (state in ('running', 'finished', 'failed')),
  started_at timestamptz not null,
  finished_at timestamptz,
  rows_read bigint not null default 0,
  rows_bad bigint not null default 0,
  added bigint not null default 0,
  changed bigint not null default 0,
  removed bigint not null default 0
);

-- The pieces of a first load that are in: a load that was cut off goes on with the others.
create table register_load_piece (
  snapshot_id bigint not null references register_snapshot (id),
  piece integer not null,
  rows_read integer not null,
  rows_bad integer not null,
  primary key (snapshot_id, piece)
);

-- Where each stream stands. The timepoint moves in the transaction that applies its events; the lease says which process
-- follows the stream, and a process that lost it cannot move the timepoint.
create table register_stream (
  name text primary key,
  -- The last event applied; null before the first.
  timepoint bigint,
  last_event_at timestamptz,
  -- Everything published up to here is applied, as far as we know: its age is the lag.
  current_until timestamptz,
  -- Set when events were missed (416): the register may be behind until the next snapshot or repair.
  gap_since timestamptz,
  leader text,
  lease_until timestamptz not null default '-infinity'
);

-- A queue of what changed, for features to the right of the register. Read and deleted in one transaction.
create table register_change (
  id bigint generated always as identity primary key,
  company_number text not null,
  -- company, officer, charge, insolvency, psc, filing
  kind text not null,
  -- Null: first sight, which is silent.
  before jsonb,
  after jsonb,
  -- Where it comes from: snapshot, stream, rest; and a reference there (stream name and timepoint, snapshot id).
  source text not null,
  reference text not null,
  occurred_at timestamptz not null
);

-- The parts of a company that the snapshot lacks (officers, charges, insolvency, PSCs, filings), item by item as the
-- register's REST resources have them. Streams keep them fresh by resource id.
create table company_item (
  company_number text collate "C" not null,
  kind text not null check (kind in ('officer', 'charge', 'insolvency', 'psc', 'filing')),
  item_id text collate "C" not null,
  data jsonb not null,
  -- The newest stream event applied; 0 when it came from REST.
  timepoint bigint not null default 0,
  changed_at timestamptz not null,
  primary key (company_number, kind, item_id)
);

-- Which parts of a company are complete: fetched whole from REST at fetched_at, kept fresh by the streams since.
create table company_part (
  company_number text collate "C" not null,
  kind text not null check (kind in ('officer', 'charge', 'insolvency', 'psc', 'filing')),
  fetched_at timestamptz not null,
  -- How many the register says there are, where it says more than were fetched.
  total integer,
  primary key (company_number, kind)
);
