-- short locks
-- Columns, types and functions of the search by figures, section and region. Rows have the values after the next rebuild of
-- the search, which `nameplated register rebuild-search` starts; new and changed companies have them at once.
-- Safe with the previous release: yes (the columns may stay empty; the functions it calls keep their signatures).
set local lock_timeout = '2s';

alter table company_name
  -- Letters of the sections of SIC 2007 that the company's codes are in, each once: `GM`.
  add column sections text collate "C",
  -- By the postcode area of the registered office; see src/register/search/regions.ts.
  add column region text collate "C",
  -- Of the newest period with figures; whole pounds.
  add column employees integer,
  add column net_assets bigint;

-- The conditions of a search beside the name; null where the search has no such condition.
create type company_filter as (
  status text, accounts_type text, postcode text, outward text, day_from date, day_to date,
  section text, region text, employees_from integer, employees_to integer, net_assets_from bigint, net_assets_to bigint
);

-- A part of a filter: terms of which a row has one, how many rows do, and the share of rows that it leaves; see filter_parts.
create type filter_part as (kind text, terms text[], df float, share float);

-- Terms that a filter is worth looking up by. A row has all of `all_of`, and one of each of the others that is not null.
-- `share` is the part of all rows that passes the whole filter.
create type filter_lookup as (all_of text[], months text[], staff text[], assets text[], share float);

-- A search by name with the figures that decide how it runs; see parse_company_search.
create type company_search as (
  typed text, wanted company_filter, total float,
  known text[], known_df integer[], unknown text[], words_share float, lookup filter_lookup
);

-- Bands of employees: 0 to 5 one by one, from 6, 10, 20, 50 and 250 on. Groups are wider, and steps narrower: two digits count.
create function staff_band(employees integer) returns text language sql immutable parallel safe strict
return lpad(width_bucket(employees, '{0,1,2,3,4,5,6,10,20,50,250}'::integer[])::text, 2, '0');

create function staff_step(employees integer) returns text language sql immutable parallel safe strict
return lpad(rpad(left(employees::text, 2), length(employees::text), '0'), 10, '0');

create function staff_group(employees integer) returns text language sql immutable parallel safe strict
return width_bucket(employees, '{0,1,6,20,250}'::integer[])::text;

-- Bands, groups and steps of net assets. The text of a step sorts as the amount does.
create function assets_band(net_assets bigint) returns text language sql immutable parallel safe strict
return lpad(width_bucket(net_assets, '{-10000000,-1000000,-100000,-30000,-10000,-3000,-1000,-100,0,1,2,3,100,101,1000,1001,3000,
  10000,30000,100000,300000,1000000,10000000}'::bigint[])::text, 2, '0');

create function assets_group(net_assets bigint) returns text language sql immutable parallel safe strict
return width_bucket(net_assets, '{0,1,1001,30000,1000000}'::bigint[])::text;

create function assets_step(net_assets bigint) returns text language sql immutable parallel safe strict
return lpad((1000000000000000000 + sign(net_assets)::bigint * least(
  rpad(left(abs(net_assets)::text, 2), length(abs(net_assets)::text), '0')::numeric, 100000000000000000)::bigint)::text,
  19, '0');

-- The terms of one of a company's sections, `nth` from 1.
create function section_terms(sections text, nth integer, region text, band text) returns text[]
language sql immutable parallel safe
return array[
  '~k:' || nullif(substr(sections, nth, 1), ''),
  '~kr:' || nullif(substr(sections, nth, 1), '') || ':' || region,
  '~ke:' || nullif(substr(sections, nth, 1), '') || ':' || band,
  '~kre:' || nullif(substr(sections, nth, 1), '') || ':' || region || ':' || band
];

-- The terms by which a row is found: those of name_terms, and those of section, region and figures.
--   ~k: section · ~r: region · ~e: band of employees · ~kr: ~ke: ~re: ~kre: two or three of these together
--   ~f: step of employees · ~h: group of employees · ~w: band of net assets · ~x: step · ~v: group
--   ~g: month of incorporation of companies with figures: new companies have none, so the two are counted together
create function fact_terms(sections text, region text, employees integer, net_assets bigint, incorporated_on date)
returns text[] language sql immutable parallel safe
return array[
    '~r:' || region,
    '~e:' || staff_band(employees),
    '~re:' || region || ':' || staff_band(employees),
    '~f:' || staff_step(employees),
    '~h:' || staff_group(employees),
    '~v:' || assets_group(net_assets),
    '~w:' || assets_band(net_assets),
    '~x:' || assets_step(net_assets),
    case when employees is not null or net_assets is not null then '~g:' || month_term(incorporated_on) end
  ]
  || section_terms(sections, 1, region, staff_band(employees))
  || case when length(sections) > 1 then section_terms(sections, 2, region, staff_band(employees)) end
  || case when length(sections) > 2 then section_terms(sections, 3, region, staff_band(employees)) end
  || case when length(sections) > 3 then section_terms(sections, 4, region, staff_band(employees)) end;

-- Not inlined: planning a search with its text would take longer than the search. An index is built with an empty search
-- path, so the function brings its own.
create function search_terms(
  name_key text, status text, accounts_type text, postcode text, incorporated_on date,
  sections text, region text, employees integer, net_assets bigint
) returns text[] language plpgsql immutable parallel safe set search_path from current as $$
begin
  return array_remove(
    name_terms(name_key, status, accounts_type, postcode, incorporated_on)
      || fact_terms(sections, region, employees, net_assets, incorporated_on), null);
end $$;
