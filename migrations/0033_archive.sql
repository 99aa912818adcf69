-- Answers of old months move to files. A file has some hundred answers of one month, in the order of their ids.
create table archived_file (
  month text collate "C" not null,
  first_id text collate "C" not null,
  last_id text collate "C" not null,
  -- Four bytes of the hash of each id, so that only the file of an answer is read.
  id_hashes integer[] not null,
  path text not null,
  answers integer not null check (answers > 0),
  sha256 text not null,
  archived_at timestamptz not null,
  primary key (month, first_id)
);

-- The partitions of answers that ended before this, the oldest first.
create function old_answer_months(before timestamptz)
  returns table (name text, starts_at timestamptz, ends_at timestamptz)
  language sql stable set search_path = pg_catalog, public as $$
  select month.* from (
    select child.relname::text,
      coalesce((regexp_match(pg_get_expr(relpartbound, child.oid), $re$FROM \('([^']+)'\)$re$))[1], '-infinity')::timestamptz,
      (regexp_match(pg_get_expr(relpartbound, child.oid), $re$TO \('([^']+)'\)$re$))[1]::timestamptz
    from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'public.resolution'::regclass
      and child.relname ~ '^resolution_(first|\d+)$'
  ) as month (name, starts_at, ends_at)
  where month.ends_at <= before
  order by month.ends_at
$$;

-- Puts a partition that has only the answers which other rows refer to in place of a month whose answers are all in files.
-- Readers wait for a moment at the end. Returns how many answers stay.
create function retire_answers(month_name text) returns bigint
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
declare
  kept_name text := replace(month_name, 'resolution_', 'resolution_kept_');
  in_files bigint;
  in_table bigint;
  bounds text;
  bounds_check text;
  kept bigint;
  referred text := 'id in (
    select resolution_id from known_domain union all select rules_resolution_id from known_domain
    union all select resolution_id from site_claim union all select resolution_id from website_search
    union all select resolution_id from resolution_job union all %s)';
  -- These may refer to an old answer at any time, the others only to the newest of a domain.
  reviewed text := 'select resolution_id from review_item union all select resolution_id from review_decision
    union all select fresh_resolution_id from refund_request';
begin
  if not exists (select from old_answer_months('infinity') where name = month_name) then
    raise exception '% is no month of answers', month_name;
  end if;
  -- No answer is added while they are counted.
  execute format('lock table part.%I in share mode', month_name);
  select coalesce(sum(answers), 0) into in_files from archived_file where month = month_name;
  execute format('select count(*) from part.%I', month_name) into in_table;
  if in_files <> in_table then
    raise exception '% has % answers and its files have %', month_name, in_table, in_files;
  end if;
  select pg_get_partition_constraintdef(oid), pg_get_expr(relpartbound, oid) into strict bounds_check, bounds
  from pg_class where oid = format('part.%I', month_name)::regclass;
  execute format('create table part.%I (like public.resolution including defaults including constraints including storage
    including indexes)', kept_name);
  -- With this the partition is attached without reading it.
  execute format('alter table part.%I add constraint within check (%s)', kept_name, bounds_check);
  execute format('insert into part.%I select * from part.%I where %s', kept_name, month_name, format(referred, reviewed));
  -- This waits for those who have read an answer and may refer to it; then no one can until the end.
  execute format('alter table public.resolution detach partition part.%I', month_name);
  execute format('insert into part.%1$I select * from part.%2$I old where id in (%3$s)
    and not exists (select from part.%1$I where id = old.id)', kept_name, month_name, reviewed);
  execute format('select count(*) from part.%I', kept_name) into kept;
  execute format('alter table public.resolution attach partition part.%I %s', kept_name, bounds);
  execute format('alter table part.%I drop constraint within', kept_name);
  execute format('drop table part.%I', month_name);
  return kept;
end $$;

revoke execute on function retire_answers from public;
