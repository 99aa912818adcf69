-- A name that starts with what was typed comes before one that only contains it: `harbour` finds HARBOUR LANTERN BOOKS
-- before DISPUTE HARBOUR. The previous release lives with it: the function keeps its signature and its range.

-- All typed words are in the name: the less else is in it, the better. Names that start as typed come first, unless much
-- more follows and the other name has little else in it.
create or replace function contained_score(name_key text, typed text, is_previous boolean, status text) returns real
language sql immutable parallel safe
return (case when starts_with(name_key, typed) then 0.80 else 0.62 end
  + case when starts_with(name_key, typed) then 0.17 else 0.33 end
    * least(1.0, length(typed)::real / greatest(length(name_key), 1))
  - handicap(is_previous, status))::real;
