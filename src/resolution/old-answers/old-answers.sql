-- Answers of months that are over: those that something refers to stay, in a partition that takes the place of the month's. The
-- role that serves may read and write rows and nothing more, so whatever changes partitions is here.

-- Returns the answers among these that something refers to. Every column with the id of an answer is here, except that of bulk
-- rows, which end long before.
create or replace function answers_in_use(ids text[]) returns setof text
  language sql stable set search_path = pg_catalog, public as $$
  select resolution_id from known_domain where resolution_id = any (ids)
  union select resolution_id from site_claim where resolution_id = any (ids)
  union select resolution_id from website_search where resolution_id = any (ids)
  union select resolution_id from resolution_job where resolution_id = any (ids)
  union select resolution_id from account_answer where resolution_id = any (ids)
  union select resolution_id from share_link where resolution_id = any (ids)
  union select resolution_id from evidence_record where resolution_id = any (ids)
  union select resolution_id from review_item where resolution_id = any (ids)
  union select resolution_id from review_decision where resolution_id = any (ids)
  union select fresh_resolution_id from refund_request where fresh_resolution_id = any (ids)
  union select resolution_id from page_capture where resolution_id = any (ids)
$$;

-- The months of answers that ended before this, the oldest first. A month is `whole` until a `kept` partition takes its place. It is
-- `replaced` then, a table outside of `resolution`, until it is dropped.
create or replace function old_answer_months(before timestamptz) returns table (name text, ends_at timestamptz, state text)
  language sql stable set search_path = pg_catalog, public as $$
  select month.* from (
    select relname::text,
      (regexp_match(pg_get_expr(relpartbound, oid), $re$TO \('([^']+)'\)$re$))[1]::timestamptz,
      case when relname like 'resolution\_kept\_%' then 'kept' when relispartition then 'whole' else 'replaced' end
    from pg_class
    where relnamespace = 'part'::regnamespace and relkind = 'r'
      and (relname ~ '^resolution_(first|\d+)$' or relispartition and relname ~ '^resolution_kept_(first|\d+)$')
  ) as month (name, ends_at, state)
  where month.ends_at <= before or month.state = 'replaced'
  order by month.ends_at
$$;

create or replace function assert_answer_month(month_name text, expected text[]) returns void
  language plpgsql stable set search_path = pg_catalog, public as $$
begin
  if not exists (select from old_answer_months('infinity') month where name = month_name and state = any (expected)) then
    raise exception '% is no % month of answers', month_name, array_to_string(expected, ' or ');
  end if;
end $$;

-- The partition that takes the place of a month.
create or replace function kept_name_of(month_name text) returns text
  language sql immutable set search_path = pg_catalog as $$
  select replace(month_name, 'resolution_', 'resolution_kept_')
$$;

-- Copies the answers in use among the next ones of a month. Returns the last id that it looked at, and null at the end of the month.
create or replace function keep_answers_in_use(month_name text, after_id text, most integer) returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ids text[];
begin
  perform assert_answer_month(month_name, '{whole,replaced}');
  if to_regclass(format('part.%I', kept_name_of(month_name))) is null then
    execute format('create table part.%I (like public.resolution including defaults including constraints including storage
      including indexes)', kept_name_of(month_name));
  end if;
  execute format('select array_agg(id) from (select id from part.%I where id > $1 order by id limit $2) next', month_name)
    into ids using after_id, most;
  execute format('insert into part.%I select * from part.%I where id in (select answers_in_use($1)) on conflict do nothing',
    kept_name_of(month_name), month_name) using ids;
  return (select max(id collate "C") from unnest(ids) id);
end $$;

-- Puts the copied answers in the place of a month. Readers wait for a moment, and this waits for those who are reading an answer.
create or replace function replace_answer_month(month_name text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
declare
  kept_name text := kept_name_of(month_name);
  bounds text;
  bounds_check text;
begin
  perform assert_answer_month(month_name, '{whole}');
  select pg_get_partition_constraintdef(oid), pg_get_expr(relpartbound, oid) into strict bounds_check, bounds
  from pg_class where oid = format('part.%I', month_name)::regclass;
  -- With this the partition is attached without reading it.
  execute format('alter table part.%I add constraint within check (%s)', kept_name, bounds_check);
  execute format('alter table public.resolution detach partition part.%I', month_name);
  execute format('alter table public.resolution attach partition part.%I %s', kept_name, bounds);
  execute format('alter table part.%I drop constraint within', kept_name);
end $$;

create or replace function drop_answer_month(month_name text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
begin
  perform assert_answer_month(month_name, '{replaced}');
  execute format('drop table part.%I', month_name);
end $$;

-- Deletes what nothing refers to any more among the next answers of a kept month. Returns the last id that it looked at, and null at the end.
create or replace function delete_unused_answers(month_name text, after_id text, most integer) returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ids text[];
begin
  perform assert_answer_month(month_name, '{kept}');
  execute format('select array_agg(id) from (select id from part.%I where id > $1 order by id limit $2) next', month_name)
    into ids using after_id, most;
  execute format('delete from part.%I where id = any ($1) and id not in (select answers_in_use($1))', month_name) using ids;
  return (select max(id collate "C") from unnest(ids) id);
end $$;

revoke execute on function keep_answers_in_use, replace_answer_month, drop_answer_month, delete_unused_answers from public;
