-- The filters of a search. `wanted` has null where the search has no such filter.
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
-- one of `months`, and all of `terms`. `share` is the part of all rows that passes; 0 when none can. Every row found costs
-- a comparison with every month, so that more than 24 of them are left to the check of the rows.
create or replace function filter_terms(wanted search_filter, total float)
returns table (terms text[], months text[], share float) language plpgsql stable as $$
declare
  is_dated boolean := wanted.day_from is not null or wanted.day_to is not null;
  -- Accounts type and month are counted together: new companies have filed no accounts.
  month_prefix text := coalesce('~b:' || wanted.accounts_type || ':', '~m:');
  months_df bigint;
  filters text[];
begin
  if is_dated then
    select array_agg(token), coalesce(sum(df), 0) into months, months_df from name_token
      where token >= month_prefix || coalesce(month_term(wanted.day_from), '000000')
        and token <= month_prefix || coalesce(month_term(wanted.day_to), '999999');
    if months_df >= 0.05 * total or cardinality(months) > 24 then months := null; end if;
  end if;
  filters := array_remove(array[
    '~s:' || wanted.status, '~a:' || wanted.accounts_type, '~p:' || wanted.postcode, '~o:' || wanted.outward], null);
  select coalesce(array_agg(token order by df) filter (where df < 0.05 * total), '{}'),
         case when count(token) = cardinality(filters) then coalesce(exp(sum(ln(least(df / total, 1)))
           filter (where not is_dated or not starts_with(token, '~a:'))), 1) else 0 end
    into terms, share
    from unnest(filters) term join name_token on token = term;
  if is_dated then share := share * least(months_df / total, 1); end if;
  return next;
end $$;

-- Returns at most 3,000 names that pass the filter and have all terms of `all_of`, one of `one_of` and one of
-- `also_one_of` (null: no such condition), in the order of the table. The statement is planned again on each call, so
-- that a condition that does not apply costs nothing. `+ 0` hides the date from indexes in another order.
create or replace function fetch_names(all_of text[], one_of text[], also_one_of text[], wanted search_filter)
returns table (number text, name_key text, is_previous boolean, status text) language plpgsql stable as $$
declare
  terms text := 'name_terms(name_key, status, accounts_type, postcode, incorporated_on)';
begin
  return query execute 'select number, name_key, is_previous, status from company_name
      where passes($4, status, accounts_type, postcode, incorporated_on + 0)'
    || case when cardinality(all_of) > 0 then ' and ' || terms || ' @> $1' else '' end
    || case when one_of is not null then ' and ' || terms || ' && $2' else '' end
    || case when also_one_of is not null then ' and ' || terms || ' && $3' else '' end
    || ' limit 3000'
  using all_of, one_of, also_one_of, wanted;
end $$;
