-- Accounts can be disabled and erased, and personal data can leave the append-only tables, by two functions and nothing else.
-- The previous release lives with it: the new columns may be null, and what it writes is refused no more than before.

alter table account
  add column disabled_at timestamptz,
  add column erased_at timestamptz,
  add constraint account_erased_is_disabled check (erased_at is null or disabled_at is not null);

create index audit_event_address on audit_event (at) where ip is not null;

-- An event stays what it was. Its address may be forgotten; with an erased account also the request and the details.
create function audit_event_only_forgets() returns trigger language plpgsql as $$
declare
  is_erased boolean := exists (select from account where id = old.account_id and erased_at is not null);
begin
  if tg_op = 'UPDATE' and new.ip is null
    and (new.request_id is not distinct from old.request_id or (is_erased and new.request_id is null))
    and (new.details = old.details or (is_erased and new.details = '{}'))
    and to_jsonb(new) - '{ip,request_id,details}'::text[] = to_jsonb(old) - '{ip,request_id,details}'::text[]
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

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

drop trigger audit_event_append_only on audit_event;
create trigger audit_event_append_only before update or delete on audit_event
  for each row execute function audit_event_only_forgets();
drop trigger review_decision_append_only on review_decision;
create trigger review_decision_append_only before update or delete on review_decision
  for each row execute function review_decision_only_forgets();

-- For a role that may not update these tables at all.
create function forget_addresses(before timestamptz, rows_max integer) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp
begin atomic
  with forgotten as (
    update audit_event set ip = null
    where id in (select id from audit_event where ip is not null and at < before order by at limit rows_max)
    returning 1
  )
  select count(*) from forgotten;
end;

create function erase_trail(erased_account text, rows_max integer) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp
begin atomic
  with event as (
    update audit_event set ip = null, request_id = null, details = '{}'
    where id in (
      select id from audit_event
      where account_id = erased_account and (ip is not null or request_id is not null or details <> '{}') limit rows_max)
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

revoke execute on function forget_addresses, erase_trail from public;
