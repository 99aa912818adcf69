-- Words that are not spelt as in any name, and how many words a lookup needs.

-- Returns the words most like this one, nearest first; at the same distance common words come before rare ones. Words
-- that share a key are one letter apart, so they are looked up among the words and not among the names (SymSpell's idea).
create or replace function similar_tokens(typed text, most integer) returns table (token text, df integer)
language sql stable as $$
  select known.token, known.df from name_token known
  where token_keys(known.token) && token_keys(typed) and known.token < '~' and known.token <> typed
    and levenshtein_less_equal(known.token, typed, 2) <= 2
  order by levenshtein(known.token, typed) - least(ln(known.df) / 12, 1), known.token
  limit most
$$;

-- Returns the nearest spellings of a word, as many as make at most 3,000 rows with the rest of the search (at least
-- one), and how many rows have one of them. `share` is the part of all rows that fits the rest.
create or replace function likely_spellings(word text, share float, out spellings text[], out df bigint)
language sql stable as $$
  select array_agg(s.token order by s.position), max(s.rows_so_far)
  from (select token, row_number() over () as position, sum(df) over (rows unbounded preceding) as rows_so_far
        from similar_tokens(word, 80)) s
  where s.position = 1 or s.rows_so_far * share <= 3000
$$;

-- Returns how many of the words, rarest first, it takes until about 200 rows have them all; at most 5.
create or replace function few_words(df integer[], total float) returns integer language sql immutable parallel safe
return (select coalesce(min(words), least(cardinality(df), 5)) from (
  select words, total * exp(sum(ln(least(word_df / total, 1))) over (order by words)) as expected
  from unnest(df[1:5]) with ordinality rarest (word_df, words)) counted where expected <= 200);

-- Returns how many of these words, rarest first, are worth a lookup when `rows_left` rows have what is looked up besides.
-- An entry of the index costs about 20 ns and a row 1 to 2 µs: a few hundred rows more are read sooner than the million
-- entries of a word like AND.
create or replace function words_to_look_up(df integer[], total float, rows_left float) returns integer
language plpgsql immutable parallel safe as $$
begin
  for words in 0 .. cardinality(df) - 1 loop
    if rows_left <= 1500 and df[words + 1] > 50 * rows_left then return words; end if;
    rows_left := rows_left * least(df[words + 1] / total, 1);
  end loop;
  return cardinality(df);
end $$;

-- Returns spellings for the first two unknown words that have any, when the known words are in too many names to read
-- them all. `corrected` is what was typed with the likeliest spellings, and `is_common` is true when even these are in
-- more names than a search can rank.
create or replace function suggest_spellings(
  search company_search, out spellings text[], out more_spellings text[], out corrected text, out is_common boolean
) language plpgsql stable as $$
declare
  word text;
  nearest record;
  share float := search.words_share;
begin
  if cardinality(search.known) > 0 and search.words_share * search.total <= 2000 then return; end if;
  corrected := search.typed;
  foreach word in array search.unknown[1:3] loop
    select * into nearest from likely_spellings(word, search.words_share * (search.lookup).share);
    corrected := trim(replace(
      ' ' || corrected || ' ', ' ' || word || ' ', ' ' || coalesce(nearest.spellings[1] || ' ', '')));
    continue when nearest.spellings is null;
    share := share * least(nearest.df / search.total, 1);
    if spellings is null then spellings := nearest.spellings;
    else more_spellings := coalesce(more_spellings, nearest.spellings); end if;
  end loop;
  is_common := spellings is not null and share * (search.lookup).share * search.total > 6000;
end $$;
