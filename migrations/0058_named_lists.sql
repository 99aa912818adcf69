-- short locks
-- An account has several lists of companies with names, and tags and a note for each company that it watches. Everything that is
-- watched now is on the default list: a column with a constant default, which rewrites no row. New tables otherwise. The previous
-- release works with it: what it watches is on the default list, and what it unwatches leaves all lists.
alter table watch add column in_default boolean not null default true;

create table company_list (
  -- Short, because it is in every row of the table below.
  key integer generated always as identity primary key,
  id text collate "C" not null unique,
  watchlist_id integer not null references watchlist (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  -- The default list has a row once something is stored about it. Its companies are those with `watch.in_default`.
  is_default boolean not null default false,
  created_at timestamptz not null
);
create unique index company_list_name on company_list (watchlist_id, lower(name));
create unique index company_list_default on company_list (watchlist_id) where is_default;

-- A company on a list is watched: when its watch goes, it leaves all lists.
create table company_list_member (
  list_key integer not null references company_list (key) on delete cascade,
  company_number text collate "C" not null,
  watchlist_id integer not null,
  primary key (list_key, company_number),
  foreign key (watchlist_id, company_number) references watch (watchlist_id, company_number) on delete cascade
);
create index company_list_member_watch on company_list_member (watchlist_id, company_number);
create index company_list_member_company on company_list_member (company_number);

create table watch_note (
  watchlist_id integer not null,
  company_number text collate "C" not null,
  note text not null check (length(note) <= 2000),
  tags text[] not null check (cardinality(tags) <= 20),
  primary key (watchlist_id, company_number),
  foreign key (watchlist_id, company_number) references watch (watchlist_id, company_number) on delete cascade
);

-- Signals up to this moment are read. Those from before this migration count as read.
alter table watchlist add column read_through timestamptz not null default now();

-- Single signals of which that is not so. The time is that of the row in the feed.
create table signal_mark (
  watchlist_id integer not null references watchlist (id) on delete cascade,
  signal_id bigint not null,
  detected_at timestamptz not null,
  is_read boolean not null,
  primary key (watchlist_id, signal_id)
);
create index signal_mark_detected on signal_mark (watchlist_id, detected_at);

-- For filters of the feed. Empty in rows from before; their signals say it.
alter table watched_signal add column company_number text collate "C", add column severity text;

-- The due dates of a list as a calendar. Keyed hash of the secret in its address, which is shown once and stored nowhere.
create table list_calendar (
  list_key integer primary key references company_list (key) on delete cascade,
  token_hash bytea not null unique,
  made_at timestamptz not null
);
