-- short locks
-- Entries of the audit log name who acted and what it was before and after, and form a chain for each account: the hash of an
-- entry covers the entry before it. Addresses and details are covered by salted hashes, so that they can be removed and the
-- chain still holds. The database makes the chain, so the previous release lives with it: its entries join the chain too.
set local lock_timeout = '2s';

alter table audit_event
  add column mode text check (mode in ('live', 'test')),
  add column actor_kind text,
  add column actor_id text,
  add column user_agent text,
  add column before jsonb,
  add column after jsonb,
  add column seq bigint,
  add column origin_salt bytea,
  add column origin_hash bytea,
  add column content_salt bytea,
  add column content_hash bytea,
  add column previous_hash bytea,
  add column entry_hash bytea;
create unique index audit_event_chain on audit_event (account_id, seq) where seq is not null;

-- The end of the chain of each account. Without a reference to the account: the log outlives a sign-up that is forgotten.
create table audit_chain (
  account_id text primary key,
  entries bigint not null default 0,
  head_hash bytea not null default decode(repeat('00', 32), 'hex')
);

-- Accounts with a webhook destination for their audit log, and the last entry that was published.
create table audit_stream (
  account_id text primary key references account (id),
  published_seq bigint not null
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

-- Entries from before the chain come first, in their order. `last_id` is excluded.
create function start_audit_chain(chained_account text, last_id bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  event audit_event;
  link bigint := 0;
  hash bytea;
begin
  select head_hash into hash from audit_chain where account_id = chained_account for update;
  for event in
    select * from audit_event
    where account_id = chained_account and entry_hash is null and id < last_id order by id
  loop
    link := link + 1;
    hash := append_to_audit_chain(event, link, hash);
  end loop;
  update audit_chain set entries = link, head_hash = hash where account_id = chained_account;
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
  if found then
    perform start_audit_chain(new.account_id, new.id);
  end if;
  select entries + 1, head_hash into link, hash from audit_chain where account_id = new.account_id for update;
  hash := append_to_audit_chain(new, link, hash);
  update audit_chain set entries = link, head_hash = hash where account_id = new.account_id;
  return null;
end $$;

-- An entry stays what it was. It joins the chain once. Where it came from may be forgotten; with an erased account also the
-- request and what the entry is about.
create or replace function audit_event_only_forgets() returns trigger language plpgsql as $$
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

create or replace function forget_addresses(before timestamptz, rows_max integer) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp
begin atomic
  with forgotten as (
    update audit_event set ip = null, user_agent = null, origin_salt = null
    where id in (select id from audit_event where ip is not null and at < forget_addresses.before order by at limit rows_max)
    returning 1
  )
  select count(*) from forgotten;
end;

create or replace function erase_trail(erased_account text, rows_max integer) returns bigint
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

create constraint trigger audit_event_chained after insert on audit_event
  deferrable initially deferred for each row when (new.account_id is not null)
  execute function chain_audit_event();

-- Starts the chains of accounts whose entries are all older than the chain. Returns how many accounts are left.
create function start_audit_chains(accounts_max integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  unchained text;
  started bigint := 0;
begin
  for unchained in
    select distinct account_id from audit_event event
    where account_id is not null and not exists (select from audit_chain chain where chain.account_id = event.account_id)
    limit accounts_max
  loop
    insert into audit_chain (account_id) values (unchained) on conflict do nothing;
    if found then
      perform start_audit_chain(unchained, 9223372036854775807);
    end if;
    started := started + 1;
  end loop;
  return started;
end $$;

revoke execute on function append_to_audit_chain, start_audit_chain, chain_audit_event, start_audit_chains from public;
