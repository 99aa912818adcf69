-- The search by name. Every step reads a bounded number of rows, and which steps run does not depend on the page.
-- A search is common when more than 2,000 rows are expected to fit: its names are listed by the alphabet, not ranked.

-- Returns what was typed as words with their frequency (known: rarest first; unknown: in no name), and the terms of the
-- filter. Null when nothing can fit.
create or replace function parse_company_search(typed text, wanted company_filter) returns company_search
language plpgsql stable as $$
declare
  search company_search;
begin
  search.total := (select greatest(df, 1) from name_token where token = '~n');
  if search.total is null then return null; end if;
  select coalesce(array_agg(word order by df, word) filter (where df is not null), '{}'),
         coalesce(array_agg(df order by df, word) filter (where df is not null), '{}'),
         coalesce(array_agg(word order by position) filter (where df is null), '{}'),
         coalesce(exp(sum(ln(least(df / search.total, 1)))), 1)
    into search.known, search.known_df, search.unknown, search.words_share
    from (select word, min(position) as position
          from unnest((string_to_array(typed, ' '))[1:12]) with ordinality words (word, position)
          where word <> '' group by word) typed_words
    left join name_token on token = word;
  if cardinality(search.known) + cardinality(search.unknown) = 0 then return null; end if;
  search.lookup := case when asks_for_facts(wanted)
    then look_up_parts(list_parts(wanted, search.total), search.total, search.words_share * search.total, 1, null)
    else look_up_filter(wanted, search.total) end;
  if (search.lookup).share = 0 then return null; end if;
  search.typed := typed;
  search.wanted := wanted;
  return search;
end $$;

-- Returns names with the same letters whatever the spacing, and with the same words whatever their order.
create or replace function exact_names(typed text, wanted company_filter) returns name_hit[]
language plpgsql stable as $$
declare
  same_letters name_hit[];
  same_words name_hit[];
begin
  select array_agg(row (s.number, s.name_key, s.is_previous, s.score - handicap(s.is_previous, s.status))::name_hit)
    into same_letters
    from (select s.*, case when s.name_key = typed then 1.0 else 0.99 end as score from company_name s
          where letters_hash(s.name_key) = letters_hash(typed)
            and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets) limit 500) s;
  select array_agg(row (s.number, s.name_key, s.is_previous, 0.975 - handicap(s.is_previous, s.status))::name_hit)
    into same_words
    from (select s.* from company_name s
          where words_hash(s.name_key) = words_hash(typed)
            and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets) limit 500) s;
  return coalesce(same_letters, '{}') || coalesce(same_words, '{}');
end $$;

-- Returns at most `rows_max` present names before the letter B that have the words and pass the filter: a tenth of all,
-- with indexes of their own.
create or replace function fetch_first_common(search company_search, rows_max integer)
returns table (number text, name_key text) language plpgsql stable as $$
declare
  lookup filter_lookup;
begin
  if asks_for_facts(search.wanted) then
    lookup := look_up_parts(list_parts(search.wanted, search.total), search.total, search.words_share * search.total, 0.1, null);
    lookup.all_of := search.known[1:4] || lookup.all_of;
  end if;
  return query execute 'select number, name_key from company_name where name_key < ''B'' and not is_previous and '
    || row_passes('$1') || lookup_condition(lookup, '$3')
    || case when lookup is null then ' and string_to_array(name_key, '' '') @> $2'
       else ' and string_to_array(name_key, '' '') || ''{}'' @> $2' end
    || ' limit $4'
  using search.wanted, search.known, lookup, rows_max;
end $$;

-- Returns at most `rows_max` present names from the letter B on that have the words and pass the filter, in the order of
-- the table.
create or replace function fetch_more_common(search company_search, rows_max integer)
returns table (number text, name_key text) language plpgsql stable as $$
declare
  lookup filter_lookup := search.lookup;
begin
  lookup.all_of := search.known[1:4] || lookup.all_of;
  return query execute 'select number, name_key from company_name
      where name_key || '''' >= ''B'' and string_to_array(name_key, '' '') || ''{}'' @> $2 and not is_previous and '
    || row_passes('$1') || lookup_condition(lookup, '$3') || ' limit $4'
  using search.wanted, search.known, lookup, rows_max;
end $$;

-- Returns the first names from the letter A on that have the words and pass the filter, without those in `hits`; found by
-- reading `rows_max` names. Many names begin with a house number, and few of those have the word.
create or replace function read_common(search company_search, hits name_hit[], rows_max integer, rows_wanted integer)
returns name_hit[] language plpgsql stable as $$
begin
  return array(select row (s.number, s.name_key, false, 0.6)::name_hit
    from (select s.number, s.name_key from (
            select * from company_name s where s.name_key >= 'A' order by s.name_key, s.number limit rows_max) s
          where not s.is_previous and string_to_array(s.name_key, ' ') @> search.known
            and passes(search.wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets)
            and s.number not in (select h.number from unnest(hits) h)
          order by s.name_key, s.number limit rows_wanted) s);
end $$;

-- Returns the names of a common search that have the words, by the alphabet, without those in `hits`.
create or replace function list_common(search company_search, hits name_hit[], rows_wanted integer) returns name_hit[]
language plpgsql stable as $$
declare
  -- The same rows for every page, so that no page repeats or leaves out a company.
  rows_max integer := 1001 + cardinality(hits);
  share float := search.words_share * (search.lookup).share;
  others name_hit[];
begin
  if share >= 0.05 then
    -- At least one row in twenty should fit: read the alphabet until the page is full.
    others := read_common(search, hits, (4 * (rows_wanted + cardinality(hits)) / share)::integer, rows_wanted);
    if cardinality(others) >= rows_wanted then return others; end if;
  end if;
  others := array(select row (s.number, s.name_key, false, 0.6)::name_hit from fetch_first_common(search, rows_max) s);
  -- What the first pages do not show is not read for them.
  if cardinality(others) < rows_wanted + cardinality(hits) then
    others := others || array(select row (s.number, s.name_key, false, 0.6)::name_hit
      from fetch_more_common(search, rows_max - cardinality(others)) s);
  end if;
  return array(select other from unnest(others) other where other.number not in (select h.number from unnest(hits) h));
end $$;

-- Adds to the exact names of a common search those that start as typed, shortest first. When these do not fill the
-- page, names that have the words follow by the alphabet.
create or replace function common_names(search company_search, exact name_hit[], rows_wanted integer) returns name_hit[]
language plpgsql stable as $$
declare
  typed text := search.typed;
  wanted company_filter := search.wanted;
  hits name_hit[];
begin
  select exact || coalesce(array_agg(row (s.number, s.name_key, false,
           contained_score(s.name_key, typed, false, s.status))::name_hit), '{}')
    into hits
    from (select * from company_name s where s.name_key >= typed || ' ' and s.name_key < typed || '!'
          order by s.name_key, s.number limit 3000) s
    where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets);
  if cardinality(hits) >= rows_wanted then return hits; end if;
  return hits || coalesce(list_common(search, hits, rows_wanted), '{}');
end $$;

-- Returns the names that have every typed word; none when a word is in no name. As few words as make the rows few are
-- looked up, with the filter where these are still many; the others are checked on the rows.
create or replace function names_with_all_words(search company_search) returns name_hit[]
language plpgsql stable as $$
declare
  is_many boolean := search.words_share * search.total > 2000;
  few integer := few_words(search.known_df, search.total);
  all_of text[] := search.known[1:words_to_look_up(search.known_df[1:few], search.total, search.total)];
  hits name_hit[];
begin
  if cardinality(search.unknown) > 0 then return '{}'; end if;
  select array_agg(row (s.number, s.name_key, s.is_previous,
           contained_score(s.name_key, search.typed, s.is_previous, s.status))::name_hit)
    into hits from fetch_names(all_of, null, null, case when is_many then search.lookup end, search.wanted) s
    where string_to_array(s.name_key, ' ') @> search.known;
  return coalesce(hits, '{}');
end $$;

-- Returns the terms of the filter that are worth a lookup when `rows_left` rows have the words.
create or replace function lookup_beside(search company_search, rows_left float) returns filter_lookup
language sql stable as $$
  select case when asks_for_facts(search.wanted)
    then look_up_parts(list_parts(search.wanted, search.total), search.total, rows_left, 1, null) else search.lookup end
$$;

-- Returns names in which one of the three rarest words is spelt otherwise, without a score.
create or replace function names_with_one_misspelt(search company_search) returns name_hit[]
language plpgsql stable as $$
declare
  -- Index entries that may still be read; looking up words reads as many as the rarest of them has.
  effort_left bigint := 100000;
  cost bigint;
  others_df integer[];
  others_share float;
  few text[];
  all_of text[];
  nearest record;
  lookup filter_lookup;
  hits name_hit[] := '{}';
begin
  for i in 1 .. least(cardinality(search.known), 3) loop
    others_df := search.known_df[1:i - 1] || search.known_df[i + 1:];
    others_share := search.words_share / least(search.known_df[i] / search.total, 1);
    few := (search.known[1:i - 1] || search.known[i + 1:])[1:few_words(others_df, search.total)];
    cost := others_df[1];
    select null::text[] as spellings, null::bigint as df into nearest;
    if cardinality(few) = 0 or others_share * search.total > 2000 then
      select * into nearest from likely_spellings(search.known[i], others_share * (search.lookup).share);
      continue when nearest.spellings is null;
      cost := least(cost, nearest.df);
    end if;
    all_of := few[1:words_to_look_up(others_df[1:cardinality(few)], search.total, coalesce(nearest.df, search.total))];
    lookup := case when nearest.spellings is null
      then row (null, (search.lookup).months, null, null, 1)::filter_lookup
      else lookup_beside(search, nearest.df * others_share) end;
    continue when cost > effort_left;
    effort_left := effort_left - cost;
    hits := hits || coalesce((
      select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit)
      from fetch_names(all_of, nearest.spellings, null, lookup, search.wanted) s
      where string_to_array(s.name_key, ' ') @> few), '{}');
  end loop;
  return hits;
end $$;

-- Returns names that have the known words and one of the spellings of each unknown word, without a score.
create or replace function names_with_spellings(search company_search, spellings text[], more_spellings text[])
returns name_hit[] language plpgsql stable as $$
declare
  is_many boolean := search.words_share * search.total > 2000;
  few text[] := search.known[1:few_words(search.known_df, search.total)];
  spelt_df bigint := (select sum(df) from name_token where token = any (spellings));
  all_of text[] := few[1:words_to_look_up(
    search.known_df[1:cardinality(few)], search.total, coalesce(spelt_df, search.total))];
begin
  if spellings is null and (is_many or cardinality(search.known) = 0) then return '{}'; end if;
  return coalesce((
    select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit)
    from fetch_names(all_of, spellings, more_spellings,
      case when is_many then lookup_beside(search, coalesce(spelt_df, search.total) * search.words_share) end, search.wanted) s
    where string_to_array(s.name_key, ' ') @> few), '{}');
end $$;

-- Returns names like the typed one, best first. `typed` is a name key, made by `toNameKey` as company_name.name_key is.
-- The settings are those of search_filtered, for the same reason.
create or replace function search_names(typed text, wanted company_filter, skip integer, take integer)
returns table (number text, score real, is_previous boolean) language plpgsql stable
set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 set jit = off
set work_mem = '32MB' set plan_cache_mode = auto as $$
#variable_conflict use_column
declare
  search company_search := parse_company_search(typed, wanted);
  exact name_hit[];
  hits name_hit[];
  guesses name_hit[];
  guessed record;
begin
  if search.typed is null then return; end if;
  exact := exact_names(typed, wanted);
  if cardinality(search.unknown) = 0 and search.words_share * (search.lookup).share * search.total > 2000 then
    hits := common_names(search, exact, skip + take);
  else
    hits := exact || names_with_all_words(search);
    if cardinality(exact) = 0 and cardinality(hits) < 10 then
      if cardinality(search.unknown) = 0 then
        guesses := names_with_one_misspelt(search);
      else
        select * into guessed from suggest_spellings(search);
        if guessed.is_common then
          -- Even the likeliest correction is a common name: search for that instead.
          return query select s.number, (s.score * 0.9)::real, s.is_previous
            from search_names(guessed.corrected, wanted, skip, take) s;
          return;
        end if;
        guesses := names_with_spellings(search, guessed.spellings, guessed.more_spellings);
      end if;
      if cardinality(guesses) + cardinality(hits) = 0 and search.known_df[1] <= 3000 then
        -- Nothing else fits: all names with the rarest word.
        select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit) into guesses
          from fetch_names(search.known[1:1], null, null, null, wanted) s;
      end if;
      hits := hits || score_by_trigrams(guesses, typed);
    end if;
  end if;

  return query select best.number, best.score, best.is_previous
    from (select distinct on (h.number) h.number, h.score, h.is_previous, h.name_key
          from unnest(hits) h where h.score > 0.2 order by h.number, h.score desc) best
    order by best.score desc, best.name_key, best.number offset skip limit take;
end $$;
