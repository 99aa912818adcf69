-- The filters of a search. `wanted` has null where the search has no such filter.
-- The functions whose results an index stores (name_terms, search_terms and theirs) are in migrations: with another
-- result, the index has to be built again.

create or replace function passes(
  wanted company_filter, status text, accounts_type text, postcode text, incorporated_on date,
  sections text, region text, employees integer, net_assets bigint
) returns boolean language sql immutable parallel safe
return (wanted.status is null or status = wanted.status)
  and (wanted.accounts_type is null or accounts_type = wanted.accounts_type)
  and (wanted.postcode is null or postcode = wanted.postcode)
  and (wanted.outward is null or left(postcode, -3) = wanted.outward)
  and (wanted.day_from is null or incorporated_on >= wanted.day_from)
  and (wanted.day_to is null or incorporated_on <= wanted.day_to)
  and (wanted.region is null or region = wanted.region)
  and (wanted.section is null or strpos(sections, wanted.section) > 0)
  and (wanted.employees_from is null or employees >= wanted.employees_from)
  and (wanted.employees_to is null or employees <= wanted.employees_to)
  and (wanted.net_assets_from is null or net_assets >= wanted.net_assets_from)
  and (wanted.net_assets_to is null or net_assets <= wanted.net_assets_to);

-- True when the filter asks for a section, a region or figures.
create or replace function asks_for_facts(wanted company_filter) returns boolean
language sql immutable parallel safe
return wanted.section is not null or wanted.region is not null
  or wanted.employees_from is not null or wanted.employees_to is not null
  or wanted.net_assets_from is not null or wanted.net_assets_to is not null;

-- Returns the terms by which a filter on status, kind of accounts, postcode and day is worth an index lookup: those that less
-- than 5 % of the rows have. Every row found costs a comparison with every month, so that more than 24 of them are left to
-- the check of the rows. The share is 0 when no row can pass.
create or replace function look_up_filter(wanted company_filter, total float) returns filter_lookup
language plpgsql stable as $$
declare
  lookup filter_lookup;
  is_dated boolean := wanted.day_from is not null or wanted.day_to is not null;
  -- Accounts type and month are counted together: new companies have filed no accounts.
  month_prefix text := coalesce('~b:' || wanted.accounts_type || ':', '~m:');
  months_df bigint;
  filters text[];
begin
  if is_dated then
    select array_agg(token), coalesce(sum(df), 0) into lookup.months, months_df from name_token
      where token >= month_prefix || coalesce(month_term(wanted.day_from), '000000')
        and token <= month_prefix || coalesce(month_term(wanted.day_to), '999999');
    if months_df >= 0.05 * total or cardinality(lookup.months) > 24 then lookup.months := null; end if;
  end if;
  filters := array_remove(array[
    '~s:' || wanted.status, '~a:' || wanted.accounts_type, '~p:' || wanted.postcode, '~o:' || wanted.outward], null);
  select coalesce(array_agg(token order by df) filter (where df < 0.05 * total), '{}'),
         case when count(token) = cardinality(filters) then coalesce(exp(sum(ln(least(df / total, 1)))
           filter (where not is_dated or not starts_with(token, '~a:'))), 1) else 0 end
    into lookup.all_of, lookup.share
    from unnest(filters) term join name_token on token = term;
  if is_dated then lookup.share := lookup.share * least(months_df / total, 1); end if;
  return lookup;
end $$;

-- Returns SQL for the terms of a row, and for the check of a row, where `wanted` is the name of a parameter. `+ 0` hides the
-- date from indexes in another order.
create or replace function row_terms() returns text language sql immutable parallel safe
return 'search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets)';

create or replace function row_passes(wanted text) returns text language sql immutable parallel safe
return 'passes(' || wanted
  || ', status, accounts_type, postcode, incorporated_on + 0, sections, region, employees, net_assets)';

-- Returns SQL for the conditions of a lookup on the terms of a row, where `parameter` is its name.
create or replace function lookup_condition(lookup filter_lookup, parameter text) returns text
language sql immutable parallel safe
return concat(
  case when cardinality(lookup.all_of) > 0 then ' and ' || row_terms() || ' @> (' || parameter || ').all_of' end,
  case when lookup.months is not null then ' and ' || row_terms() || ' && (' || parameter || ').months' end,
  case when lookup.staff is not null then ' and ' || row_terms() || ' && (' || parameter || ').staff' end,
  case when lookup.assets is not null then ' and ' || row_terms() || ' && (' || parameter || ').assets' end);

-- Returns at most 3,000 names that pass the filter and have all terms of `all_of`, one of `one_of`, one of `also_one_of` and
-- those of the lookup (null: no such condition), in the order of the table. The statement is planned again on each call, so
-- that a condition that does not apply costs nothing.
create or replace function fetch_names(
  all_of text[], one_of text[], also_one_of text[], lookup filter_lookup, wanted company_filter
) returns table (number text, name_key text, is_previous boolean, status text) language plpgsql stable as $$
begin
  lookup.all_of := all_of || coalesce(lookup.all_of, '{}');
  return query execute 'select number, name_key, is_previous, status from company_name where ' || row_passes('$4')
    || lookup_condition(lookup, '$3')
    || case when one_of is not null then ' and ' || row_terms() || ' && $1' else '' end
    || case when also_one_of is not null then ' and ' || row_terms() || ' && $2' else '' end
    || ' limit 3000'
  using one_of, also_one_of, lookup, wanted;
end $$;
