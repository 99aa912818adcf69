-- Searches that ask for a section, a region or figures. Their terms and those of the other filters are in one index, and the
-- counts in name_token decide which of them are looked up.

-- Returns the terms of name_token from one to another, and how many rows have one of them. The terms are null when they are
-- more than 24, as every row found costs a comparison with each.
create or replace function terms_between(first text, last text, out terms text[], out df float)
language sql stable as $$
  select case when count(*) between 1 and 24 then array_agg(token order by token) end, coalesce(sum(df), 0)
  from name_token where token >= first and token <= last
$$;

-- Returns what to look up for a range: its groups, its bands, or its steps where these are few, whichever are the fewest terms
-- that leave out most of the other rows; with the rows that have one of the bands, one of the steps, and one of the terms. Where
-- the range ends with the first value of its last band, the step of that value is looked up instead of the band; `band_before`
-- is the band before it.
create or replace function range_terms(first_group text, last_group text, first_band text, last_band text, band_before text,
  first_step text, last_step text, out terms text[], out bands_df float, out steps_df float, out df float)
language plpgsql stable as $$
declare
  steps record;
  groups record;
begin
  select b.terms, b.df, b.df into terms, bands_df, df from terms_between(first_band, last_band) b;
  if band_before < last_band and band_before >= first_band then
    select b.terms || last_step, b.df + coalesce(t.df, 0) into terms, df
      from terms_between(first_band, band_before) b left join name_token t on t.token = last_step;
  end if;
  select * into steps from terms_between(first_step, last_step);
  select * into groups from terms_between(first_group, last_group);
  steps_df := steps.df;
  if groups.df <= 1.5 * steps.df then
    terms := groups.terms;
    df := groups.df;
  elsif cardinality(steps.terms) <= 24 and steps.df < 0.5 * df then
    terms := steps.terms;
    df := steps.df;
  end if;
end $$;

create or replace function staff_range(wanted company_filter, out terms text[], out bands_df float, out steps_df float, out df float)
language sql stable as $$
  select * from range_terms(
    '~h:' || coalesce(staff_group(wanted.employees_from), '0'), '~h:' || coalesce(staff_group(wanted.employees_to), '9'),
    '~e:' || coalesce(staff_band(wanted.employees_from), '00'), '~e:' || coalesce(staff_band(wanted.employees_to), '99'),
    '~e:' || staff_band(wanted.employees_to - 1),
    '~f:' || coalesce(staff_step(wanted.employees_from), ''), '~f:' || coalesce(staff_step(wanted.employees_to), '~'))
$$;

create or replace function assets_range(wanted company_filter, out terms text[], out bands_df float, out steps_df float, out df float)
language sql stable as $$
  select * from range_terms(
    '~v:' || coalesce(assets_group(wanted.net_assets_from), '0'), '~v:' || coalesce(assets_group(wanted.net_assets_to), '9'),
    '~w:' || coalesce(assets_band(wanted.net_assets_from), '00'), '~w:' || coalesce(assets_band(wanted.net_assets_to), '99'),
    '~w:' || assets_band(wanted.net_assets_to - 1),
    '~x:' || coalesce(assets_step(wanted.net_assets_from), ''), '~x:' || coalesce(assets_step(wanted.net_assets_to), '~'))
$$;

create or replace function staff_terms(wanted company_filter, bands text, out terms text[], out df float)
language sql stable as $$
  select * from terms_between(bands || coalesce(staff_band(wanted.employees_from), '00'),
    bands || coalesce(staff_band(wanted.employees_to), '99'))
$$;

create or replace function assets_terms(wanted company_filter, bands text, out terms text[], out df float)
language sql stable as $$
  select * from terms_between(bands || coalesce(assets_band(wanted.net_assets_from), '00'),
    bands || coalesce(assets_band(wanted.net_assets_to), '99'))
$$;

-- Returns the parts of a filter with facts: the terms of which a row has one (null: too many to look up), how many rows do, and
-- by how much the part narrows what passes the parts before it. What depends on each other is counted together: section,
-- region and employees; kind of accounts and figures; figures and age, since new companies have none.
create or replace function filter_parts(wanted company_filter, total float)
returns table (kind text, terms text[], df float, share float) language plpgsql stable as $$
declare
  asks_staff boolean := wanted.employees_from is not null or wanted.employees_to is not null;
  asks_assets boolean := wanted.net_assets_from is not null or wanted.net_assets_to is not null;
  asks_figures boolean := asks_staff or asks_assets;
  is_dated boolean := wanted.day_from is not null or wanted.day_to is not null;
  base float := case when asks_figures then (select t.df from name_token t where t.token = '~z') else total end;
  subject text := concat_ws(':', wanted.section, wanted.region);
  prefix text := concat('~', 'k' || left(wanted.section, 0), 'r' || left(wanted.region, 0));
  staff record; assets record; together record;
  staff_df float; assets_df float;
  months text := case when asks_figures then '~g:' else coalesce('~b:' || wanted.accounts_type || ':', '~m:') end;
begin
  if asks_staff then
    select * into staff from staff_range(wanted);
    staff_df := greatest(staff.bands_df, 1);
    if subject <> '' then select * into together from staff_terms(wanted, prefix || 'e:' || subject || ':'); end if;
    if subject <> '' and staff.df >= 0.5 * staff.bands_df then
      return query select 'staff', together.terms, together.df,
        together.df / total * staff.steps_df / staff_df;
    else
      return query select 'staff', staff.terms, staff.df, staff.steps_df / total;
      if subject <> '' then
        return query select 'single', array[prefix || ':' || subject], coalesce(t.df, 0)::float, together.df / staff_df
          from (select) one left join name_token t on t.token = prefix || ':' || subject;
      end if;
    end if;
  elsif subject <> '' then
    return query select 'single', array[prefix || ':' || subject], coalesce(t.df, 0)::float, coalesce(t.df, 0) / total
      from (select) one left join name_token t on t.token = prefix || ':' || subject;
  end if;
  if asks_assets then
    select * into assets from assets_range(wanted);
    assets_df := greatest(assets.bands_df, 1);
    return query select 'assets', assets.terms, assets.df, assets.steps_df / case when asks_staff then base else total end;
  end if;
  if wanted.accounts_type is not null then
    return query select 'single', array['~a:' || wanted.accounts_type], coalesce(t.df, 0)::float, case
        when is_dated and not asks_figures then 1
        when asks_staff then (staff_terms(wanted, '~ae:' || wanted.accounts_type || ':')).df / staff_df
        when asks_assets then (assets_terms(wanted, '~aw:' || wanted.accounts_type || ':')).df / assets_df
        else coalesce(t.df, 0) / total end
      from (select) one left join name_token t on t.token = '~a:' || wanted.accounts_type;
  end if;
  if is_dated then
    return query select 'months', m.terms, m.df, m.df / base from terms_between(
      months || coalesce(month_term(wanted.day_from), '000000'), months || coalesce(month_term(wanted.day_to), '999999')) m;
  end if;
  return query select 'single', array[term], coalesce(t.df, 0)::float, coalesce(t.df, 0) / total
    from unnest(array['~s:' || wanted.status, '~p:' || wanted.postcode, '~o:' || wanted.outward]) term
    left join name_token t on t.token = term where term is not null;
end $$;

-- Returns the terms of these parts that are worth an index lookup, rarest first, when `rows_left` rows have what is looked up
-- besides and 1,001 rows that pass are enough. `part` is the part of the table that is searched. `share_seen` is the share that
-- passes before the letter B, once that tenth has been searched (null: the counts say which share passes). A row that is read
-- costs as much as 300 entries of one term in the index, 100 of several terms, or 100 comparisons of a row found with a term.
-- The share is 0 when no row can pass.
create or replace function look_up_parts(
  parts filter_part[], total float, rows_left float, part float, share_seen float
) returns filter_lookup language plpgsql immutable as $$
declare
  lookup filter_lookup := row ('{}', null, null, null, 1);
  one filter_part;
  -- The part of all rows that has the terms that are looked up.
  share_found float := 1;
begin
  foreach one in array parts loop lookup.share := lookup.share * least(one.share, 1); end loop;
  if lookup.share = 0 then return lookup; end if;
  share_seen := coalesce(share_seen, lookup.share);
  rows_left := rows_left * part;
  for one in select * from unnest(parts) p where p.terms is not null order by p.df loop
    exit when least(rows_left, 1001 * share_found / share_seen) <= case one.kind
      when 'single' then one.df * part / 300
      else one.df * part / 100 + least(rows_left, one.df * part) * cardinality(one.terms) / 100 end;
    share_found := share_found * least(one.df / total, 1);
    rows_left := rows_left * least(one.df / total, 1);
    case one.kind
      when 'single' then lookup.all_of := lookup.all_of || one.terms;
      when 'staff' then lookup.staff := one.terms;
      when 'assets' then lookup.assets := one.terms;
      else lookup.months := one.terms;
    end case;
  end loop;
  return lookup;
end $$;

create or replace function list_parts(wanted company_filter, total float) returns filter_part[] language sql stable
return array(select row (p.kind, p.terms, p.df, p.share)::filter_part from filter_parts(wanted, total) p);

-- Returns at most 1,001 companies that pass the filter, in the order of the table: of all, or of those before the letter B.
create or replace function fetch_by_facts(wanted company_filter, lookup filter_lookup, only_first boolean)
returns table (number text, name_key text) language plpgsql stable set enable_indexscan = off as $$
begin
  return query execute 'select number, name_key from company_name where not is_previous and ' || row_passes('$1')
    || lookup_condition(lookup, '$2') || case when only_first then ' and name_key < ''B''' else '' end || ' limit 1001'
  using wanted, lookup;
end $$;

-- Returns the first companies of the alphabet that pass the filter, found by reading `rows_max` names; fewer than
-- `rows_wanted` when it takes more.
create or replace function read_alphabet(wanted company_filter, rows_max integer, rows_wanted integer)
returns text[] language plpgsql stable as $$
begin
  return array(select s.number from (select * from company_name s order by s.name_key, s.number limit rows_max) s
    where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
      s.sections, s.region, s.employees, s.net_assets)
    order by s.name_key, s.number limit rows_wanted);
end $$;

-- Returns about how many rows have a day of incorporation in the range, whatever else they have; null without a range. The
-- counts are by months of 31 days, of which a range with both ends may take parts.
create or replace function count_days(wanted company_filter) returns float language sql stable
return case when wanted.day_from is not null or wanted.day_to is not null then
  (terms_between('~m:' || coalesce(month_term(wanted.day_from), '000000'),
    '~m:' || coalesce(month_term(wanted.day_to), '999999'))).df
  * coalesce((wanted.day_to - wanted.day_from + 1)
    / (31.0 * (1 + (wanted.day_to - date '0001-01-01') / 31 - (wanted.day_from - date '0001-01-01') / 31)), 1) end;

-- Returns the companies that pass a filter with facts, by the alphabet: at least `rows_wanted` where there are as many. Each way
-- to read them gives the same order; a company that changed after the last rebuild is at the end of the table, so that it may
-- be missing in one that ends after 1,001 rows.
create or replace function list_by_facts(wanted company_filter, total float, rows_wanted integer)
returns text[] language plpgsql stable as $$
declare
  parts filter_part[] := list_parts(wanted, total);
  lookup filter_lookup := look_up_parts(parts, total, total, 1, null);
  found text[];
begin
  if lookup.share = 0 then return '{}'; end if;
  if count_days(wanted) <= 2500 and wanted.postcode is null and wanted.outward is null then
    return array(select f.number from fetch_by_day(wanted) f order by f.name_key collate "C", f.number collate "C");
  end if;
  if rows_wanted / lookup.share <= 12000 or lookup.share >= 0.05 then
    found := read_alphabet(wanted, (3 * rows_wanted / lookup.share)::integer, rows_wanted);
    if cardinality(found) >= rows_wanted then return found; end if;
  end if;
  -- A tenth of the names, with an index of its own, is enough where that many are expected there.
  if 1.3 * rows_wanted <= 0.1 * lookup.share * total then
    found := array(select f.number from fetch_by_facts(wanted, look_up_parts(parts, total, total, 0.1, null), true) f
      order by f.name_key collate "C", f.number collate "C");
    if cardinality(found) >= rows_wanted then return found; end if;
    lookup := look_up_parts(parts, total, total, 1, greatest(cardinality(found), 1) / (0.1 * total));
  end if;
  return array(select f.number from fetch_by_facts(wanted, lookup, false) f
    order by f.name_key collate "C", f.number collate "C");
end $$;
