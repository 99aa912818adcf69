-- Search of the register: by name as people type it (typos, word order, endings, previous names), by postcode, status,
-- kind of accounts and date of incorporation, in any combination, with a bound on the work of every request.
-- Safe with the previous release: yes (new tables and functions, and a column that may stay empty).

create extension if not exists pg_trgm;
create extension if not exists fuzzystrmatch;

-- The previous names as search compares them; see src/register/name-key.ts. Null when there are none.
alter table company add column previous_name_keys text[];

-- One row per searchable name. Loaded in the order of names: reading it from the start is reading the alphabet.
create table company_name (
  number text collate "C" not null,
  name_key text collate "C" not null,
  is_previous boolean not null,
  status text collate "C" not null,
  accounts_type text collate "C",
  -- Without its space.
  postcode text collate "C",
  incorporated_on date
);

-- Days in heaps of 31: counting them is five times faster than asking for the month, and nobody else sees them.
create function month_term(day date) returns text language sql immutable parallel safe strict
return lpad(((day - date '0001-01-01') / 31)::text, 6, '0');

-- What a row can be found by: the words of its name, and its filters as words that no name can hold (names have only
-- capitals and digits). Filters stand in the same index as the words, so that a common word and a rare filter, or the
-- other way round, cost what the rarer of them costs.
--   ~s: status · ~a: kind of accounts · ~p: whole postcode · ~o: outward part · ~m: month of incorporation
--   ~b: kind of accounts and month: new companies have filed none, so the two cannot be counted apart
create function name_terms(name_key text, status text, accounts_type text, postcode text, incorporated_on date)
returns text[] language sql immutable parallel safe
return array_remove(
  string_to_array(name_key, ' ') || array[
    '~s:' || status,
    '~a:' || accounts_type,
    '~p:' || postcode,
    '~o:' || left(postcode, -3),
    '~m:' || month_term(incorporated_on),
    '~b:' || accounts_type || ':' || month_term(incorporated_on)
  ],
  null
);

-- The same letters whatever the spacing, and the same words whatever their order.
create function letters_hash(name_key text) returns bigint language sql immutable parallel safe strict
return hashtextextended(replace(name_key, ' ', ''), 0);

-- A tsvector sorts the words and drops repeats ten times faster than a subquery would; the length tells repeats apart.
create function words_hash(name_key text) returns bigint language sql immutable parallel safe
return hash_array_extended(tsvector_to_array(array_to_tsvector(array_remove(string_to_array(name_key, ' '), ''))), 0)
  # length(name_key)::bigint;

create unique index company_name_number on company_name (number, name_key);
create index company_name_alphabet on company_name (name_key, number);
create index company_name_letters on company_name (letters_hash(name_key));
create index company_name_words on company_name (words_hash(name_key));
-- Without the pending list: a search would have to read it whole, and changes come one company at a time.
create index company_name_terms on company_name
  using gin (name_terms(name_key, status, accounts_type, postcode, incorporated_on)) with (fastupdate = off);

-- Every term and how many rows have it, as of the last rebuild; ~n counts the rows. Terms that came since have 1.
create table name_token (
  token text collate "C" not null,
  df integer not null
);
create unique index name_token_token on name_token (token);

-- A word and every spelling of it with one letter left out, hashed. Two words that share one are a typo apart, so a
-- misspelt word is looked up among the words, not among the names (the idea is SymSpell's).
create function token_keys(token text) returns integer[] language sql immutable parallel safe strict
return case when length(token) <= 24 then
  array(select hashtext(overlay(token placing '' from place for 1)) from generate_series(1, length(token)) place
        where length(token) > 1) || hashtext(token) end;

create index name_token_keys on name_token using gin (token_keys(token)) with (fastupdate = off) where token < '~';

-- While the search is rebuilt, what changes is written down here and done again before the new tables are shown.
create table search_rebuild (
  only_one boolean primary key default true check (only_one),
  started_at timestamptz not null
);
create table search_touched (number text collate "C" primary key);

-- The words most like this one, nearest first; common words win over rare ones at the same distance.
create function similar_tokens(typed text, most integer) returns table (token text, df integer)
language sql stable as $$
  select known.token, known.df from name_token known
  where token_keys(known.token) && token_keys(typed) and known.token < '~' and known.token <> typed
    and levenshtein_less_equal(known.token, typed, 2) <= 2
  order by levenshtein(known.token, typed) - least(ln(known.df) / 12, 1), known.token
  limit most
$$;

-- What a search asks for beside the name; null where it does not ask.
create type search_filter as (
  status text, accounts_type text, postcode text, outward text, day_from date, day_to date
);

create function passes(wanted search_filter, status text, accounts_type text, postcode text, incorporated_on date)
returns boolean language sql immutable parallel safe
return (wanted.status is null or status = wanted.status)
  and (wanted.accounts_type is null or accounts_type = wanted.accounts_type)
  and (wanted.postcode is null or postcode = wanted.postcode)
  and (wanted.outward is null or left(postcode, -3) = wanted.outward)
  and (wanted.day_from is null or incorporated_on >= wanted.day_from)
  and (wanted.day_to is null or incorporated_on <= wanted.day_to);

-- Which terms a filter is worth looking up by: those that less than 5 % of the rows have. Of `months` a row has one.
-- `share` is the part of all rows that passes; 0 when none can.
create function filter_terms(wanted search_filter, total float)
returns table (terms text[], months text[], share float) language plpgsql stable as $$
declare
  dated boolean := wanted.day_from is not null or wanted.day_to is not null;
  given text[] := array_remove(array[
    '~s:' || wanted.status, case when not dated then '~a:' || wanted.accounts_type end,
    '~p:' || wanted.postcode, '~o:' || wanted.outward], null);
  month text := coalesce('~b:' || wanted.accounts_type || ':', '~m:');
  months_df bigint;
begin
  select coalesce(array_agg(token order by df) filter (where df < 0.05 * total), '{}'),
         case when count(token) = cardinality(given) then coalesce(exp(sum(ln(least(df / total, 1)))), 1) else 0 end
    into terms, share
    from unnest(given) term join name_token on token = term;
  if dated then
    select array_agg(token), coalesce(sum(df), 0) into months, months_df from name_token
      where token >= month || coalesce(month_term(wanted.day_from), '000000')
        and token <= month || coalesce(month_term(wanted.day_to), '999999');
    share := share * least(months_df / total, 1);
    if months_df >= 0.05 * total then months := null; end if;
  end if;
  return next;
end $$;

-- At most `most` names that have all of `every` and one of each of `either` and `other` (null: no such condition), in
-- the order of the table. Planned anew on each call, so conditions that do not apply cost nothing.
create function names_with(every text[], either text[], other text[], wanted search_filter, most integer)
returns table (number text, name_key text, is_previous boolean, status text) language plpgsql stable as $$
declare
  terms text := 'name_terms(name_key, status, accounts_type, postcode, incorporated_on)';
begin
  return query execute 'select number, name_key, is_previous, status from company_name
      where passes($4, status, accounts_type, postcode, incorporated_on)'
    || case when cardinality(every) > 0 then ' and ' || terms || ' @> $1' else '' end
    || case when either is not null then ' and ' || terms || ' && $2' else '' end
    || case when other is not null then ' and ' || terms || ' && $3' else '' end
    || ' limit ' || most
  using every, either, other, wanted;
end $$;

-- The settings below keep the planner on the indexes: it cannot know how common a word is, and would now and then read
-- and sort the whole table.

-- No name asked for: in alphabetical order, as far as the table is. The last page a caller may ask for ends at 1,001.
create function search_filtered(wanted search_filter, skip integer, take integer)
returns table (number text, score real, is_previous boolean) language plpgsql stable
set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 set jit = off
set work_mem = '32MB' as $$
#variable_conflict use_column
declare
  total float := (select greatest(df, 1) from name_token where token = '~n');
  part record;
begin
  select * into part from filter_terms(wanted, total);
  if total is null or part.share = 0 then return; end if;
  if cardinality(part.terms) = 0 and part.months is null then
    -- At least one row in twenty passes: walk the alphabet.
    return query select s.number, 1::real, false from company_name s
      where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on)
      order by s.name_key, s.number offset skip limit take;
  else
    -- The same rows are taken for every page, so that pages neither repeat nor leave out.
    return query select s.number, 1::real, false from (
        select f.name_key, f.number from names_with(part.terms, part.months, null, wanted, 3000) f
        where not f.is_previous limit 1001) s
      order by s.name_key collate "C", s.number collate "C" offset skip limit take;
  end if;
end $$;

create type name_hit as (number text collate "C", name_key text collate "C", is_previous boolean, score real);

-- Of two that fit equally, the present name and the company that is alive come first.
create function handicap(is_previous boolean, status text) returns float language sql immutable parallel safe
return case when is_previous then 0.02 else 0 end + case when status = 'active' then 0 else 0.004 end;

-- All typed words are in the name: the less else is in it, the better; in the order typed is a little better still.
create function contained_score(name_key text, typed text, is_previous boolean, status text) returns real
language sql immutable parallel safe
return (0.62 + 0.33 * least(1.0, length(typed)::real / greatest(length(name_key), 1))
  + case when starts_with(name_key, typed) then 0.02 else 0 end - handicap(is_previous, status))::real;

-- How many of the words, rarest first, it takes until about 200 rows have them all; at most 5.
create function few_words(df integer[], total float) returns integer language sql immutable parallel safe
return (select coalesce(min(place), least(cardinality(df), 5)) from (
  select place, total * exp(sum(ln(least(one / total, 1))) over (order by place)) as expected
  from unnest(df[1:5]) with ordinality words (one, place)) counted where expected <= 200);

-- Names like the typed one, best first. `typed` is a name key: made by the code that made company_name.name_key.
-- Every branch looks at a bounded number of rows, and which branch is taken does not depend on the page.
create function search_names(typed text, wanted search_filter, skip integer, take integer)
returns table (number text, score real, is_previous boolean) language plpgsql stable
set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 set jit = off
set work_mem = '32MB' as $$
#variable_conflict use_column
declare
  -- More expected matches than this are not ranked but listed by the alphabet.
  broad constant integer := 2000;
  fetched_max constant integer := 3000;
  -- Index entries that may still be read in search of other spellings.
  effort_left bigint := 100000;
  total float := (select greatest(df, 1) from name_token where token = '~n');
  known text[]; known_df integer[]; unknown text[]; word text;
  part record; words_share float; others text[]; others_share float;
  exact name_hit[]; hits name_hit[]; more name_hit[];
  every text[]; alike text[]; either text[]; other text[]; alike_df bigint; corrected text := typed;
begin
  select * into part from filter_terms(wanted, total);
  if total is null or part.share = 0 then return; end if;
  select coalesce(array_agg(w order by df, w) filter (where df is not null), '{}'),
         coalesce(array_agg(df order by df, w) filter (where df is not null), '{}'),
         coalesce(array_agg(w order by place) filter (where df is null), '{}'),
         coalesce(exp(sum(ln(least(df / total, 1)))), 1)
    into known, known_df, unknown, words_share
    from (select w, min(place) as place from unnest((string_to_array(typed, ' '))[1:12]) with ordinality u (w, place)
          where w <> '' group by w) typed_words
    left join name_token on token = w;
  if cardinality(known) + cardinality(unknown) = 0 then return; end if;

  -- 1. The same letters whatever the spacing, the same words whatever their order.
  select array_agg(row (s.number, s.name_key, s.is_previous,
           s.score - handicap(s.is_previous, s.status))::name_hit)
    into exact
    from (select s.*, case when s.name_key = typed then 1.0 else 0.99 end as score from company_name s
          where letters_hash(s.name_key) = letters_hash(typed)
            and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on) limit 500) s;
  select array_agg(row (s.number, s.name_key, s.is_previous,
           0.975 - handicap(s.is_previous, s.status))::name_hit)
    into more
    from (select s.* from company_name s
          where words_hash(s.name_key) = words_hash(typed)
            and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on) limit 500) s;
  exact := coalesce(exact, '{}') || coalesce(more, '{}');
  hits := exact;

  if cardinality(unknown) = 0 and words_share * part.share * total > broad then
    -- 2. Broad: after the exact ones the names that start so, shortest first, then the rest by the alphabet.
    select array_agg(row (s.number, s.name_key, false, contained_score(s.name_key, typed, false, s.status))::name_hit)
      into more
      from (select * from company_name s where s.name_key >= typed || ' ' and s.name_key < typed || '!'
            order by s.name_key, s.number limit fetched_max) s
      where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on);
    hits := hits || coalesce(more, '{}');
    if cardinality(hits) < skip + take then
      if words_share * part.share >= 0.05 and cardinality(part.terms) = 0 and part.months is null then
        -- From the letters on: many names begin with a house number, and few of those have the word.
        select array_agg(row (s.number, s.name_key, false, 0.6)::name_hit) into more
          from (select s.number, s.name_key from company_name s
                where s.name_key >= 'A' and not s.is_previous and string_to_array(s.name_key, ' ') @> known
                  and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on)
                  and s.number not in (select h.number from unnest(hits) h)
                order by s.name_key, s.number limit skip + take) s;
      else
        select array_agg(row (s.number, s.name_key, false, 0.6)::name_hit) into more
          from names_with(known[1:4] || part.terms, part.months, null, wanted, fetched_max) s
          where string_to_array(s.name_key, ' ') @> known and not s.is_previous
            and s.number not in (select h.number from unnest(hits) h);
      end if;
      hits := hits || coalesce(more, '{}');
    end if;
  else
    -- As few words as make the rows few; the others are checked on the rows.
    every := known[1:few_words(known_df, total)];
    if words_share * total > broad then
      every := every || part.terms;
      either := part.months;
    end if;
    -- 3. Every typed word.
    if cardinality(unknown) = 0 then
      select array_agg(row (s.number, s.name_key, s.is_previous,
               contained_score(s.name_key, typed, s.is_previous, s.status))::name_hit)
        into more from names_with(every, either, null, wanted, fetched_max) s
        where string_to_array(s.name_key, ' ') @> known;
      hits := hits || coalesce(more, '{}');
    end if;
    if cardinality(exact) = 0 and cardinality(hits) < 10 then
      -- 4. A misspelt word: the unknown ones, else one of the three rarest in turn.
      more := '{}';
      if cardinality(unknown) > 0 then
        others_share := words_share;
        if cardinality(known) = 0 or words_share * total > broad then
          either := null;
          foreach word in array unknown[1:3] loop
            select array_agg(t.token), sum(t.df) into alike, alike_df
              from (select token, df, row_number() over () as place, sum(df) over (rows unbounded preceding) as sum_df
                    from similar_tokens(word, 80)) t
              where t.place = 1 or t.sum_df * words_share * part.share <= fetched_max;
            corrected := trim(replace(
              ' ' || corrected || ' ', ' ' || word || ' ', ' ' || coalesce(alike[1] || ' ', '')));
            continue when alike is null;
            others_share := others_share * least(alike_df / total, 1);
            if either is null then either := alike; else other := coalesce(other, alike); end if;
          end loop;
          if either is not null and others_share * part.share * total > 2 * fetched_max then
            -- Even the likeliest correction is a common name: search for that instead.
            return query select s.number, (s.score * 0.9)::real, s.is_previous
              from search_names(corrected, wanted, skip, take) s;
            return;
          end if;
        else
          either := null;
        end if;
        if either is not null or cardinality(known) > 0 and words_share * total <= broad then
          every := known[1:few_words(known_df, total)];
          if words_share * total > broad then every := every || part.terms; end if;
          select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit) into more
            from names_with(every, either, other, wanted, fetched_max) s;
        end if;
      else
        for i in 1 .. least(cardinality(known), 3) loop
          others := known[1:i - 1] || known[i + 1:];
          others := others[1:few_words(known_df[1:i - 1] || known_df[i + 1:], total)];
          others_share := words_share / least(known_df[i] / total, 1);
          alike_df := known_df[case when i = 1 then 2 else 1 end];
          either := null;
          if cardinality(others) = 0 or others_share * total > broad then
            select array_agg(t.token), least(alike_df, max(t.sum_df)) into either, alike_df
              from (select token, row_number() over () as place, sum(df) over (rows unbounded preceding) as sum_df
                    from similar_tokens(known[i], 80)) t
              where t.place = 1 or t.sum_df * others_share * part.share <= fetched_max;
            continue when either is null;
            others := others || part.terms;
          end if;
          -- The rarest of the words looked up is what looking costs.
          continue when alike_df > effort_left;
          effort_left := effort_left - alike_df;
          more := more || coalesce((
            select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit)
              from names_with(others, either, null, wanted, fetched_max) s), '{}');
        end loop;
      end if;
      -- 5. Still nothing: whatever has the rarest word.
      if coalesce(cardinality(more), 0) + cardinality(hits) = 0 and known_df[1] <= fetched_max then
        select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit) into more
          from names_with(known[1:1], null, null, wanted, fetched_max) s;
      end if;
      -- Trigrams cost microseconds each, so only names of about the typed length are compared by them.
      select hits || coalesce(array_agg(row (s.number, s.name_key, s.is_previous,
               0.95 * similarity(s.name_key, typed) - case when s.is_previous then 0.02 else 0 end)::name_hit), '{}')
        into hits
        from (select distinct m.number, m.name_key, m.is_previous, abs(length(m.name_key) - length(typed)) as apart
              from unnest(more) m order by apart, m.number limit 1000) s;
    end if;
  end if;

  return query select best.number, best.score, best.is_previous
    from (select distinct on (h.number) h.number, h.score, h.is_previous, h.name_key
          from unnest(hits) h where h.score > 0.2 order by h.number, h.score desc) best
    order by best.score desc, best.name_key, best.number offset skip limit take;
end $$;
