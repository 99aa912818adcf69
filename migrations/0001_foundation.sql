-- What every feature stands on: rate limits that several processes share, answers kept for Idempotency-Key, audit.
-- Safe with the previous release: yes (first migration).

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Unlogged: after a crash the buckets are full again, which harms nobody, and a limit costs no write-ahead log.
create unlogged table rate_bucket (
  key text primary key,
  tokens double precision not null,
  taken double precision not null,
  updated_at timestamptz not null
);
create index rate_bucket_updated_at on rate_bucket (updated_at);

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
  created_at timestamptz not null
);
create index account_plan_renews_on on account (plan_renews_on) where plan_renews_on is not null;

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

create table idempotency_key (
  account_id text not null references account (id),
  key text not null,
  -- Hash of method, path and body: the same key with another request is refused.
  fingerprint bytea not null,
  -- Until the answer is known, whoever holds the claim is at work; a claim of a dead process ends by itself.
  claimed_until timestamptz not null,
  status smallint,
  -- Sealed, since an answer may hold a key.
  answer_sealed text,
  expires_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_key_expires_at on idempotency_key (expires_at);

create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  account_id text references account (id),
  action text not null,
  outcome text not null,
  ip text,
  request_id text,
  details jsonb not null default '{}'
);
create index audit_event_account on audit_event (account_id, id desc);
create trigger audit_event_append_only before update or delete on audit_event
  for each row execute function refuse_change();
create trigger audit_event_never_emptied before truncate on audit_event
  for each statement execute function refuse_change();
