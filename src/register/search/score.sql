-- How well a name fits what was typed: from 1, the name itself, down to 0.2, below which a name is not shown.

-- Returns what a name loses against another that fits equally: present names and active companies come first.
create or replace function handicap(is_previous boolean, status text) returns float
language sql immutable parallel safe
return case when is_previous then 0.02 else 0 end + case when status = 'active' then 0 else 0.004 end;

-- Returns the score of a name that has all typed words: the less else is in it, the better. A name that starts as typed
-- comes before one that only contains it (`harbour` finds HARBOUR LANTERN BOOKS before DISPUTE HARBOUR), unless much more
-- follows and the other name has little else in it.
create or replace function contained_score(name_key text, typed text, is_previous boolean, status text) returns real
language sql immutable parallel safe
return (case when starts_with(name_key, typed) then 0.80 else 0.62 end
  + case when starts_with(name_key, typed) then 0.17 else 0.33 end
    * least(1.0, length(typed)::real / greatest(length(name_key), 1))
  - handicap(is_previous, status))::real;

-- Returns guessed names with their score by trigrams. A comparison costs microseconds, so only the 600 names nearest
-- to the typed length are compared.
create or replace function score_by_trigrams(guesses name_hit[], typed text) returns name_hit[]
language sql stable as $$
  select coalesce(array_agg(row (s.number, s.name_key, s.is_previous,
           0.95 * similarity(s.name_key, typed) - case when s.is_previous then 0.02 else 0 end)::name_hit), '{}')
    from (select distinct g.number, g.name_key, g.is_previous, abs(length(g.name_key) - length(typed)) as length_gap
          from unnest(guesses) g order by length_gap, g.number limit 600) s
$$;
