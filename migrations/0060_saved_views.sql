-- short locks
-- Views that people save under a name: the address of a list of the console with its filter. A new table: the previous release works
-- with it.
create table saved_view (
  id text collate "C" primary key,
  account_id text not null references account (id),
  name text not null check (length(name) between 1 and 60),
  -- Below /console, and the query of the address without its question mark.
  path text collate "C" not null check (length(path) <= 120),
  query text collate "C" not null check (length(query) <= 2000),
  saved_at timestamptz not null,
  unique (account_id, path, name)
);
