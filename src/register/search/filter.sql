-- The filters of a search, and the search by filters alone. `wanted` has null where the search has no such filter.
-- The functions whose results an index stores (name_terms, letters_hash, words_hash, token_keys, month_term) are in
-- migrations: with another result, the index has to be built again.

create or replace function passes(
  wanted search_filter, status text, accounts_type text, postcode text, incorporated_on date
) returns boolean language sql immutable parallel safe
return (wanted.status is null or status = wanted.status)
  and (wanted.accounts_type is null or accounts_type = wanted.accounts_type)
  and (wanted.postcode is null or postcode = wanted.postcode)
  and (wanted.outward is null or left(postcode, -3) = wanted.outward)
  and (wanted.day_from is null or incorporated_on >= wanted.day_from)
  and (wanted.day_to is null or incorporated_on <= wanted.day_to);

-- Returns the terms by which the filter is worth an index lookup: those that less than 5 % of the rows have. A row has
-- one of `months`, and all of `terms`. `share` is the part of all rows that passes; 0 when none can.
create or replace function filter_terms(wanted search_filter, total float)
returns table (terms text[], months text[], share float) language plpgsql stable as $$
declare
  is_dated boolean := wanted.day_from is not null or wanted.day_to is not null;
  -- Accounts type and month are counted together: new companies have filed no accounts.
  filters text[] := array_remove(array[
    '~s:' || wanted.status, case when not is_dated then '~a:' || wanted.accounts_type end,
    '~p:' || wanted.postcode, '~o:' || wanted.outward], null);
  month_prefix text := coalesce('~b:' || wanted.accounts_type || ':', '~m:');
  months_df bigint;
begin
  select coalesce(array_agg(token order by df) filter (where df < 0.05 * total), '{}'),
         case when count(token) = cardinality(filters) then coalesce(exp(sum(ln(least(df / total, 1)))), 1) else 0 end
    into terms, share
    from unnest(filters) term join name_token on token = term;
  if is_dated then
    select array_agg(token), coalesce(sum(df), 0) into months, months_df from name_token
      where token >= month_prefix || coalesce(month_term(wanted.day_from), '000000')
        and token <= month_prefix || coalesce(month_term(wanted.day_to), '999999');
    share := share * least(months_df / total, 1);
    if months_df >= 0.05 * total then months := null; end if;
  end if;
  return next;
end $$;

-- Returns at most 3,000 names that pass the filter and have all terms of `all_of`, one of `one_of` and one of
-- `also_one_of` (null: no such condition), in the order of the table. The statement is planned again on each call, so
-- that a condition that does not apply costs nothing.
create or replace function fetch_names(all_of text[], one_of text[], also_one_of text[], wanted search_filter)
returns table (number text, name_key text, is_previous boolean, status text) language plpgsql stable as $$
declare
  terms text := 'name_terms(name_key, status, accounts_type, postcode, incorporated_on)';
begin
  return query execute 'select number, name_key, is_previous, status from company_name
      where passes($4, status, accounts_type, postcode, incorporated_on)'
    || case when cardinality(all_of) > 0 then ' and ' || terms || ' @> $1' else '' end
    || case when one_of is not null then ' and ' || terms || ' && $2' else '' end
    || case when also_one_of is not null then ' and ' || terms || ' && $3' else '' end
    || ' limit 3000'
  using all_of, one_of, also_one_of, wanted;
end $$;

-- Returns the companies that pass the filter, by the alphabet as far as the table is. The last page ends at row 1,001.
-- The settings keep the planner on the indexes: it cannot know how common a term is, and would now and then read and
-- sort the whole table.
create or replace function search_filtered(wanted search_filter, skip integer, take integer)
returns table (number text, score real, is_previous boolean) language plpgsql stable
set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 set jit = off
set work_mem = '32MB' as $$
#variable_conflict use_column
declare
  total float := (select greatest(df, 1) from name_token where token = '~n');
  filter record;
begin
  select * into filter from filter_terms(wanted, total);
  if total is null or filter.share = 0 then return; end if;
  if cardinality(filter.terms) = 0 and filter.months is null then
    -- At least one row in twenty passes: read the alphabet until the page is full.
    return query select s.number, 1::real, false from company_name s
      where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on)
      order by s.name_key, s.number offset skip limit take;
  else
    -- The same rows are read for every page, so that no page repeats or leaves out a company.
    return query select s.number, 1::real, false from (
        select f.name_key, f.number from fetch_names(filter.terms, filter.months, null, wanted) f
        where not f.is_previous limit 1001) s
      order by s.name_key collate "C", s.number collate "C" offset skip limit take;
  end if;
end $$;
