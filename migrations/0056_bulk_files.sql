-- short locks
-- A bulk job can come from a file of the customer: the file until the job is started or a day is over, the mapping of its columns by
-- header, the customer's own cells beside each row, and rows that are matched with the register instead of a web site. New tables, new
-- columns with defaults, and a check that allows more. The release before lives with the tables and columns, but not with rows of the
-- register: its workers fail on them, charge nothing and try again, so workers are updated before the API accepts files.

-- A file before its bulk job starts.
create table bulk_file (
  id text collate "C" primary key,
  account_id text not null references account (id),
  name text,
  content bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index bulk_file_account on bulk_file (account_id, created_at);
create index bulk_file_expiry on bulk_file (expires_at);

-- The columns that the customer chose for files with this header.
create table bulk_mapping (
  account_id text not null references account (id),
  header_key text not null,
  columns jsonb not null,
  used_at timestamptz not null,
  primary key (account_id, header_key)
);

-- The file that the rows come from: its name, sheet and header rows.
alter table bulk add column source jsonb;

-- `register`: the row is matched with the register by `sought`: a name, a postcode, a number.
alter table bulk_row
  add column kind text not null default 'domain',
  add column sought jsonb,
  add column company_name text,
  add column candidates jsonb,
  -- The decision on a row of the register, which has no domain that a review could be about.
  add column decision jsonb;
-- Not valid, so that no row is read under the lock: those from before have the default.
alter table bulk_row add constraint bulk_row_kind_check check (kind in ('domain', 'register')) not valid;
alter table bulk_row drop constraint bulk_row_check2;
alter table bulk_row add constraint bulk_row_sought
  check (state = 'invalid' or (kind = 'domain' and domain is not null) or (kind = 'register' and sought is not null)) not valid;

-- The customer's own cells of a row as JSON. Beside the rows, which change often and are counted often.
create table bulk_cells (
  bulk_id text collate "C" not null references bulk (id) on delete cascade,
  row integer not null,
  cells text not null,
  primary key (bulk_id, row)
);
