-- short locks
-- Large tables become partitioned while the service runs, in three steps. This one creates the partitioned tables beside
-- the tables they will replace, and mirrors every change from now on. The next one copies the rows that were there before,
-- in batches. The last one puts the new tables in place of the old ones, in one short transaction.
--
-- Partitions are in a schema of their own. Statements name only the whole tables, which are in `public`.
-- Shorter than `deadlock_timeout`, so that this gives up where it and a request wait for each other, and not the request.
set local lock_timeout = '500ms';

create schema part;
create schema partitioned;

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

-- Which week or month a time is in, and when it begins.
create function period_number(period text, at timestamptz) returns bigint language sql immutable as $$
  select case period
    when 'week' then floor(extract(epoch from at) / 604800)::bigint
    else (extract(year from at at time zone 'UTC') * 12 + extract(month from at at time zone 'UTC') - 1)::bigint end
$$;

create function month_start(number bigint) returns timestamptz language sql immutable as $$
  select make_timestamptz((number / 12)::integer, (number % 12)::integer + 1, 1, 0, 0, 0, 'UTC')
$$;

create table partitioned.webhook_event (
  like public.webhook_event including defaults including identity including constraints including storage,
  constraint webhook_event_pkey primary key (id)
) partition by range (id);
create index webhook_event_event_id on partitioned.webhook_event (event_id);
create index webhook_event_created on partitioned.webhook_event (created_at);

create table partitioned.webhook_delivery (
  like public.webhook_delivery including defaults including identity including constraints including storage,
  constraint webhook_delivery_pkey primary key (destination_id, event_number),
  constraint webhook_delivery_destination_id_fkey foreign key (destination_id) references webhook_destination (id)
) partition by range (event_number);
create index webhook_delivery_due on partitioned.webhook_delivery (destination_id, due_at, event_number)
  where state = 'pending';
create index webhook_delivery_event on partitioned.webhook_delivery (event_number);

create table partitioned.webhook_attempt (
  like public.webhook_attempt including defaults including identity including constraints including storage,
  constraint webhook_attempt_pkey primary key (id, event_number),
  constraint webhook_attempt_destination_id_fkey foreign key (destination_id) references webhook_destination (id)
) partition by range (event_number);
create index webhook_attempt_destination on partitioned.webhook_attempt (destination_id, id desc);
create index webhook_attempt_event on partitioned.webhook_attempt (destination_id, event_number);
create index webhook_attempt_started on partitioned.webhook_attempt (started_at);

-- By hash, and not by month: a signal is raised once, in whichever month.
create table partitioned.signal (
  like public.signal including defaults including identity including constraints including storage,
  constraint signal_pkey primary key (company_number, id),
  constraint signal_company_number_signal_type_dedupe_key_key unique (company_number, signal_type, dedupe_key)
) partition by hash (company_number);
create index signal_id on partitioned.signal (id);
create index signal_company on partitioned.signal (company_number, detected_at desc, id desc);
create index signal_detected on partitioned.signal (detected_at desc, id desc);
create index signal_type_detected on partitioned.signal (signal_type, detected_at desc, id desc);

create table partitioned.watched_signal (
  like public.watched_signal including defaults including identity including constraints including storage,
  constraint watched_signal_pkey primary key (watchlist_id, detected_at, signal_id),
  constraint watched_signal_watchlist_id_fkey foreign key (watchlist_id) references watchlist (id)
) partition by range (detected_at);
create index watched_signal_type on partitioned.watched_signal (watchlist_id, signal_type, detected_at, signal_id);

create table partitioned.resolution (
  like public.resolution including defaults including identity including constraints including storage,
  constraint resolution_pkey primary key (id, resolved_at)
) partition by range (resolved_at);
create index resolution_domain on partitioned.resolution (domain, resolved_at desc);

-- Rows of accounts, by hash: nearly every statement names the account.
create table partitioned.credit_hold (
  like public.credit_hold including defaults including identity including constraints including storage,
  constraint credit_hold_pkey primary key (account_id, id),
  constraint credit_hold_account_id_reference_key unique (account_id, reference),
  constraint credit_hold_account_id_fkey foreign key (account_id) references account (id),
  constraint credit_hold_cap_id_fkey foreign key (cap_id) references spending_cap (id) on delete set null
) partition by hash (account_id);
create index credit_hold_id on partitioned.credit_hold (id);
create index credit_hold_cap on partitioned.credit_hold (cap_id) where cap_id is not null;
create index credit_hold_open on partitioned.credit_hold (expires_at) where state = 'held';

create table partitioned.paid_subject (
  like public.paid_subject including defaults including identity including constraints including storage,
  constraint paid_subject_pkey primary key (account_id, kind, subject),
  constraint paid_subject_account_id_fkey foreign key (account_id) references account (id)
) partition by hash (account_id);
create index paid_subject_until on partitioned.paid_subject (paid_until);

-- These two refer to holds, so they are mirrored and filled once all holds are there. A statement may write a row before the
-- hold that it refers to, so until the last step the references are checked when a transaction ends.
create table partitioned.ledger_entry (
  like public.ledger_entry including defaults including identity including constraints including storage,
  constraint ledger_entry_pkey primary key (account_id, id),
  constraint ledger_entry_account_id_kind_reference_key unique (account_id, kind, reference),
  constraint ledger_entry_account_id_fkey foreign key (account_id) references account (id),
  constraint ledger_entry_hold_id_fkey foreign key (account_id, hold_id) references partitioned.credit_hold (account_id, id)
    deferrable initially deferred
) partition by hash (account_id);
create index ledger_entry_hold on partitioned.ledger_entry (hold_id) where hold_id is not null;

create table partitioned.resolution_job (
  like public.resolution_job including defaults including identity including constraints including storage,
  constraint resolution_job_pkey primary key (account_id, id),
  constraint resolution_job_account_id_fkey foreign key (account_id) references account (id),
  constraint resolution_job_hold_id_fkey foreign key (account_id, hold_id) references partitioned.credit_hold (account_id, id)
    deferrable initially deferred,
  constraint resolution_job_website_search_id_fkey foreign key (website_search_id) references website_search (id)
) partition by hash (account_id);
create index resolution_job_id on partitioned.resolution_job (id);
create index resolution_job_account on partitioned.resolution_job (account_id, created_at desc);
create index resolution_job_expiry on partitioned.resolution_job (expires_at);
create index resolution_job_hold on partitioned.resolution_job (hold_id);
create index resolution_job_open on partitioned.resolution_job (kind, subject) where finished_at is null;
create index resolution_job_resolution on partitioned.resolution_job (resolution_id);
create index resolution_job_website on partitioned.resolution_job (website_search_id);

do $$
declare
  split partitioning;
  hashed text;
  first_number bigint;
begin
  foreach hashed in array array['signal', 'credit_hold', 'paid_subject', 'ledger_entry', 'resolution_job'] loop
    for remainder in 0..7 loop
      execute format('create table part.%I partition of partitioned.%I for values with (modulus 8, remainder %s)',
        hashed || '_' || remainder, hashed, remainder);
    end loop;
  end loop;
  -- Everything up to the end of this week or month is in a first partition.
  for split in select * from partitioning loop
    first_number := period_number(split.period, now()) + 1;
    execute format('create table part.%I partition of partitioned.%I for values from (minvalue) to (%L)',
      split.table_name || '_first', split.table_name,
      case split.kind when 'number' then (first_number * 1000000000)::text else month_start(first_number)::text end);
    if split.kind = 'month' then
      execute format('create table part.%I partition of partitioned.%I default', split.table_name || '_rest', split.table_name);
    end if;
  end loop;
end $$;

-- Repeats a change of a row in the partitioned table. The arguments are its key and its other columns.
create function mirror_row() returns trigger language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  keys text := tg_argv[0];
  others text := tg_argv[1];
begin
  if tg_op = 'DELETE' then
    execute format('delete from partitioned.%I where (%s) = (%s)', tg_table_name, keys,
      regexp_replace(keys, '(\w+)', '($1).\1', 'g')) using old;
    return old;
  end if;
  execute format('insert into partitioned.%I overriding system value select ($1).* on conflict (%s) do update set %s',
    tg_table_name, keys, regexp_replace(others, '(\w+)', '\1 = excluded.\1', 'g')) using new;
  return new;
end $$;

-- How far the rows of each table are copied, in pages of the old table. Those that are written later are mirrored.
create table partition_copy (
  table_name text primary key,
  turn integer not null,
  next_page bigint not null default 0,
  pages bigint not null
);

create function start_mirror(name text, turn integer) returns void language plpgsql as $$
declare
  keys text := (
    select string_agg(a.attname, ',' order by k.n) from pg_constraint c
    cross join unnest(c.conkey) with ordinality k (attnum, n)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
    where c.conrelid = format('partitioned.%I', name)::regclass and c.contype = 'p');
  others text := (
    select string_agg(attname, ',' order by attnum) from pg_attribute
    where attrelid = format('partitioned.%I', name)::regclass and attnum > 0 and not attisdropped
      and attidentity = '' and not attname = any (string_to_array(keys, ',')));
begin
  execute format('create trigger mirrored after insert or update or delete on public.%I for each row execute function mirror_row(%L, %L)',
    name, keys, others);
  -- From here on no writer is left that does not see the trigger: what it writes is in the pages counted now, or mirrored.
  insert into partition_copy (table_name, turn, pages)
  values (name, turn, pg_relation_size(format('public.%I', name)::regclass) / current_setting('block_size')::bigint);
end $$;

-- Copies the rows in the next pages of the first table that is not done. Rows are locked against deletion until they are
-- copied. Returns how many pages are left, of all tables of this turn.
create function copy_pages(copied_turn integer, count bigint) returns bigint language plpgsql as $$
declare
  copied partition_copy;
begin
  select * into copied from partition_copy
  where turn = copied_turn and next_page < pages order by table_name limit 1 for update;
  if copied.table_name is null then
    return 0;
  end if;
  execute format('insert into partitioned.%1$I overriding system value
    select * from public.%1$I where ctid >= %2$L::tid and ctid < %3$L::tid for key share
    on conflict do nothing', copied.table_name,
    format('(%s,0)', copied.next_page), format('(%s,0)', copied.next_page + count));
  update partition_copy set next_page = next_page + count where table_name = copied.table_name;
  return (select sum(greatest(pages - next_page, 0)) from partition_copy where turn = copied_turn);
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['webhook_event', 'webhook_delivery', 'webhook_attempt', 'signal', 'watched_signal',
    'resolution', 'credit_hold', 'paid_subject'] loop
    perform start_mirror(name, 1);
  end loop;
end $$;
