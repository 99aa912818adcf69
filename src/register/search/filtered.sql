-- The search by filters alone. Four indexes serve it, and the counts in name_token decide which of them: the filters that
-- are given are checked in the index, so that hardly any row is read that does not pass. The functions that read by
-- company_name_outward, company_name_days and company_name_parts keep the planner from other scans than bitmaps, which give
-- the order of the table. They hide a column (`|| ''`, `+ 0`) from the indexes that do not serve it.

-- Returns the word that a filter asks for, or all that rows have and the empty one for rows that have none; `prefix` is
-- that of its terms in name_token.
create or replace function filter_words(asked text, prefix text) returns text[] language sql stable as $$
  select case when asked is not null then array[asked] else array(
    select substr(token, length(prefix) + 1) from name_token
    where token >= prefix and token < left(prefix, -1) || ';') || ''::text end
$$;

-- Returns the condition on the quarters of `$1`, a company_filter. Null dates pass where no date is asked for.
create or replace function quarter_condition(wanted company_filter) returns text language sql immutable parallel safe
return concat(
  case when wanted.day_from is not null then
    ' and (incorporated_on - date ''0001-01-01'') / 93 >= ($1.day_from - date ''0001-01-01'') / 93' end,
  case when wanted.day_to is not null then
    ' and (incorporated_on - date ''0001-01-01'') / 93 <= ($1.day_to - date ''0001-01-01'') / 93' end);

-- Returns at most 1,001 companies of the outward part of a postcode, in the order of the table.
create or replace function fetch_by_outward(wanted company_filter) returns table (number text, name_key text)
language plpgsql stable set enable_indexscan = off as $$
begin
  return query execute 'select number, name_key from company_name
      where left(postcode, -3) = coalesce($1.outward, left($1.postcode, -3)) and not is_previous
        and passes($1, status, accounts_type, postcode || '''', incorporated_on + 0, sections, region, employees, net_assets)'
    || case when wanted.status is not null then ' and status = $1.status' else '' end
    || case when wanted.accounts_type is not null then ' and accounts_type = $1.accounts_type' else '' end
    || quarter_condition(wanted) || ' limit 1001'
  using wanted;
end $$;

-- Returns at most 1,001 companies of a postcode, or of its outward part. Where very many companies share an address, the
-- postcode is most of its outward part, whose index knows the other filters too.
create or replace function fetch_by_postcode(wanted company_filter) returns table (number text, name_key text)
language plpgsql stable as $$
declare
  rows_at integer := (select df from name_token where token = '~p:' || wanted.postcode);
  rows_around integer := (select df from name_token where token = '~o:' || left(wanted.postcode, -3));
begin
  if rows_at <= greatest(2000, 0.1 * rows_around) then
    return query select f.number, f.name_key from fetch_names(array['~p:' || wanted.postcode], null, null, null, wanted) f
      where not f.is_previous limit 1001;
  else
    return query select * from fetch_by_outward(wanted);
  end if;
end $$;

-- Returns at most 1,001 companies by status, kind of accounts and day, in the order of the table.
create or replace function fetch_by_day(wanted company_filter) returns table (number text, name_key text)
language plpgsql stable set enable_indexscan = off as $$
begin
  return query execute 'select number, name_key from company_name
      where status = any ($2) and coalesce(accounts_type, '''') = any ($3) and not is_previous
        and passes($1, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets) limit 1001'
  using wanted, filter_words(wanted.status, '~s:'), filter_words(wanted.accounts_type, '~a:');
end $$;

-- Returns all companies in a part of the alphabet, `part_end` left out (null: to the end), in no order.
create or replace function fetch_part(wanted company_filter, part_start text, part_end text)
returns table (number text, name_key text) language plpgsql stable set enable_indexscan = off as $$
begin
  return query execute 'select number, name_key from company_name
      where status = any ($2) and coalesce(accounts_type, '''') = any ($3) and not is_previous
        and left(name_key, 3) >= left($4, 3) and name_key || '''' >= $4'
    || case when part_end is null then '' else ' and left(name_key, 3) <= left($5, 3) and name_key || '''' < $5' end
    || quarter_condition(wanted) || ' and ' || row_passes('$1')
  using wanted, filter_words(wanted.status, '~s:'), filter_words(wanted.accounts_type, '~a:'), part_start, part_end;
end $$;

-- Returns the first companies of the alphabet, at least `rows_wanted` where there are as many. Each part is as long as it
-- takes to find them, if about `expected` companies pass, and twice that when it was not enough.
create or replace function fetch_by_parts(wanted company_filter, expected float, rows_wanted integer)
returns text[] language plpgsql stable as $$
declare
  -- Hundredths of the alphabet. The statistics are there once the table was analyzed; until then, one part is all of it.
  bounds text[] := (select histogram_bounds::text::text[] from pg_stats
    where schemaname = current_schema() and tablename = 'company_name' and attname = 'name_key');
  hundredths integer := ceil(120 * rows_wanted / expected);
  next_bound integer := 1;
  part_start text := '';
  part_end text;
  found text[] := '{}';
begin
  loop
    next_bound := next_bound + hundredths;
    part_end := case when next_bound < cardinality(bounds) then bounds[next_bound] end;
    found := found || array(select f.number from fetch_part(wanted, part_start, part_end) f
      order by f.name_key collate "C", f.number collate "C");
    exit when part_end is null or cardinality(found) >= rows_wanted;
    part_start := part_end;
    hundredths := 2 * hundredths;
  end loop;
  return found;
end $$;

-- Returns the companies that pass the filter, by the alphabet. The last page ends at row 1,001, and the counts decide how
-- they are read, not the page, so that no page repeats or leaves out a company. The settings keep the planner on the
-- indexes: it cannot know how common a term is, and would now and then read and sort the whole table.
create or replace function search_filtered(wanted company_filter, skip integer, take integer)
returns table (number text, score real, is_previous boolean) language plpgsql stable
set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 set jit = off
set work_mem = '32MB' set plan_cache_mode = auto as $$
#variable_conflict use_column
declare
  total float := (select greatest(df, 1) from name_token where token = '~n');
  share float := case when not asks_for_facts(wanted) then (look_up_filter(wanted, total)).share end;
  -- The counts are by months of 31 days, of which the dates may take parts.
  days_counted float := 31 * (1 + (wanted.day_to - date '0001-01-01') / 31 - (wanted.day_from - date '0001-01-01') / 31);
  expected float := share * total * coalesce((wanted.day_to - wanted.day_from + 1) / days_counted, 1);
  -- In a variable: `unnest(f())` runs f twice, as the planner runs it too, to learn how many rows there are.
  found text[];
begin
  if total is null or share = 0 then return; end if;
  if asks_for_facts(wanted) then
    found := list_by_facts(wanted, total, skip + take);
    return query select number, 1::real, false from unnest(found) number offset skip limit take;
    return;
  end if;
  if wanted.postcode is not null or wanted.outward is not null then
    return query select s.number, 1::real, false from fetch_by_postcode(wanted) s
      order by s.name_key collate "C", s.number collate "C" offset skip limit take;
  elsif share >= 0.05 then
    -- At least one row in twenty passes: read the alphabet until the page is full.
    return query select s.number, 1::real, false from company_name s
      where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
        s.sections, s.region, s.employees, s.net_assets)
      order by s.name_key, s.number offset skip limit take;
  elsif expected <= 50000 then
    return query select s.number, 1::real, false from fetch_by_day(wanted) s
      order by s.name_key collate "C", s.number collate "C" offset skip limit take;
  else
    found := fetch_by_parts(wanted, expected, skip + take);
    return query select number, 1::real, false from unnest(found) number offset skip limit take;
  end if;
end $$;
