-- short locks
-- Puts the partitioned tables in place of the old ones. Statements wait while this runs, which is a moment: no row moves.
set local lock_timeout = '500ms';

lock table webhook_event, webhook_delivery, webhook_attempt, signal, watched_signal, resolution, credit_hold, paid_subject,
  ledger_entry, resolution_job in access exclusive mode;

-- An answer's month is part of its key now, and other rows name it by its id alone. Answers are never deleted; old ones
-- move to the archive, where they are found by the same id.
alter table known_domain drop constraint known_domain_resolution_id_fkey;
alter table refund_request drop constraint refund_request_fresh_resolution_id_fkey;
alter table review_decision drop constraint review_decision_resolution_id_fkey;
alter table review_item drop constraint review_item_resolution_id_fkey;
alter table site_claim drop constraint site_claim_resolution_id_fkey;
alter table website_search drop constraint website_search_resolution_id_fkey;

do $$
declare
  name text;
  numbered record;
  granted record;
begin
  for numbered in
    select * from (values ('webhook_event'), ('webhook_attempt'), ('signal'), ('ledger_entry')) as numbered (name)
  loop
    perform setval(pg_get_serial_sequence('partitioned.' || numbered.name, 'id'),
      nextval(pg_get_serial_sequence('public.' || numbered.name, 'id')));
  end loop;
  foreach name in array array['resolution_job', 'ledger_entry', 'credit_hold', 'paid_subject', 'webhook_delivery',
    'webhook_attempt', 'webhook_event', 'watched_signal', 'signal', 'resolution'] loop
    -- Whoever may use the old table may use the new one.
    for granted in
      select pg_get_userbyid(acl.grantee) as role, string_agg(acl.privilege_type, ', ') as privileges
      from pg_class, aclexplode(relacl) acl
      where oid = format('public.%I', name)::regclass and acl.grantee <> 0 and acl.grantee <> relowner
      group by acl.grantee
    loop
      execute format('grant %s on partitioned.%I to %I', granted.privileges, name, granted.role);
      if name in ('webhook_event', 'webhook_attempt', 'signal', 'ledger_entry') then
        execute format('grant usage, select on sequence %s to %I',
          pg_get_serial_sequence('partitioned.' || name, 'id'), granted.role);
      end if;
    end loop;
    execute format('drop table public.%I', name);
    execute format('alter table partitioned.%I set schema public', name);
  end loop;
end $$;

alter table ledger_entry alter constraint ledger_entry_hold_id_fkey not deferrable;
alter table resolution_job alter constraint resolution_job_hold_id_fkey not deferrable;

create trigger ledger_entry_append_only before delete or update on ledger_entry
  for each row execute function refuse_change();
create trigger ledger_entry_never_emptied before truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger resolution_never_changes before update on resolution for each row execute function refuse_change();

drop function copy_pages;
drop function start_mirror;
drop function mirror_row;
drop table partition_copy;
drop schema partitioned;

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
      if to_regclass('part.' || name) is not null or is_in_first(split, range_start) then
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
        -- Another partition has this period: its answers are in the archive.
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

-- Whether the first partition, which has no name of a period, ends after this.
create function is_in_first(split partitioning, range_start text) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  first_end text := (
    select (regexp_match(pg_get_expr(relpartbound, oid), $re$TO \('?([^')]+)'?\)$re$))[1] from pg_class
    where oid = to_regclass('part.' || split.table_name || '_first'));
begin
  if first_end is null then
    return false;
  end if;
  return case split.kind
    when 'number' then range_start::bigint < first_end::bigint
    else range_start::timestamptz < first_end::timestamptz end;
end $$;

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

-- By default everybody may call a function. `nameplated migrate` lets the role that serves call these.
revoke execute on function make_partitions, is_in_first, drop_old_events from public;
