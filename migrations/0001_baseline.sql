-- The database of Nameplate. The order is that of the story: accounts and what they pay, the register, answers and what people
-- decide about them, evidence, bulk jobs, watching, webhooks, and what all of it stands on.
-- Tables that grow with time, or with the number of accounts, are partitioned; their partitions are in the schema `part`.

create extension if not exists pg_trgm;
create extension if not exists fuzzystrmatch;
create schema part;

-- ================================================================================
-- Accounts
-- ================================================================================

-- For tables to which rows are only added.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- A customer. Sign-ups that nobody proves are deleted.
create table account (
  id text primary key,
  email text not null,
  -- Lower-cased: one account per mailbox, however it is typed.
  email_canonical text not null unique,
  password_hash text not null,
  verified_at timestamptz,
  -- Every session carries it; raising it ends them all.
  session_version integer not null default 1,
  plan text not null default 'free',
  plan_renews_on date,
  created_at timestamptz not null,
  -- Somebody signed up again with another password; the mailbox decides.
  is_contested boolean not null default false,
  disabled_at timestamptz,
  erased_at timestamptz,
  -- Whether a language model may be asked for this account.
  second_reader boolean not null default true,
  constraint account_erased_is_disabled check (erased_at is null or disabled_at is not null)
);
create index account_plan_renews_on on account (plan_renews_on) where plan_renews_on is not null;
create index account_unverified on account (created_at) where verified_at is null;

-- Links that we send by mail, by the hash of their secret.
create table one_time_token (
  hash bytea primary key,
  account_id text not null references account (id),
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_token_account on one_time_token (account_id, purpose);
create index one_time_token_expires_at on one_time_token (expires_at);

-- One live and one test key for each account, and those that were rotated until they end.
create table api_key (
  id text primary key,
  account_id text not null references account (id),
  mode text not null check (mode in ('live', 'test')),
  -- Keyed hash for looking up; the sealed copy because login must show the key again.
  hash bytea not null unique,
  sealed text not null,
  prefix text not null,
  last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- Null is the current key; a rotated one keeps working until here.
  expires_at timestamptz
);
create unique index api_key_current on api_key (account_id, mode) where expires_at is null;
create index api_key_expires_at on api_key (expires_at) where expires_at is not null;

-- Keys that sign sessions. A key signs from activates_at until the next one does, and verifies until expires_at.
create table signing_key (
  id text primary key,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  activates_at timestamptz not null,
  expires_at timestamptz
);

-- Sessions that were signed out of before their time: a session is a signed token, so its end has to be remembered.
create table ended_session (
  id text primary key,
  account_id text not null references account (id),
  expires_at timestamptz not null
);
create index ended_session_account on ended_session (account_id);
create index ended_session_expires on ended_session (expires_at);

-- The network blocks from which an account signed in, so that the guesses of strangers do not slow its owner.
create table familiar_address (
  account_id text not null references account (id),
  -- A keyed hash: the table is no list of where people are.
  block_hash bytea not null,
  seen_at timestamptz not null,
  primary key (account_id, block_hash)
);
create index familiar_address_seen_at on familiar_address (seen_at);

-- Views that people save under a name: the address of a list of the console with its filter.
create table saved_view (
  id text collate "C" primary key,
  account_id text not null references account (id),
  name text not null check (length(name) >= 1 and length(name) <= 60),
  -- Below /console, and the query of the address without its question mark.
  path text collate "C" not null check (length(path) <= 120),
  query text collate "C" not null check (length(query) <= 2000),
  saved_at timestamptz not null,
  unique (account_id, path, name)
);

-- ================================================================================
-- The audit log of each account
-- ================================================================================

-- An entry stays what it was. It joins the chain once. Where it came from may be forgotten; with an erased account also the
-- request and what the entry is about.
create function audit_event_only_forgets() returns trigger language plpgsql as $$
declare
  same jsonb := to_jsonb(new) - '{ip,user_agent,origin_salt,request_id,details,before,after,content_salt}'::text[];
  keeps_content boolean := (new.request_id, new.details, new.before, new.after, new.content_salt)
    is not distinct from (old.request_id, old.details, old.before, old.after, old.content_salt);
begin
  if tg_op = 'UPDATE' and old.entry_hash is null and new.entry_hash is not null
    and to_jsonb(new) - '{seq,previous_hash,entry_hash,origin_salt,origin_hash,content_salt,content_hash}'::text[]
      = to_jsonb(old) - '{seq,previous_hash,entry_hash,origin_salt,origin_hash,content_salt,content_hash}'::text[]
  then
    return new;
  end if;
  if tg_op = 'UPDATE' and new.ip is null and new.user_agent is null and new.origin_salt is null
    and same = to_jsonb(old) - '{ip,user_agent,origin_salt,request_id,details,before,after,content_salt}'::text[]
    and (keeps_content or (
      new.request_id is null and new.details = '{}' and new.before is null and new.after is null
      and new.content_salt is null and exists (select from account where id = old.account_id and erased_at is not null)))
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- At the commit of the act, so that the acts of one account wait for each other as briefly as possible.
create function chain_audit_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  link bigint;
  hash bytea;
begin
  if new.entry_hash is not null or new.seq is not null then
    raise exception 'the database makes the chain of %', tg_table_name using errcode = 'restrict_violation';
  end if;
  insert into audit_chain (account_id) values (new.account_id) on conflict do nothing;
  select entries + 1, head_hash into link, hash from audit_chain where account_id = new.account_id for update;
  hash := append_to_audit_chain(new, link, hash);
  update audit_chain set entries = link, head_hash = hash where account_id = new.account_id;
  return null;
end $$;

-- Every act in an account, by whom and from where. Entries form a chain: each has the hash of the one before.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  account_id text,
  action text not null,
  outcome text not null,
  ip text,
  request_id text,
  details jsonb not null default '{}',
  mode text check (mode in ('live', 'test')),
  actor_kind text,
  actor_id text,
  user_agent text,
  before jsonb,
  after jsonb,
  seq bigint,
  origin_salt bytea,
  origin_hash bytea,
  content_salt bytea,
  content_hash bytea,
  previous_hash bytea,
  entry_hash bytea
);
create index audit_event_account on audit_event (account_id, id desc);
create index audit_event_address on audit_event (at) where ip is not null;
create unique index audit_event_chain on audit_event (account_id, seq) where seq is not null;
create index audit_event_at on audit_event using brin (at);
create trigger audit_event_never_emptied before truncate on audit_event
  for each statement execute function refuse_change();
create trigger audit_event_append_only before delete or update on audit_event
  for each row execute function audit_event_only_forgets();
create constraint trigger audit_event_chained after insert on audit_event deferrable initially deferred
  for each row when (new.account_id is not null) execute function chain_audit_event();

-- The end of the chain of each account. Without a reference to the account: the log outlives a sign-up that is forgotten.
create table audit_chain (
  account_id text primary key,
  entries bigint not null default 0,
  head_hash bytea not null default decode(repeat('00', 32), 'hex')
);

-- RFC 8785 for what entries contain: whole numbers, and names of members in ASCII.
create function canonical_json(value jsonb) returns text language plpgsql immutable strict as $$
begin
  case jsonb_typeof(value)
    when 'object' then
      return '{' || coalesce((
        select string_agg(to_json(key)::text || ':' || canonical_json(member), ',' order by key collate "C")
        from jsonb_each(value) as members (key, member)), '') || '}';
    when 'array' then
      return '[' || coalesce((
        select string_agg(canonical_json(item), ',' order by position)
        from jsonb_array_elements(value) with ordinality as items (item, position)), '') || ']';
    when 'number' then
      if value::numeric <> trunc(value::numeric) or abs(value::numeric) > 9007199254740991 then
        raise exception 'an entry of the audit log contains whole numbers only';
      end if;
      return trunc(value::numeric)::text;
    else
      return value::text;
  end case;
end $$;

-- Puts one entry at the end of the chain of its account. The caller holds the lock of the chain.
create function append_to_audit_chain(event audit_event, link bigint, previous bytea) returns bytea
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  salt_of_origin bytea := uuid_send(gen_random_uuid());
  salt_of_content bytea := uuid_send(gen_random_uuid());
  hash_of_origin bytea := sha256(salt_of_origin || convert_to(canonical_json(
    jsonb_build_object('ip', event.ip, 'user_agent', event.user_agent)), 'UTF8'));
  hash_of_content bytea := sha256(salt_of_content || convert_to(canonical_json(
    jsonb_build_object('request_id', event.request_id, 'details', event.details,
      'before', event.before, 'after', event.after)), 'UTF8'));
  hash_of_entry bytea := sha256(convert_to(canonical_json(jsonb_build_object(
    'account', event.account_id,
    'action', event.action,
    'actor', case when event.actor_kind is not null
      then jsonb_build_object('id', event.actor_id, 'kind', event.actor_kind) end,
    'at', to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'content', encode(hash_of_content, 'hex'),
    'mode', event.mode,
    'origin', encode(hash_of_origin, 'hex'),
    'outcome', event.outcome,
    'previous', encode(previous, 'hex'))), 'UTF8'));
begin
  update audit_event set seq = link, previous_hash = previous, entry_hash = hash_of_entry,
    origin_salt = salt_of_origin, origin_hash = hash_of_origin,
    content_salt = salt_of_content, content_hash = hash_of_content
  where id = event.id;
  return hash_of_entry;
end $$;

-- Forgets where old entries came from. Called by a role that may not update these tables.
create function forget_addresses(before timestamptz, rows_max integer) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp
begin atomic
  with forgotten as (
    update audit_event set ip = null, user_agent = null, origin_salt = null
    where id in (select id from audit_event where ip is not null and at < forget_addresses.before order by at limit rows_max)
    returning 1
  )
  select count(*) from forgotten;
end;

-- An anchor stays what it was. Its stamp may come later, once.
create function keep_audit_anchor() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_anchor' then
    if old.stamp is null and to_jsonb(new) - 'stamp' = to_jsonb(old) - 'stamp' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- The ends of all chains on a day, signed and stamped: a log that was made again in full does not fit them.
create table audit_anchor (
  number bigint primary key,
  -- Chains that grew since the anchor before.
  chains bigint not null,
  -- SHA-256 over the digest of the anchor before and the ends of these chains.
  digest bytea not null,
  made_at timestamptz not null,
  -- The signature of number, digest and time.
  jws text not null,
  stamp bytea
);
create index audit_anchor_unstamped on audit_anchor (number) where stamp is null;
create trigger audit_anchor_is_kept before delete or update on audit_anchor
  for each row execute function keep_audit_anchor();
create trigger audit_anchor_never_emptied before truncate on audit_anchor
  for each statement execute function refuse_change();

-- The end of a chain on the day of an anchor. Without a reference to the account: the log outlives a sign-up that is forgotten.
-- Without one to the anchor, which is written after its rows: a changed number shows in the digest.
create table audit_anchored (
  account_id text not null,
  seq bigint not null,
  head_hash bytea not null,
  anchor bigint not null,
  primary key (account_id, seq)
);
-- The order in which the digest covers them.
create index audit_anchored_by_anchor on audit_anchored (anchor, account_id collate "C");
create trigger audit_anchored_is_kept before delete or update on audit_anchored
  for each row execute function keep_audit_anchor();
create trigger audit_anchored_never_emptied before truncate on audit_anchored
  for each statement execute function refuse_change();

-- ================================================================================
-- Credits
-- ================================================================================

-- What an account has: the running sum of its ledger. The database refuses to let it, or what is left of it after holds, go
-- below zero.
create table credit_balance (
  account_id text primary key references account (id),
  balance bigint not null check (balance >= 0),
  held bigint not null check (held >= 0),
  constraint available_not_negative check (held <= balance)
);

-- What somebody who acts for an account may spend in a day.
create table spending_cap (
  id text collate "C" primary key,
  account_id text not null references account (id),
  daily_credits integer not null check (daily_credits >= 0 and daily_credits <= 1000000)
);
create index spending_cap_account on spending_cap (account_id);

-- What was spent under a cap, by day.
create table spending_day (
  cap_id text collate "C" not null references spending_cap (id) on delete cascade,
  -- In London.
  day date not null,
  -- Spent, or set aside for work under way.
  credits integer not null check (credits >= 0),
  primary key (cap_id, day)
);

-- Credits set aside for work under way. They are captured or released when it ends.
create table credit_hold (
  id text not null,
  account_id text not null references account (id),
  -- What it is for; the same thing cannot be held for twice.
  reference text not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('held', 'captured', 'released')),
  created_at timestamptz not null,
  -- A hold whose work was lost is released here by the sweep.
  expires_at timestamptz not null,
  settled_at timestamptz,
  -- A hold that is released is given back to its cap too.
  cap_id text collate "C" references spending_cap (id) on delete set null,
  cap_day date,
  -- The domain or company, for the ledger.
  subject text,
  unique (account_id, reference),
  primary key (account_id, id),
  check ((state = 'held') = (settled_at is null))
) partition by hash (account_id);
create index credit_hold_id on credit_hold (id);
create index credit_hold_cap on credit_hold (cap_id) where cap_id is not null;
create index credit_hold_open on credit_hold (expires_at) where state = 'held';

-- The ledger. Entries are only ever added.
create table ledger_entry (
  id bigint generated always as identity,
  account_id text not null references account (id),
  kind text not null,
  amount bigint not null check (amount > 0),
  -- Why, in a word that stays the same: welcome, plan, operator, matched, needs_review_free, …
  reason text not null check (reason <> ''),
  reference text not null,
  hold_id text,
  balance_delta bigint not null,
  held_delta bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  held_after bigint not null check (held_after >= 0),
  created_at timestamptz not null,
  unique (account_id, kind, reference),
  primary key (account_id, id),
  constraint ledger_entry_hold_id_fkey foreign key (account_id, hold_id) references credit_hold (account_id, id),
  constraint deltas_follow_kind check (
    case kind
      when 'grant' then balance_delta = amount and held_delta = 0
      when 'hold' then balance_delta = 0 and held_delta = amount
      when 'capture' then balance_delta = -amount and held_delta = -amount
      when 'release' then balance_delta = 0 and held_delta = -amount
      when 'refund' then balance_delta = amount and held_delta = 0
    end
  ),
  check ((hold_id is null) = (kind = 'grant')),
  constraint ledger_entry_kind_check check (kind in ('grant', 'hold', 'capture', 'release', 'refund'))
) partition by hash (account_id);
create index ledger_entry_hold on ledger_entry (hold_id) where hold_id is not null;
create trigger ledger_entry_append_only before delete or update on ledger_entry
  for each row execute function refuse_change();
create trigger ledger_entry_never_emptied before truncate on ledger_entry
  for each statement execute function refuse_change();

-- Answers per London day and outcome, counted in the transaction that settles them: usage is read without summing.
create table usage_day (
  account_id text not null references account (id),
  day date not null,
  outcome text not null,
  answers bigint not null check (answers >= 0),
  credits bigint not null,
  primary key (account_id, day, outcome),
  constraint usage_day_credits_check check (credits >= 0 or outcome = 'refunded')
);

-- What an account paid for: asking again costs nothing until then.
create table paid_subject (
  account_id text not null references account (id),
  kind text not null check (kind in ('domain', 'company')),
  subject text collate "C" not null,
  paid_until timestamptz not null,
  -- What was paid with, so that a dispute can give it back: the reference of the hold.
  reference text,
  primary key (account_id, kind, subject)
) partition by hash (account_id);
create index paid_subject_until on paid_subject (paid_until);

-- A domain and the company behind it are one fact with one price, whichever of the two was asked for.
create table paid_fact (
  account_id text not null references account (id),
  domain text collate "C" not null,
  company_number text collate "C" not null,
  paid_until timestamptz not null,
  -- Of the hold that paid for it.
  reference text,
  -- The credit came back: what it paid for is not shown again until it is paid for again.
  refunded_at timestamptz,
  primary key (account_id, domain, company_number)
);
create index paid_fact_company on paid_fact (account_id, company_number);
create index paid_fact_until on paid_fact (paid_until);

-- ================================================================================
-- Programs that accounts let in
-- ================================================================================

-- A program that its account has let in. Its id is the grant's; it lives as long as the grant.
create table connection (
  id text collate "C" primary key references spending_cap (id) on delete cascade,
  account_id text not null references account (id),
  client_id text not null,
  -- What the program calls itself; nobody has checked it.
  client_name text not null,
  redirect_host text not null,
  -- A changed password ends it, as it ends a session.
  session_version integer not null,
  connected_at timestamptz not null,
  last_used_at timestamptz
);
create index connection_account on connection (account_id);

-- Everything the authorization server stores. Ids are bearer secrets (codes, tokens, sessions), so only their hash is kept; the
-- payload repeats them, so it is sealed.
create table oauth_payload (
  model text not null,
  id_hash bytea not null,
  sealed text not null,
  grant_id text collate "C",
  uid text collate "C",
  account_id text collate "C",
  client_id text collate "C",
  created_at timestamptz not null,
  consumed_at timestamptz,
  -- Null for a registered client, which has no end of its own.
  expires_at timestamptz,
  primary key (model, id_hash)
);
create index oauth_payload_grant on oauth_payload (grant_id) where grant_id is not null;
create index oauth_payload_account on oauth_payload (account_id) where account_id is not null;
create index oauth_payload_client on oauth_payload (client_id) where client_id is not null;
create unique index oauth_payload_uid on oauth_payload (model, uid) where uid is not null;
create index oauth_payload_expiry on oauth_payload (expires_at) where expires_at is not null;
create index oauth_payload_registered on oauth_payload (created_at) where model = 'Client';

-- ================================================================================
-- The register
-- ================================================================================

-- The register: one row for each company, as the snapshot and the streams last told it.
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
  changed_at timestamptz not null,
  -- The previous names as search compares them; see src/register/name-key.ts. Null when there are none.
  previous_name_keys text[],
  -- What the registrar remarks on the record: a disputed or undeliverable office, a strike-off for a false statement. Null
  -- until a profile was read.
  remarks text[]
);
-- The sweep asks for the companies due on one day.
create index company_accounts_next_due on company (accounts_next_due) where accounts_next_due is not null;
create index company_confirmation_next_due on company (confirmation_next_due) where confirmation_next_due is not null;

-- The parts of a company that the snapshot lacks, item by item as the register’s REST resources have them. Streams keep them
-- fresh by resource id.
create table company_item (
  company_number text collate "C" not null,
  kind text not null,
  item_id text collate "C" not null,
  data jsonb not null,
  -- The newest stream event applied; 0 when it came from REST.
  timepoint bigint not null default 0,
  changed_at timestamptz not null,
  primary key (company_number, kind, item_id),
  constraint company_item_kind_check check (kind in ('officer', 'charge', 'insolvency', 'psc', 'filing'))
);
create index company_item_identity_due
  on company_item ((data -> 'identity_verification_details' ->> 'appointment_verification_statement_due_on'),
      company_number)
  where kind = 'officer'
      and data -> 'identity_verification_details' ->> 'appointment_verification_statement_due_on' is not null
      and coalesce(data -> 'identity_verification_details' ->> 'appointment_verification_start_on', '') = '';

-- Which parts of a company are complete: fetched whole from REST at fetched_at, kept fresh by the streams since.
create table company_part (
  company_number text collate "C" not null,
  kind text not null,
  fetched_at timestamptz not null,
  -- How many the register says there are, where it says more than were fetched.
  total integer,
  primary key (company_number, kind),
  constraint company_part_kind_check check (kind in ('officer', 'charge', 'insolvency', 'psc', 'filing', 'owner'))
);

-- Persons with significant control: filled from the register’s own file of all of them, kept current by the stream, and
-- completed by REST where no file was imported.
create table psc (
  company_number text collate "C" not null,
  psc_id text collate "C" not null,
  kind text not null,
  name text,
  birth_year smallint,
  birth_month smallint,
  nationality text,
  country_of_residence text,
  address text,
  natures_of_control text[] not null default '{}',
  notified_on date,
  ceased_on date,
  is_ceased boolean not null,
  is_sanctioned boolean not null default false,
  statement text,
  identification jsonb,
  identity jsonb,
  exemptions jsonb,
  -- The register numbers that an organisation in force may have, and for one without a number here what names it.
  owner_number text collate "C",
  owner_number_other text collate "C",
  owner_key text collate "C",
  name_key text collate "C",
  control text,
  -- A deleted record stays as its number alone, so that an older file or event cannot bring it back.
  is_deleted boolean not null default false,
  row_hash bigint,
  timepoint bigint not null default 0,
  changed_at timestamptz not null,
  primary key (company_number, psc_id)
);
create index psc_owner on psc (owner_number, company_number) where owner_number is not null;
create index psc_owner_other on psc (owner_number_other, company_number) where owner_number_other is not null;
create index psc_owner_key on psc (owner_key, company_number) where owner_key is not null;
-- People in control who have not verified their identity, by the day it is due.
create index psc_identity_due on psc ((identity ->> 'appointment_verification_statement_due_on'), company_number)
  where not is_ceased and ((identity ->> 'appointment_verification_statement_due_on') is not null)
      and ((identity ->> 'appointment_verification_start_on') is null);
create index psc_statement_unresolved on psc (notified_on, company_number)
  where not is_ceased and statement in ('steps-to-find-psc-not-yet-completed',
      'steps-to-find-psc-not-yet-completed-partnership', 'psc-contacted-but-no-response',
      'psc-contacted-but-no-response-partnership', 'restrictions-notice-issued-to-psc',
      'restrictions-notice-issued-to-psc-partnership');

-- Six figures of each period of a company, read from the daily files of the accounts that companies file electronically.
create table company_figures (
  company_number text collate "C" not null,
  period_end date not null,
  employees integer,
  -- Whole pounds.
  net_assets bigint,
  current_assets bigint,
  creditors bigint,
  cash bigint,
  turnover bigint,
  is_dormant boolean,
  -- True where a later year's accounts repeat the period and its own accounts were not in our files.
  is_comparative boolean not null,
  -- The day of the accounts data file, and the filing in it: among accounts of one period the latest count.
  source_on date not null,
  source_file text collate "C" not null,
  primary key (company_number, period_end)
);

-- People whose names are withheld: what identifies them is a salted hash of their name with the month of their birth or with a
-- company.
create table withheld_person (
  key_hash bytea primary key,
  -- The same for all keys of one person.
  person_id text not null,
  birth_year smallint,
  birth_month smallint,
  company_number text collate "C",
  -- The operator's number for the request.
  reference text not null,
  withheld_at timestamptz not null,
  check (((birth_year is null) = (birth_month is null)) and ((birth_year is null) <> (company_number is null)))
);

-- One row: the salt of those hashes.
create table withheld_salt (
  only_one boolean default true primary key check (only_one),
  salt text not null default gen_random_uuid()::text || gen_random_uuid()::text
);

insert into withheld_salt default values;

-- Names that signals and webhook events no longer show, until they are gone from them.
create table person_removal (
  id bigint generated always as identity primary key,
  company_number text collate "C" not null,
  name text not null,
  -- The person objected, or the register deleted the record.
  reason text not null check (reason in ('withheld', 'deleted')),
  unique (company_number, name, reason)
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
  removed bigint not null default 0,
  -- How many records the file states to hold, known once its last line was read.
  rows_stated bigint,
  product text not null default 'companies' check (product in ('companies', 'pscs', 'figures'))
);
create index register_snapshot_figures on register_snapshot (as_of) where product = 'figures' and state = 'finished';

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
  lease_until timestamptz not null default '-infinity',
  -- When the stream went on after a gap: a file closes the gap only if it is of a later day.
  gap_until timestamptz
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
  -- Where it comes from (snapshot, stream, rest) and a reference there (stream name and timepoint, snapshot id).
  source text not null,
  reference text not null,
  occurred_at timestamptz not null
);

-- One row. The requests granted in each of the last slots of time stand in an array, so that one update can forget the oldest,
-- add up the rest and grant: two processes can never take the same request.
create table register_rest_budget (
  only_one boolean default true primary key check (only_one),
  -- The number of the newest slot, counted from 1970.
  slot bigint not null default 0,
  -- Granted per slot, newest last; see src/register/details/rest-budget.ts for their number and length.
  granted integer[] not null default '{}',
  -- What the last grant gave; the update returns it.
  taken integer not null default 0,
  -- What the register says the key may send in five minutes; null before it said so.
  limit_told integer check (limit_told > 0),
  -- Nobody sends before this: the register refused, or someone else spends the same key.
  paused_until timestamptz not null default '-infinity'
);

insert into register_rest_budget default values;

-- The same for requests for documents, which have a limit of their own.
create table register_document_budget (like register_rest_budget including all);

insert into register_document_budget default values;

-- ================================================================================
-- Search over the register
-- ================================================================================

-- The functions whose results an index stores are here: with another text they would need another index. The other functions of
-- the search are in src/register/search.

-- Days in heaps of 31: counting them is five times faster than asking for the month, and nobody else sees them.
create function month_term(day date) returns text language sql immutable parallel safe strict
return lpad(((day - date '0001-01-01') / 31)::text, 6, '0');

-- What a row can be found by: the words of its name, and its filters as words that no name can hold (names have only
-- capitals and digits). Filters stand in the same index as the words, so that a common word and a rare filter, or the
-- other way round, cost what the rarer of them costs.
--   ~s: status · ~a: kind of accounts · ~p: whole postcode · ~o: outward part · ~m: month of incorporation
--   ~b: kind of accounts and month: new companies have filed none, so the two cannot be counted apart
create function name_terms(name_key text, status text, accounts_type text, postcode text, incorporated_on date)
returns text[] language sql immutable parallel safe
return array_remove(
  string_to_array(name_key, ' ') || array[
    '~s:' || status,
    '~a:' || accounts_type,
    '~p:' || postcode,
    '~o:' || left(postcode, -3),
    '~m:' || month_term(incorporated_on),
    '~b:' || accounts_type || ':' || month_term(incorporated_on)
  ],
  null
);

-- Bands of employees: 0 to 5 one by one, from 6, 10, 20, 50 and 250 on. Groups are wider, and steps narrower: two digits count.
create function staff_band(employees integer) returns text language sql immutable parallel safe strict
return lpad(width_bucket(employees, '{0,1,2,3,4,5,6,10,20,50,250}'::integer[])::text, 2, '0');

create function staff_step(employees integer) returns text language sql immutable parallel safe strict
return lpad(rpad(left(employees::text, 2), length(employees::text), '0'), 10, '0');

create function staff_group(employees integer) returns text language sql immutable parallel safe strict
return width_bucket(employees, '{0,1,6,20,250}'::integer[])::text;

-- Bands, groups and steps of net assets. The text of a step sorts as the amount does.
create function assets_band(net_assets bigint) returns text language sql immutable parallel safe strict
return lpad(width_bucket(net_assets, '{-10000000,-1000000,-100000,-30000,-10000,-3000,-1000,-100,0,1,2,3,100,101,1000,1001,3000,
  10000,30000,100000,300000,1000000,10000000}'::bigint[])::text, 2, '0');

create function assets_group(net_assets bigint) returns text language sql immutable parallel safe strict
return width_bucket(net_assets, '{0,1,1001,30000,1000000}'::bigint[])::text;

create function assets_step(net_assets bigint) returns text language sql immutable parallel safe strict
return lpad((1000000000000000000 + sign(net_assets)::bigint * least(
  rpad(left(abs(net_assets)::text, 2), length(abs(net_assets)::text), '0')::numeric, 100000000000000000)::bigint)::text,
  19, '0');

-- The terms of one of a company's sections, `nth` from 1.
create function section_terms(sections text, nth integer, region text, band text) returns text[]
language sql immutable parallel safe
return array[
  '~k:' || nullif(substr(sections, nth, 1), ''),
  '~kr:' || nullif(substr(sections, nth, 1), '') || ':' || region,
  '~ke:' || nullif(substr(sections, nth, 1), '') || ':' || band,
  '~kre:' || nullif(substr(sections, nth, 1), '') || ':' || region || ':' || band
];

-- The terms by which a row is found: those of name_terms, and those of section, region and figures.
--   ~k: section · ~r: region · ~e: band of employees · ~kr: ~ke: ~re: ~kre: two or three of these together
--   ~f: step of employees · ~h: group of employees · ~w: band of net assets · ~x: step · ~v: group
--   ~g: month of incorporation of companies with figures: new companies have none, so the two are counted together
create function fact_terms(sections text, region text, employees integer, net_assets bigint, incorporated_on date)
returns text[] language sql immutable parallel safe
return array[
    '~r:' || region,
    '~e:' || staff_band(employees),
    '~re:' || region || ':' || staff_band(employees),
    '~f:' || staff_step(employees),
    '~h:' || staff_group(employees),
    '~v:' || assets_group(net_assets),
    '~w:' || assets_band(net_assets),
    '~x:' || assets_step(net_assets),
    case when employees is not null or net_assets is not null then '~g:' || month_term(incorporated_on) end
  ]
  || section_terms(sections, 1, region, staff_band(employees))
  || case when length(sections) > 1 then section_terms(sections, 2, region, staff_band(employees)) end
  || case when length(sections) > 2 then section_terms(sections, 3, region, staff_band(employees)) end
  || case when length(sections) > 3 then section_terms(sections, 4, region, staff_band(employees)) end;

-- Not inlined: planning a search with its text would take longer than the search. An index is built with an empty search
-- path, so the function brings its own.
create function search_terms(
  name_key text, status text, accounts_type text, postcode text, incorporated_on date,
  sections text, region text, employees integer, net_assets bigint
) returns text[] language plpgsql immutable parallel safe set search_path from current as $$
begin
  return array_remove(
    name_terms(name_key, status, accounts_type, postcode, incorporated_on)
      || fact_terms(sections, region, employees, net_assets, incorporated_on), null);
end $$;

-- The same letters whatever the spacing, and the same words whatever their order.
create function letters_hash(name_key text) returns bigint language sql immutable parallel safe strict
return hashtextextended(replace(name_key, ' ', ''), 0);

-- A tsvector sorts the words and drops repeats ten times faster than a subquery would; the length tells repeats apart.
create function words_hash(name_key text) returns bigint language sql immutable parallel safe
return hash_array_extended(tsvector_to_array(array_to_tsvector(array_remove(string_to_array(name_key, ' '), ''))), 0)
  # length(name_key)::bigint;

-- A word and every spelling of it with one letter left out, hashed. Two words that share one are a typo apart, so a
-- misspelt word is looked up among the words, not among the names (the idea is SymSpell's).
create function token_keys(token text) returns integer[] language sql immutable parallel safe strict
return case when length(token) <= 24 then
  array(select hashtext(overlay(token placing '' from place for 1)) from generate_series(1, length(token)) place
        where length(token) > 1) || hashtext(token) end;

-- One row per searchable name. Loaded in the order of names: reading it from the start is reading the alphabet.
create table company_name (
  number text collate "C" not null,
  name_key text collate "C" not null,
  is_previous boolean not null,
  status text collate "C" not null,
  accounts_type text collate "C",
  -- Without its space.
  postcode text collate "C",
  incorporated_on date,
  -- Letters of the sections of SIC 2007 that the company's codes are in, each once: `GM`.
  sections text collate "C",
  region text collate "C",
  employees integer,
  net_assets bigint
);
create unique index company_name_number on company_name (number, name_key);
create index company_name_alphabet on company_name (name_key, number);
create index company_name_letters on company_name (letters_hash(name_key));
create index company_name_words on company_name (words_hash(name_key));
create index company_name_outward
  on company_name (left(postcode, -3), status, accounts_type, ((incorporated_on - date '0001-01-01') / 93));
create index company_name_days on company_name (status, coalesce(accounts_type, ''), incorporated_on);
create index company_name_parts
  on company_name (status, coalesce(accounts_type, ''), left(name_key, 3), ((incorporated_on - date '0001-01-01') / 93));
create index company_name_first_words on company_name using gin (string_to_array(name_key, ' ')) with (fastupdate = off)
  where name_key < 'B';
-- Without the pending list: a search would have to read it whole, and changes come one company at a time.
create index company_name_all_terms on company_name
  using gin (search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets))
    with (fastupdate = off);
create index company_name_first_terms on company_name
  using gin (search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets))
    with (fastupdate = off)
  where name_key < 'B';

-- Every term and how many rows have it, as of the last rebuild; ~n counts the rows. Terms that came since have 1.
create table name_token (
  token text collate "C" not null,
  df integer not null
);
create unique index name_token_token on name_token (token);
create index name_token_keys on name_token using gin (token_keys(token)) with (fastupdate = off) where token < '~';

-- One row while the search is rebuilt. What changes meanwhile is noted below and done again before the new tables are shown.
create table search_rebuild (
  only_one boolean default true primary key check (only_one),
  started_at timestamptz not null
);

-- The companies that changed while the search is rebuilt.
create table search_touched (
  number text collate "C" primary key
);

-- What the functions of the search pass to each other: a name that was found, filters, how they are looked up, and a search.
create type name_hit as (number text collate "C", name_key text collate "C", is_previous boolean, score real);
create type company_filter as (status text, accounts_type text, postcode text, outward text, day_from date, day_to date,
    section text, region text, employees_from integer, employees_to integer, net_assets_from bigint, net_assets_to bigint);
create type filter_part as (kind text, terms text[], df float, share float);
create type filter_lookup as (all_of text[], months text[], staff text[], assets text[], share float);
create type company_search as (typed text, wanted company_filter, total float, known text[], known_df integer[],
    unknown text[], words_share float, lookup filter_lookup);

-- ================================================================================
-- Answers
-- ================================================================================

-- Every answer ever found, with its evidence; a newer one does not replace it, since it may have been filed.
create table resolution (
  id text collate "C" not null,
  domain text collate "C" not null,
  outcome text not null,
  situation text not null,
  confidence real check (confidence >= 0 and confidence <= 1),
  company_number text collate "C",
  reason text not null,
  -- Evidence, explanation, candidates and the crawl, as they were found.
  findings jsonb not null,
  model_version text not null,
  resolved_at timestamptz not null,
  primary key (id, resolved_at),
  check ((outcome = 'matched') = (company_number is not null)),
  constraint resolution_outcome_check check (outcome in ('matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed'))
) partition by range (resolved_at);
create index resolution_domain on resolution (domain, resolved_at desc);
-- A stored answer never changes: its id stands for all of it, and a process may keep the text of a response by that id.
create trigger resolution_never_changes before update on resolution
  for each row execute function refuse_change();

-- The newest answer of each domain: what is served without work. Small, as every request reads it.
create table known_domain (
  domain text collate "C" primary key,
  resolution_id text collate "C" not null,
  outcome text not null,
  company_number text collate "C",
  resolved_at timestamptz not null,
  -- From then on the next request queues fresh work.
  expires_at timestamptz not null
);
create index known_domain_resolution on known_domain (resolution_id);
create index known_domain_company on known_domain (company_number, resolved_at desc) where company_number is not null;

-- A domain, or a company, being worked on: one row and one queued job, however many ask for it.
create table resolution_work (
  kind text not null check (kind in ('domain', 'company')),
  -- The registrable domain, or the company number.
  subject text collate "C" not null,
  queued_at timestamptz not null,
  -- Past this it is given up on, whatever became of the worker.
  deadline_at timestamptz not null,
  -- Background work is overtaken by somebody who waits.
  is_background boolean not null,
  -- The job that is at it, until then: of two queued for one subject only one reads sites.
  claimed_by text,
  claimed_until timestamptz,
  -- How far the work on a domain is, for whoever watches its job: what was read so far. A convenience, never relied upon.
  progress jsonb,
  -- A claim that was never given back counts. After two the work is given up, so that it does not take one worker after
  -- another.
  deaths smallint not null default 0,
  -- The oldest reading that those who wait accept.
  read_after timestamptz,
  primary key (kind, subject)
);
create index resolution_work_deadline on resolution_work (deadline_at);

-- Every search for a company's web site, with its end; the newest is what is known.
create table website_search (
  id text collate "C" primary key,
  company_number text collate "C" not null,
  status text not null check (status in ('verified', 'needs_review', 'not_found')),
  domain text collate "C",
  -- The answer for that domain, with the evidence.
  resolution_id text collate "C",
  -- Each domain that was looked at: where it came from and what its site said.
  tried jsonb not null,
  checked_at timestamptz not null,
  expires_at timestamptz not null,
  check ((status = 'not_found') = (domain is null)),
  constraint website_search_check1 check ((domain is null) = (resolution_id is null))
);
create index website_search_company on website_search (company_number, checked_at desc);
create index website_search_resolution on website_search (resolution_id);

-- A request for an answer, and what became of it. The id is a capability: 160 random bits.
create table resolution_job (
  id text collate "C" not null,
  account_id text not null references account (id),
  kind text not null check (kind in ('domain', 'company')),
  -- The registrable domain, or the company number.
  subject text collate "C" not null,
  -- What was typed.
  input text not null,
  status text not null,
  hold_id text,
  resolution_id text collate "C",
  website_search_id text collate "C" references website_search (id),
  charged boolean not null default false,
  charge_reason text not null default 'pending',
  error_message text,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  shape text not null default 'enrich' check (shape in ('enrich', 'resolution', 'partner')),
  -- The way it came: api, bulk, mcp, …
  origin text not null default 'api',
  primary key (account_id, id),
  constraint resolution_job_hold_id_fkey foreign key (account_id, hold_id) references credit_hold (account_id, id),
  check ((status in ('completed', 'failed')) = (finished_at is not null)),
  constraint resolution_job_status_check check (status in ('pending', 'processing', 'completed', 'failed'))
) partition by hash (account_id);
create index resolution_job_id on resolution_job (id);
create index resolution_job_account on resolution_job (account_id, created_at desc);
create index resolution_job_expiry on resolution_job (expires_at);
create index resolution_job_hold on resolution_job (hold_id);
create index resolution_job_open on resolution_job (kind, subject) where finished_at is null;
create index resolution_job_resolution on resolution_job (resolution_id);
create index resolution_job_website on resolution_job (website_search_id);

-- The history of an account: one row for each answer that it got. The requests are stored for 30 days only, and answers belong
-- to all accounts.
create table account_answer (
  account_id text not null references account (id),
  -- No key refers to the answer, whose month may be dropped.
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
  primary key (resolution_id, account_id)
) with (autovacuum_vacuum_insert_scale_factor=0.02);
-- A page of the list or of a search is read from an index alone, its filters included.
create index account_answer_newest on account_answer (account_id, at desc, resolution_id desc) include (outcome, origin);
-- Of many answers few may have an outcome, or come by one way.
create index account_answer_outcome on account_answer (account_id, outcome, at desc, resolution_id desc) include (origin);
create index account_answer_origin on account_answer (account_id, origin, at desc, resolution_id desc) include (outcome);
create index account_answer_domain on account_answer (account_id, domain, at desc, resolution_id desc)
  include (outcome, origin, company_key, company_number);
create index account_answer_name on account_answer (account_id, company_key, at desc, resolution_id desc)
  include (outcome, origin)
  where company_key is not null;
create index account_answer_number on account_answer (account_id, company_number, at desc, resolution_id desc)
  include (outcome, origin)
  where company_number is not null;
-- For the deletion of old rows: they are stored in the order of their time.
create index account_answer_at on account_answer using brin (at);

-- Links that show one answer to people without an account.
create table share_link (
  id text primary key,
  -- Keyed hash of the secret in the address. The secret itself is shown once and stored nowhere.
  token_hash bytea not null unique,
  account_id text not null references account (id),
  mode text not null check (mode in ('live', 'test')),
  resolution_id text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check (expires_at > made_at)
);
create index share_link_answer on share_link (account_id, resolution_id, made_at desc);
create index share_link_expiry on share_link (expires_at);
create index share_link_resolution on share_link (resolution_id);

-- Which sites claim which company: two sites that claim one company and are not linked are compared, and the one that fits
-- worse goes to a person.
create table site_claim (
  company_number text collate "C" not null,
  domain text collate "C" not null,
  -- The site that the domain shows: its own, or the one it leads to.
  site text collate "C" not null,
  -- `held`: the domain's answer is the company. `contested`: another site claims the company and this one did not prevail.
  state text not null check (state in ('held', 'contested')),
  -- What is compared: name of the domain, certificate, links and mail addresses.
  facts jsonb not null,
  -- The newest answer with this claim.
  resolution_id text collate "C" not null,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (company_number, domain)
);
create index site_claim_domain on site_claim (domain);
create index site_claim_resolution on site_claim (resolution_id);

-- What others say of companies' domains, imported by the operator. A place to look, never a proof.
create table company_link (
  company_number text collate "C" not null,
  domain text collate "C" not null,
  source text not null,
  imported_at timestamptz not null,
  primary key (company_number, domain, source)
);

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
  only_one boolean default true primary key check (only_one),
  -- Empty at the beginning.
  after_company text collate "C" not null default ''
);

insert into website_check_walk default values;

-- Answers of a model by the hash of the question, the model and the version of the instructions.
create table second_reader_answer (
  key text primary key,
  task text not null check (task in ('find', 'check')),
  model text not null,
  answer jsonb not null,
  created_at timestamptz not null
);
create index second_reader_answer_created on second_reader_answer (created_at);

-- Spending by day (UTC). `reserved` is for calls under way; both are in millionths of the currency of the prices.
create table second_reader_day (
  day date primary key,
  calls integer not null default 0,
  failures integer not null default 0,
  repeats integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  spent bigint not null default 0,
  reserved bigint not null default 0
);

-- How right a model was on a labelled world. A model is asked only for tasks that it passed.
create table second_reader_measure (
  model text not null,
  prompt_version text not null,
  task text not null check (task in ('find', 'check')),
  world text not null,
  asked integer not null,
  right_changes integer not null,
  wrong_changes integer not null,
  is_passed boolean not null,
  measured_at timestamptz not null,
  primary key (model, prompt_version, task)
);

-- A list of domains that the operator has us read in advance.
create table sweep (
  name text primary key,
  is_paused boolean not null default false,
  started_at timestamptz not null,
  -- A rate is measured from here on.
  resumed_at timestamptz not null
);

-- A domain of a list, whose turn to be read is in `due_at`.
create table sweep_domain (
  domain text collate "C" primary key,
  -- The list that added it last.
  sweep text not null,
  -- As often as any list asked for; null: read once.
  every_days integer check (every_days >= 1 and every_days <= 3650),
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
-- Without the domain: those that were added together are read in the order of the table, so that a page is written once for
-- many.
create index sweep_domain_due on sweep_domain (sweep, due_at) where due_at is not null;
create index sweep_domain_read on sweep_domain (sweep, read_at) where read_at is not null;
create index sweep_domain_added on sweep_domain (sweep, added_at);

-- The newest reading of each domain that claims no company, while it is fresh: it becomes an answer when a customer asks.
create table sweep_reading (
  domain text collate "C" primary key,
  model_version text not null,
  resolved_at timestamptz not null,
  expires_at timestamptz not null,
  reading bytea not null
);
create index sweep_reading_expired on sweep_reading (expires_at);

-- The body of a page, without its transfer and content encodings, compressed by zstd. One for all pages with the same bytes.
create table page_body (
  id bigint generated always as identity,
  sha256 bytea primary key check (length(sha256) = 32),
  bytes integer not null check (bytes >= 0),
  stored_bytes integer not null check (stored_bytes > 0),
  -- Null once it is in the store outside: the name there has the hash and the id, so that a body which is kept again after it
  -- was deleted has another name.
  content bytea,
  stored_in text not null default 'postgres' check (stored_in in ('postgres', 'folder', 's3')),
  created_at timestamptz not null,
  check ((content is null) = (stored_in <> 'postgres'))
);
create unique index page_body_id on page_body (id);
create index page_body_to_move on page_body (id) where stored_in = 'postgres';

-- Compressed already.
alter table page_body alter column content set storage external;

-- A page that an answer quotes, or a redirect on the way to one: the request, the response and when. No key refers to the
-- answer, because its month may be dropped.
create table page_capture (
  id bigint generated always as identity primary key,
  resolution_id text collate "C" not null,
  domain text collate "C" not null,
  url text not null,
  status smallint not null,
  fetched_at timestamptz not null,
  ip text not null,
  -- Line and headers as sent and as received, each byte as one character.
  request text not null,
  response text not null,
  is_cut boolean not null,
  sha256 bytea not null references page_body (sha256),
  kept_until timestamptz not null,
  -- Of a redirect: the page at its end.
  leads_to text
);
create index page_capture_resolution on page_capture (resolution_id);
create index page_capture_domain on page_capture (domain);
create index page_capture_sha256 on page_capture (sha256);
create index page_capture_kept_until on page_capture (kept_until);

-- Bodies in a store outside that no page refers to, until they are deleted there.
create table page_removal (
  path text collate "C" primary key,
  stored_in text not null
);

-- ================================================================================
-- What people decide
-- ================================================================================

-- A decision stays what it was. With an erased account goes who decided and what they wrote.
create function review_decision_only_forgets() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.reviewer = 'erased' and new.reason is null
    and exists (select from account where id = old.account_id and erased_at is not null)
    and to_jsonb(new) - '{reviewer,reason}'::text[] = to_jsonb(old) - '{reviewer,reason}'::text[]
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Every decision ever made, by whom and why; the newest is in force. Only added to: it may have been filed.
create table review_decision (
  id text collate "C" primary key,
  account_id text not null references account (id),
  domain text collate "C" not null,
  -- The shared answer that was looked at.
  resolution_id text collate "C" not null,
  action text not null,
  -- The company that the person names; null for none of them.
  company_number text collate "C",
  -- What the account was answered until then.
  previous_outcome text not null,
  previous_company_number text collate "C",
  reviewer text not null check (reviewer <> ''),
  reason text,
  refunded boolean not null default false,
  decided_at timestamptz not null,
  constraint review_decision_action_check check (action in ('accept', 'reject', 'reassign', 'dispute', 'withdraw')),
  check ((action in ('accept', 'reassign')) <= (company_number is not null)),
  constraint review_decision_check1 check ((action in ('reject', 'withdraw')) <= (company_number is null)),
  constraint review_decision_check2 check (action = 'dispute' or (not refunded))
);
create index review_decision_domain on review_decision (account_id, domain, decided_at desc);
create index review_decision_resolution on review_decision (resolution_id);
create index review_decision_disputes on review_decision (account_id, decided_at) where action = 'dispute';
create trigger review_decision_never_emptied before truncate on review_decision
  for each statement execute function refuse_change();
create trigger review_decision_append_only before delete or update on review_decision
  for each row execute function review_decision_only_forgets();

-- What an account has to look at, or has looked at: one row a domain, whatever becomes of it.
create table review_item (
  id text collate "C" primary key,
  account_id text not null references account (id),
  domain text collate "C" not null,
  resolution_id text collate "C" not null,
  -- `closed`: a newer answer left nothing to look at.
  state text not null check (state in ('open', 'decided', 'closed')),
  -- Of the best candidate: what is nearly certain is looked at first.
  confidence real not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  decision_id text collate "C" references review_decision (id),
  -- The decision that is answered to this account in place of the shared answer; a dispute that names nobody has none.
  override_id text collate "C" references review_decision (id),
  -- A copy of what the list is filtered and searched by. It is in the answer too, in JSON that is too large to read for each
  -- row.
  situation text,
  candidate_numbers text[] collate "C" not null default '{}',
  candidate_names text not null default '',
  unique (account_id, domain),
  check ((state = 'decided') = (decision_id is not null)),
  constraint review_item_check1 check (override_id is null or decision_id is not null)
);
create index review_item_open on review_item (account_id, confidence desc, id) where state = 'open';
create index review_item_decided on review_item (account_id, updated_at desc, id) where state = 'decided';
create index review_item_export on review_item (updated_at, id) where state = 'decided';
create index review_item_resolution on review_item (resolution_id);
create index review_item_decision on review_item (decision_id) where decision_id is not null;
create index review_item_override on review_item (override_id) where override_id is not null;
create index review_item_newest on review_item (account_id, created_at desc, id) where state = 'open';
create index review_item_best on review_item (account_id, (candidate_numbers[1])) where state = 'open';
create index review_item_doubt on review_item (account_id, situation, confidence desc, id) where state = 'open';

-- A company that an account disputed for a domain: it is not answered to that account again.
create table blocked_pair (
  account_id text not null references account (id),
  domain text collate "C" not null,
  company_number text collate "C" not null,
  decision_id text collate "C" not null references review_decision (id),
  primary key (account_id, domain, company_number)
);
create index blocked_pair_decision on blocked_pair (decision_id);

-- What became of the credit of a disputed match.
create table refund_request (
  id text collate "C" primary key,
  account_id text not null references account (id),
  -- The dispute in force that asks for it.
  decision_id text collate "C" not null references review_decision (id),
  domain text collate "C" not null,
  company_number text collate "C" not null,
  -- The hold that paid, and how long the payment would have lasted: it counts again where the dispute is withdrawn.
  reference text not null,
  paid_until timestamptz not null,
  -- `checking`: the site is read again. `waiting`: for the operator.
  status text not null,
  -- What the site said when it was read again.
  finding text check (finding in ('same', 'changed', 'unreadable')),
  fresh_resolution_id text collate "C",
  requested_at timestamptz not null,
  decided_at timestamptz,
  -- `rule`, or the operator's name.
  decided_by text,
  note text,
  check ((status in ('refunded', 'refused')) <= ((decided_at is not null) and (decided_by is not null))),
  constraint refund_request_status_check check (status in ('checking', 'waiting', 'refunded', 'refused', 'withdrawn'))
);
create unique index refund_request_reference on refund_request (account_id, reference) where status <> 'withdrawn';
create index refund_request_account on refund_request (account_id, requested_at desc);
create index refund_request_decision on refund_request (decision_id);
create index refund_request_fresh on refund_request (fresh_resolution_id) where fresh_resolution_id is not null;
create index refund_request_open on refund_request (requested_at, id) where status in ('checking', 'waiting');

-- The details of an erased account leave its log and its decisions. Hashes keep the chain whole.
create function erase_trail(erased_account text, rows_max integer) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp
begin atomic
  with event as (
    update audit_event set ip = null, user_agent = null, origin_salt = null, request_id = null, details = '{}',
      before = null, after = null, content_salt = null
    where id in (
      select id from audit_event
      where account_id = erased_account and (origin_salt is not null or content_salt is not null) limit rows_max)
    returning 1
  ), decision as (
    update review_decision set reviewer = 'erased', reason = null
    where id in (
      select id from review_decision
      where account_id = erased_account and (reviewer <> 'erased' or reason is not null) limit rows_max)
    returning 1
  )
  select (select count(*) from event) + (select count(*) from decision);
end;

-- ================================================================================
-- Evidence
-- ================================================================================

-- A key stays what it was. It is retired once.
create function keep_evidence_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.public_jwk <> old.public_jwk or new.activates_at <> old.activates_at
    or (old.retired_at is not null and new.retired_at is distinct from old.retired_at) then
    raise exception 'keys of evidence records are never changed or deleted';
  end if;
  return new;
end $$;

-- Keys that sign evidence records. They are never deleted: a record can be checked for ever.
create table evidence_key (
  id text primary key,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  activates_at timestamptz not null,
  retired_at timestamptz
);
create unique index evidence_key_one_signs on evidence_key ((true)) where retired_at is null;
create trigger evidence_key_is_kept before delete or update on evidence_key
  for each row execute function keep_evidence_key();

-- A certificate stays what it was. It is retired, and its key may be sealed again.
create function keep_evidence_certificate() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.certificate <> old.certificate then
    raise exception 'certificates of evidence documents are never changed or deleted';
  end if;
  return new;
end $$;

-- Certificates that sign evidence documents (PDF): readers of PDF know no Ed25519, so documents have keys of their own. Each
-- stays published, so that a document can be checked for ever.
create table evidence_certificate (
  -- SHA-256 of the certificate, in hexadecimal.
  id text primary key,
  certificate bytea not null,
  -- A word in place of the key where the operator keeps it in a file.
  private_key_sealed text not null,
  activates_at timestamptz not null,
  retired_at timestamptz
);
create unique index evidence_certificate_one_signs on evidence_certificate ((true)) where retired_at is null;
create trigger evidence_certificate_is_kept before delete or update on evidence_certificate
  for each row execute function keep_evidence_certificate();

-- A record stays what it was. Its stamp may come later, once. With an erased account it is deleted.
create function keep_evidence_record() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.stamp is null and to_jsonb(new) - 'stamp' = to_jsonb(old) - 'stamp' then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select from account where id = old.account_id and erased_at is not null) then
    insert into erased_evidence values (old.id, sha256(convert_to(old.record || E'\n' || old.jws, 'UTF8')));
    return old;
  end if;
  raise exception 'evidence records are never changed or deleted';
end $$;

-- Evidence records: an answer with its proof, signed and stamped.
create table evidence_record (
  id text primary key,
  account_id text not null references account (id),
  mode text not null check (mode in ('live', 'test')),
  resolution_id text not null,
  -- Hash of what it says, without its own id and the times of making it: the same content is stored once.
  content_hash bytea not null,
  -- Canonical JSON (RFC 8785), as it was signed.
  record text not null,
  jws text not null,
  made_at timestamptz not null,
  -- The time-stamp token (RFC 3161) in DER; null until an authority gave one.
  stamp bytea
);
create unique index evidence_record_content on evidence_record (account_id, resolution_id, content_hash);
create index evidence_record_unstamped on evidence_record (made_at) where stamp is null;
create index evidence_record_answer on evidence_record (resolution_id);
create trigger evidence_record_is_kept before delete or update on evidence_record
  for each row execute function keep_evidence_record();

-- A record that was erased with its account.
create table erased_evidence (
  id text primary key,
  -- SHA-256 of the record, a line feed and its signature.
  seal bytea not null
);

-- ================================================================================
-- Bulk jobs
-- ================================================================================

-- Many domains asked for at once: what was sent, how far each row is, and who is at it.
create table bulk (
  id text collate "C" primary key,
  account_id text not null references account (id),
  name text,
  status text not null,
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
  -- The file that the rows come from: its name, sheet and header rows.
  source jsonb,
  check ((status = 'paused') = (paused_reason is not null)),
  constraint bulk_check1 check (status <> 'completed' or finished_at is not null),
  constraint bulk_check2 check (status not in ('running', 'paused') or finished_at is null),
  constraint bulk_status_check check (status in ('running', 'paused', 'completed', 'cancelled'))
);
create index bulk_account on bulk (account_id, created_at desc, id desc);
create index bulk_unattended on bulk (fed_until) where finished_at is null and status <> 'paused';
create index bulk_expiry on bulk (expires_at);

-- A row of a bulk job, and where it stands.
create table bulk_row (
  bulk_id text collate "C" not null references bulk (id) on delete cascade,
  -- From 1, in the order in which they were sent.
  row integer not null,
  input text not null,
  domain text collate "C",
  -- Every row is in one state, so the counts by state always come to the number of rows.
  state text not null,
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
  -- `register`: the row is matched with the register by `sought`: a name, a postcode, a number.
  kind text not null default 'domain' check (kind in ('domain', 'register')),
  sought jsonb,
  company_name text,
  candidates jsonb,
  -- The decision on a row of the register, which has no domain that a review could be about.
  decision jsonb,
  primary key (bulk_id, row),
  check ((state = 'running') = ((job_id is not null) and (ended_at is null))),
  constraint bulk_row_check1 check ((state = 'duplicate') = (duplicate_of is not null)),
  constraint bulk_row_sought
    check (state = 'invalid' or ((kind = 'domain') and (domain is not null)) or ((kind = 'register') and (sought is not null))),
  constraint bulk_row_state_check
    check (state in ('waiting', 'running', 'matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed', 'failed',
      'invalid', 'duplicate', 'cancelled'))
);
create index bulk_row_waiting on bulk_row (bulk_id, "row") where state = 'waiting';
create index bulk_row_running on bulk_row (bulk_id) where state = 'running';
create index bulk_row_waiting_kind on bulk_row (bulk_id, kind, "row") where state = 'waiting';

-- The customer's own cells of a row as JSON. Beside the rows, which change often and are counted often.
create table bulk_cells (
  bulk_id text collate "C" not null references bulk (id) on delete cascade,
  row integer not null,
  cells text not null,
  primary key (bulk_id, row)
);

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

-- ================================================================================
-- Watching
-- ================================================================================

-- One per account and mode: a test key watches test companies apart from the real ones.
create table watchlist (
  -- Short, because it stands in every row of the two long tables below.
  id integer generated always as identity primary key,
  account_id text not null references account (id),
  mode text not null check (mode in ('live', 'test')),
  -- The companies on it. Adding takes this row first, so that the plan's cap holds however many add at once.
  used integer not null default 0 check (used >= 0),
  -- Signals up to this moment are read, unless a mark says otherwise.
  read_through timestamptz not null default now(),
  unique (account_id, mode)
);

-- A company that is watched.
create table watch (
  watchlist_id integer not null references watchlist (id),
  -- No foreign key: history outlives a company's row.
  company_number text collate "C" not null,
  watched_at timestamptz not null,
  -- Whether it is on the default list.
  in_default boolean not null default true,
  primary key (watchlist_id, company_number)
);
create index watch_company on watch (company_number);
create index watch_newest on watch (watchlist_id, watched_at desc, company_number desc);

-- The note and the tags of a watched company, the same on every list.
create table watch_note (
  watchlist_id integer not null,
  company_number text collate "C" not null,
  note text not null check (length(note) <= 2000),
  tags text[] not null check (cardinality(tags) <= 20),
  primary key (watchlist_id, company_number),
  foreign key (watchlist_id, company_number) references watch (watchlist_id, company_number) on delete cascade
);

-- The lists of an account, by name.
create table company_list (
  -- Short, because it is in every row of the table below.
  key integer generated always as identity primary key,
  id text collate "C" not null unique,
  watchlist_id integer not null references watchlist (id) on delete cascade,
  name text not null check (length(name) >= 1 and length(name) <= 80),
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

-- The due dates of a list as a calendar. Keyed hash of the secret in its address, which is shown once and stored nowhere.
create table list_calendar (
  list_key integer primary key references company_list (key) on delete cascade,
  token_hash bytea not null unique,
  made_at timestamptz not null
);

-- E-mails of single lists: a digest each day or each week, and e-mails soon after a signal.
create table list_email (
  list_key integer primary key references company_list (key) on delete cascade,
  -- Copies of the list's own, which never change: every signal that is raised looks for the lists of its watchers here.
  watchlist_id integer not null,
  is_default boolean not null,
  digest text not null default 'off' check (digest in ('off', 'daily', 'weekly')),
  -- The digest has every signal from this moment on.
  digest_since timestamptz not null,
  -- Signals before this moment were sent.
  digest_through timestamptz not null,
  -- The e-mail until this moment is queued. The one before it is part of it if it was never sent.
  digest_queued_through timestamptz not null,
  -- When it was turned off. One that is turned on again soon goes on where it was.
  digest_ended_at timestamptz,
  -- The lowest severity of a signal that is sent at once; empty for none.
  instant_severity text check (instant_severity in ('info', 'notice', 'warning')),
  -- When the latest of these e-mails were queued, oldest first; as many as an hour may have.
  instant_queued_at timestamp with time zone[] not null default '{}'
);
create index list_email_watchlist on list_email (watchlist_id);
create index list_email_digest on list_email (digest, digest_queued_through) where digest <> 'off';

-- What changed about a company, said once.
create table signal (
  -- Public as sig_<id>.
  id bigint generated always as identity,
  -- No foreign key: the streams tell of companies before we have them, and history outlives a company's row.
  company_number text collate "C" not null,
  -- As it was when the signal was detected.
  company_name text not null,
  -- One of SIGNAL_TYPES in src/signals/signal-type.ts.
  signal_type text collate "C" not null,
  severity text not null check (severity in ('info', 'notice', 'warning')),
  summary text not null,
  -- The fact's own day where it has one, else the day its change came.
  occurred_on date not null,
  detected_at timestamptz not null,
  -- [{ "field", "from", "to" }]
  changes jsonb not null check (jsonb_typeof(changes) = 'array'),
  -- Where it was learnt: snapshot, stream, rest or sweep; and a reference there.
  source_kind text not null,
  source_reference text not null,
  -- The fact itself, so that it is told once; see src/signals/dedupe.ts.
  dedupe_key text collate "C" not null,
  unique (company_number, signal_type, dedupe_key),
  primary key (company_number, id)
) partition by hash (company_number);
create index signal_id on signal (id);
create index signal_company on signal (company_number, detected_at desc, id desc);
create index signal_detected on signal (detected_at desc, id desc);
create index signal_type_detected on signal (signal_type, detected_at desc, id desc);

-- The feed: a row for each watcher of a signal, written with the signal. Reading costs the same for 10 companies and for
-- 50,000, with and without a type; docs/decisions/0005-feed.md has the figures of the other ways.
create table watched_signal (
  watchlist_id integer not null references watchlist (id),
  detected_at timestamptz not null,
  signal_id bigint not null,
  signal_type text collate "C" not null,
  -- These two are for filters of the feed.
  company_number text collate "C" not null,
  severity text not null,
  primary key (watchlist_id, detected_at, signal_id)
) partition by range (detected_at);
create index watched_signal_type on watched_signal (watchlist_id, signal_type, detected_at, signal_id);

-- Signals whose state differs from `read_through` of their watchlist. The time is that of the row in the feed.
create table signal_mark (
  watchlist_id integer not null references watchlist (id) on delete cascade,
  signal_id bigint not null,
  detected_at timestamptz not null,
  is_read boolean not null,
  primary key (watchlist_id, signal_id)
);
create index signal_mark_detected on signal_mark (watchlist_id, detected_at);

-- How far the search for due dates that passed has come.
create table signal_sweep (
  name text primary key,
  swept_on date not null
);

-- Signals that wait for the next e-mail of a list. Without a foreign key: a list that is deleted must not stop the signals that
-- are raised at this moment. Rows whose list has gone are deleted by the job that reads them.
create table instant_signal (
  list_key integer not null,
  signal_id bigint not null,
  primary key (list_key, signal_id)
);

-- The daily digest of an account.
create table notification_setting (
  account_id text primary key references account (id),
  daily_digest boolean not null default false,
  -- Signals detected before this were told, or are too old to tell.
  digest_through timestamptz not null,
  -- The last digest that has its job goes up to here; a job of an earlier one has nothing left to do.
  digest_queued_through timestamptz not null
);
create index notification_setting_digest on notification_setting (digest_queued_through) where daily_digest;

-- ================================================================================
-- Webhooks
-- ================================================================================

-- Where the events of an account go: a web address, a channel of Slack or Teams, or a developer who listens.
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
  -- A test key neither sees nor changes live destinations.
  mode text not null default 'live' check (mode in ('live', 'test')),
  -- The address of Slack and of Teams is a secret, so it is sealed and `webhook_url` has its masked form.
  kind text not null default 'webhook' check (kind in ('webhook', 'slack', 'teams')),
  address_sealed text,
  -- For the signals of one list. A list takes its destinations along: none becomes one for all signals.
  list_key integer references company_list (key),
  -- For signals from this severity on.
  severity_min text check (severity_min in ('info', 'notice', 'warning')),
  constraint webhook_destination_address_sealed check ((kind = 'webhook') = (address_sealed is null)),
  check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_destination_check1 check ((webhook_url is null) = (listens_until is not null))
);
create index webhook_destination_account on webhook_destination (account_id) where deleted_at is null;
create index webhook_destination_deleted on webhook_destination (deleted_at) where deleted_at is not null;
-- For the sweep: jobs that never began, and jobs that died for good.
create index webhook_destination_wake on webhook_destination (wake_at) where wake_at is not null;
create index webhook_destination_drained on webhook_destination (drained_until) where drained_until is not null;
create index webhook_destination_listens on webhook_destination (listens_until) where listens_until is not null;
create index webhook_destination_list on webhook_destination (list_key) where list_key is not null;

-- What happened, in the words that are sent: one body, however many it is sent to and how often.
create table webhook_event (
  -- The body's `sequence`.
  id bigint generated always as identity primary key,
  event_id text collate "C" not null,
  signal_type text collate "C" not null,
  body text not null check (octet_length(body) <= 20000),
  created_at timestamptz not null
) partition by range (id);
create index webhook_event_event_id on webhook_event (event_id);
create index webhook_event_created on webhook_event (created_at);

-- An event on its way to a destination.
create table webhook_delivery (
  destination_id integer not null references webhook_destination (id),
  event_number bigint not null,
  -- missed: it came while the destination was disabled, or was waiting when that happened.
  state text not null check (state in ('pending', 'delivered', 'failed', 'missed')),
  -- Since it was last begun; a replay begins again.
  attempts integer not null default 0,
  is_replay boolean not null default false,
  due_at timestamptz not null,
  ended_at timestamptz,
  primary key (destination_id, event_number),
  check ((state = 'pending') = (ended_at is null))
) partition by range (event_number);
create index webhook_delivery_due on webhook_delivery (destination_id, due_at, event_number) where state = 'pending';
create index webhook_delivery_event on webhook_delivery (event_number);

-- Each attempt to deliver, with what the receiver said.
create table webhook_attempt (
  id bigint generated always as identity,
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
  response text not null,
  primary key (id, event_number)
) partition by range (event_number);
create index webhook_attempt_destination on webhook_attempt (destination_id, id desc);
create index webhook_attempt_event on webhook_attempt (destination_id, event_number);
create index webhook_attempt_started on webhook_attempt (started_at);

-- Accounts with a webhook destination for their audit log, and the last entry that was published.
create table audit_stream (
  account_id text primary key references account (id),
  published_seq bigint not null
);

-- ================================================================================
-- What all of it stands on
-- ================================================================================

-- Responses stored for `Idempotency-Key`, so that a repeated request gets the first response and does nothing twice.
create table idempotency_key (
  account_id text not null references account (id),
  key text not null,
  -- Hash of method, path and body: the same key with another request is refused.
  fingerprint bytea not null,
  -- Until the response is known, the request at work has the key; the lease of a dead process ends by itself.
  claimed_until timestamptz not null,
  -- Set in the transaction of the work, which a repeat then does not do again, even if the response is lost.
  is_done boolean not null default false,
  status smallint,
  -- Sealed, because a response may contain a key.
  answer_sealed text,
  expires_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_key_expires_at on idempotency_key (expires_at);

-- Unlogged: after a crash the buckets are full again, which harms nobody, and a limit costs no write-ahead log.
create unlogged table rate_bucket (
  key text primary key,
  tokens float not null,
  taken float not null,
  updated_at timestamptz not null
);
create index rate_bucket_updated_at on rate_bucket (updated_at);

-- Hosts and addresses that never accepted a webhook get one request at a time and few a minute, from all processes together: a
-- row says who has the turn and when the last one began.
create table outgoing_turn (
  key text primary key,
  held_by text,
  held_until timestamptz not null default '-infinity',
  begun_at timestamptz not null default '-infinity'
);
create index outgoing_turn_begun on outgoing_turn (begun_at);

-- What the operator says on the public status page.
create table incident (
  id text collate "C" primary key,
  title text not null check (length(title) >= 1 and length(title) <= 200),
  started_at timestamptz not null,
  ended_at timestamptz,
  check (ended_at >= started_at)
);
create index incident_started on incident (started_at desc);

-- What was said about an incident, from 1.
create table incident_update (
  incident_id text collate "C" not null references incident (id),
  number integer not null check (number > 0),
  says text not null check (length(says) >= 1 and length(says) <= 2000),
  created_at timestamptz not null,
  primary key (incident_id, number)
);

-- ================================================================================
-- Partitions
-- ================================================================================

-- How each table is split. `make_partitions` reads it.
--   number: ranges of numbers. Those of a week begin at its count since 1970 times a billion, so that a number says when it
--           was drawn, and rows that are found by number need no time in their key.
--   month:  ranges of a time.
create table partitioning (
  table_name text primary key,
  kind text not null check (kind in ('number', 'month')),
  period text not null check (period in ('week', 'month')),
  -- The table whose sequence draws the numbers; only for `number`.
  numbered_by text,
  column_name text not null
);

insert into partitioning (table_name, kind, period, numbered_by, column_name) values
  ('webhook_event', 'number', 'week', 'webhook_event', 'id'),
  ('webhook_delivery', 'number', 'week', 'webhook_event', 'event_number'),
  ('webhook_attempt', 'number', 'week', 'webhook_event', 'event_number'),
  ('watched_signal', 'month', 'month', null, 'detected_at'),
  ('resolution', 'month', 'month', null, 'resolved_at');

-- Eight partitions by a hash, and for months one with the rows that came before their own partition.
do $$
declare
  name text;
begin
  foreach name in array array['signal', 'credit_hold', 'paid_subject', 'ledger_entry', 'resolution_job'] loop
    for remainder in 0..7 loop
      execute format('create table part.%I partition of %I for values with (modulus 8, remainder %s)',
        name || '_' || remainder, name, remainder);
    end loop;
  end loop;
  foreach name in array array['watched_signal', 'resolution'] loop
    execute format('create table part.%I partition of %I default', name || '_rest', name);
  end loop;
end $$;

-- Which week or month a time is in, and when it begins.
create function period_number(period text, at timestamptz) returns bigint language sql immutable as $$
  select case period
    when 'week' then floor(extract(epoch from at) / 604800)::bigint
    else (extract(year from at at time zone 'UTC') * 12 + extract(month from at at time zone 'UTC') - 1)::bigint end
$$;

create function month_start(number bigint) returns timestamptz language sql immutable as $$
  select make_timestamptz((number / 12)::integer, (number % 12)::integer + 1, 1, 0, 0, 0, 'UTC')
$$;

-- Creates the partitions of this period and the next ones, and draws numbers from the range of this period. Safe to run at
-- any time and any number of times. If it does not run for long, rows go to the last partition of numbers, or to the rest.
create function make_partitions(at timestamptz, ahead integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
declare
  split partitioning;
  present bigint;
  number bigint;
  name text;
  range_start text;
  range_end text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('make_partitions'));
  for split in select * from partitioning order by table_name loop
    present := period_number(split.period, at);
    for number in select generate_series(present, present + ahead) loop
      name := split.table_name || '_' || number;
      range_start := case split.kind when 'number' then (number * 1000000000)::text else month_start(number)::text end;
      range_end := case split.kind when 'number' then ((number + 1) * 1000000000)::text else month_start(number + 1)::text end;
      if to_regclass('part.' || name) is not null then
        continue;
      end if;
      begin
        execute format('create table part.%I (like public.%I including defaults including constraints including storage)',
          name, split.table_name);
        if split.kind = 'month' then
          -- Rows that came before their partition are in the rest.
          execute format('with moved as (delete from part.%1$I where %2$I >= %3$L and %2$I < %4$L returning *)
            insert into part.%5$I select * from moved', split.table_name || '_rest', split.column_name, range_start, range_end, name);
        end if;
        execute format('alter table public.%I attach partition part.%I for values from (%L) to (%L)',
          split.table_name, name, range_start, range_end);
      exception when invalid_object_definition then
        -- Another partition has this period.
        continue;
      end;
      made := made + 1;
    end loop;
    if split.kind = 'number' and split.table_name = split.numbered_by then
      perform setval(pg_get_serial_sequence(split.table_name, split.column_name), present * 1000000000)
      from pg_sequences
      where format('%I.%I', schemaname, sequencename)::regclass
          = pg_get_serial_sequence(split.table_name, split.column_name)::regclass
        and coalesce(last_value, 0) < present * 1000000000
        and to_regclass('part.' || split.table_name || '_' || present) is not null;
    end if;
  end loop;
  return made;
end $$;

select make_partitions(now(), 1);

-- Drops the partitions of webhooks in which every event is older than this. Returns how many weeks it dropped.
create function drop_old_events(before timestamptz) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
declare
  week record;
  is_newer boolean;
  dropped integer := 0;
begin
  for week in
    select substring(child.relname from 'webhook_event_(.*)') as name
    from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'public.webhook_event'::regclass
      -- Numbers are drawn from a later range by now, so that no row is added here.
      and (regexp_match(pg_get_expr(child.relpartbound, child.oid), $re$TO \('?(\d+)'?\)$re$))[1]::bigint <= (
        select last_value from pg_sequences
        where format('%I.%I', schemaname, sequencename)::regclass = pg_get_serial_sequence('webhook_event', 'id')::regclass)
    order by 1
  loop
    execute format('select exists (select from part.%I where created_at > $1)', 'webhook_event_' || week.name)
      into is_newer using before;
    if not is_newer then
      execute format('drop table part.%I, part.%I, part.%I', 'webhook_attempt_' || week.name,
        'webhook_delivery_' || week.name, 'webhook_event_' || week.name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;

-- Who may call what runs as the owner of the tables is granted with the role that serves.
revoke execute on function append_to_audit_chain, chain_audit_event, forget_addresses, erase_trail, make_partitions,
    drop_old_events
  from public;
