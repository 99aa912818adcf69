-- short locks
-- The history of an account: one row for each answer that it got, for as long as answers must be shown to an auditor. Requests
-- are stored for 30 days and answers belong to all accounts, so neither can list it. And links that show one answer to people
-- without an account. New tables, and a column with a default: the previous release works with it. Answers that it gives
-- enter the history when the account asks again.
alter table resolution_job add column origin text not null default 'api';

create table account_answer (
  account_id text not null references account (id),
  -- Old answers move to the archive, so no key refers to their table.
  resolution_id text not null,
  domain text collate "C" not null,
  outcome text not null,
  company_number text collate "C",
  -- As the register had it when the answer was given.
  company_name text,
  company_key text collate "C" generated always as (lower(company_name)) stored,
  confidence real,
  origin text not null,
  at timestamptz not null,
  primary key (account_id, resolution_id)
);

-- A page of the list or of a search is read from an index alone, its filters included.
create index account_answer_newest on account_answer (account_id, at desc, resolution_id desc) include (outcome, origin);
-- Of many answers few may have an outcome, or come by one way.
create index account_answer_outcome on account_answer (account_id, outcome, at desc, resolution_id desc) include (origin);
create index account_answer_origin on account_answer (account_id, origin, at desc, resolution_id desc) include (outcome);
create index account_answer_domain on account_answer (account_id, domain, at desc, resolution_id desc)
  include (outcome, origin, company_key, company_number);
create index account_answer_name on account_answer (account_id, company_key, at desc, resolution_id desc)
  include (outcome, origin) where company_key is not null;
create index account_answer_number on account_answer (account_id, company_number, at desc, resolution_id desc)
  include (outcome, origin) where company_number is not null;
-- For the deletion of old rows: they are stored in the order of their time.
create index account_answer_at on account_answer using brin (at);

-- Visibility decides whether a page is read from the index alone, and rows are only ever added.
alter table account_answer set (autovacuum_vacuum_insert_scale_factor = 0.02);

create table share_link (
  id text primary key,
  -- Keyed hash of the secret in the address. The secret itself is shown once and stored nowhere.
  token_hash bytea not null unique,
  account_id text not null references account (id),
  mode text not null check (mode in ('live', 'test')),
  resolution_id text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > made_at),
  revoked_at timestamptz
);
create index share_link_answer on share_link (account_id, resolution_id, made_at desc);
create index share_link_expiry on share_link (expires_at);
