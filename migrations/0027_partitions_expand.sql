-- short locks
-- Large tables become partitioned while the service runs, in three steps. This one creates the partitioned tables beside
-- the tables they will replace, and mirrors every change from now on. The next one copies the rows that were there before,
-- in batches. The last one puts the new tables in place of the old ones, in one short transaction.
--
-- Partitions are in a schema of their own. Statements name only the whole tables, which are in `public`.
set local lock_timeout = '2s';

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
  id bigint not null generated always as identity,
  event_id text not null,
  signal_type text not null,
  body text not null,
  created_at timestamptz not null,
  constraint webhook_event_pkey primary key (id),
  constraint webhook_event_body_check check (octet_length(body) <= 20000)
) partition by range (id);
create index webhook_event_event_id on partitioned.webhook_event (event_id);
create index webhook_event_created on partitioned.webhook_event (created_at);

create table partitioned.webhook_delivery (
  destination_id integer not null,
  event_number bigint not null,
  state text not null,
  attempts integer not null default 0,
  is_replay boolean not null default false,
  due_at timestamptz not null,
  ended_at timestamptz,
  constraint webhook_delivery_pkey primary key (destination_id, event_number),
  constraint webhook_delivery_destination_id_fkey foreign key (destination_id) references webhook_destination (id),
  constraint webhook_delivery_check check ((state = 'pending') = (ended_at is null)),
  constraint webhook_delivery_state_check check (state in ('pending', 'delivered', 'failed', 'missed'))
) partition by range (event_number);
create index webhook_delivery_due on partitioned.webhook_delivery (destination_id, due_at, event_number)
  where state = 'pending';
create index webhook_delivery_event on partitioned.webhook_delivery (event_number);

create table partitioned.webhook_attempt (
  id bigint not null generated always as identity,
  destination_id integer not null,
  event_number bigint not null,
  attempt integer not null,
  is_replay boolean not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  response text not null,
  constraint webhook_attempt_pkey primary key (id, event_number),
  constraint webhook_attempt_destination_id_fkey foreign key (destination_id) references webhook_destination (id)
) partition by range (event_number);
create index webhook_attempt_destination on partitioned.webhook_attempt (destination_id, id desc);
create index webhook_attempt_event on partitioned.webhook_attempt (destination_id, event_number);
create index webhook_attempt_started on partitioned.webhook_attempt (started_at);

-- By hash, and not by month: a signal is raised once, in whichever month.
create table partitioned.signal (
  id bigint not null generated always as identity,
  company_number text not null,
  company_name text not null,
  signal_type text not null,
  severity text not null,
  summary text not null,
  occurred_on date not null,
  detected_at timestamptz not null,
  changes jsonb not null,
  source_kind text not null,
  source_reference text not null,
  dedupe_key text not null,
  constraint signal_pkey primary key (company_number, id),
  constraint signal_company_number_signal_type_dedupe_key_key unique (company_number, signal_type, dedupe_key),
  constraint signal_changes_check check (jsonb_typeof(changes) = 'array'),
  constraint signal_severity_check check (severity in ('info', 'notice', 'warning'))
) partition by hash (company_number);
create index signal_id on partitioned.signal (id);
create index signal_company on partitioned.signal (company_number, detected_at desc, id desc);
create index signal_detected on partitioned.signal (detected_at desc, id desc);
create index signal_type_detected on partitioned.signal (signal_type, detected_at desc, id desc);

create table partitioned.watched_signal (
  watchlist_id integer not null,
  detected_at timestamptz not null,
  signal_id bigint not null,
  signal_type text not null,
  constraint watched_signal_pkey primary key (watchlist_id, detected_at, signal_id),
  constraint watched_signal_watchlist_id_fkey foreign key (watchlist_id) references watchlist (id)
) partition by range (detected_at);
create index watched_signal_type on partitioned.watched_signal (watchlist_id, signal_type, detected_at, signal_id);

create table partitioned.resolution (
  id text not null,
  domain text not null,
  outcome text not null,
  situation text not null,
  confidence real,
  company_number text,
  reason text not null,
  findings jsonb not null,
  model_version text not null,
  resolved_at timestamptz not null,
  constraint resolution_pkey primary key (id, resolved_at),
  constraint resolution_check check ((outcome = 'matched') = (company_number is not null)),
  constraint resolution_confidence_check check (confidence >= 0 and confidence <= 1),
  constraint resolution_outcome_check
    check (outcome in ('matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed'))
) partition by range (resolved_at);
create index resolution_domain on partitioned.resolution (domain, resolved_at desc);

-- Rows of accounts, by hash: nearly every statement names the account.
create table partitioned.credit_hold (
  id text not null,
  account_id text not null,
  reference text not null,
  amount bigint not null,
  state text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  cap_id text,
  cap_day date,
  constraint credit_hold_pkey primary key (account_id, id),
  constraint credit_hold_account_id_reference_key unique (account_id, reference),
  constraint credit_hold_account_id_fkey foreign key (account_id) references account (id),
  constraint credit_hold_cap_id_fkey foreign key (cap_id) references spending_cap (id) on delete set null,
  constraint credit_hold_amount_check check (amount > 0),
  constraint credit_hold_check check ((state = 'held') = (settled_at is null)),
  constraint credit_hold_state_check check (state in ('held', 'captured', 'released'))
) partition by hash (account_id);
create index credit_hold_id on partitioned.credit_hold (id);
create index credit_hold_cap on partitioned.credit_hold (cap_id) where cap_id is not null;
create index credit_hold_open on partitioned.credit_hold (expires_at) where state = 'held';

create table partitioned.paid_subject (
  account_id text not null,
  kind text not null,
  subject text not null,
  paid_until timestamptz not null,
  reference text,
  constraint paid_subject_pkey primary key (account_id, kind, subject),
  constraint paid_subject_account_id_fkey foreign key (account_id) references account (id),
  constraint paid_subject_kind_check check (kind in ('domain', 'company'))
) partition by hash (account_id);
create index paid_subject_until on partitioned.paid_subject (paid_until);

-- These two refer to holds, so they are mirrored and filled once all holds are there.
create table partitioned.ledger_entry (
  id bigint not null generated always as identity,
  account_id text not null,
  kind text not null,
  amount bigint not null,
  reason text not null,
  reference text not null,
  hold_id text,
  balance_delta bigint not null,
  held_delta bigint not null,
  balance_after bigint not null,
  held_after bigint not null,
  created_at timestamptz not null,
  constraint ledger_entry_pkey primary key (account_id, id),
  constraint ledger_entry_account_id_kind_reference_key unique (account_id, kind, reference),
  constraint ledger_entry_account_id_fkey foreign key (account_id) references account (id),
  constraint ledger_entry_hold_id_fkey foreign key (account_id, hold_id) references partitioned.credit_hold (account_id, id),
  constraint deltas_follow_kind check (
    case kind
      when 'grant' then balance_delta = amount and held_delta = 0
      when 'hold' then balance_delta = 0 and held_delta = amount
      when 'capture' then balance_delta = -amount and held_delta = -amount
      when 'release' then balance_delta = 0 and held_delta = -amount
      when 'refund' then balance_delta = amount and held_delta = 0
    end),
  constraint ledger_entry_amount_check check (amount > 0),
  constraint ledger_entry_balance_after_check check (balance_after >= 0),
  constraint ledger_entry_check check ((hold_id is null) = (kind = 'grant')),
  constraint ledger_entry_held_after_check check (held_after >= 0),
  constraint ledger_entry_kind_check check (kind in ('grant', 'hold', 'capture', 'release', 'refund')),
  constraint ledger_entry_reason_check check (reason <> '')
) partition by hash (account_id);
create index ledger_entry_hold on partitioned.ledger_entry (hold_id) where hold_id is not null;

create table partitioned.resolution_job (
  id text not null,
  account_id text not null,
  kind text not null,
  subject text not null,
  input text not null,
  status text not null,
  hold_id text,
  resolution_id text,
  website_search_id text,
  charged boolean not null default false,
  charge_reason text not null default 'pending',
  error_message text,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  shape text not null default 'enrich',
  second_reader boolean not null default true,
  constraint resolution_job_pkey primary key (account_id, id),
  constraint resolution_job_account_id_fkey foreign key (account_id) references account (id),
  constraint resolution_job_hold_id_fkey foreign key (account_id, hold_id) references partitioned.credit_hold (account_id, id),
  constraint resolution_job_website_search_id_fkey foreign key (website_search_id) references website_search (id),
  constraint resolution_job_check check ((status in ('completed', 'failed')) = (finished_at is not null)),
  constraint resolution_job_kind_check check (kind in ('domain', 'company')),
  constraint resolution_job_shape_check check (shape in ('enrich', 'resolution', 'partner')),
  constraint resolution_job_status_check check (status in ('pending', 'processing', 'completed', 'failed'))
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
