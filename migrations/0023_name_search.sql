-- The functions of the search are written again from src/register/search/*.sql whenever their text changes; a type cannot
-- be replaced like that, so it is created here. The previous release lives with it: it does not use the type.

-- A search by name with the figures that decide how it runs; see parse_name_search.
create type name_search as (
  typed text, wanted search_filter, total float,
  known text[], known_df integer[], unknown text[], words_share float,
  terms text[], months text[], filter_share float
);
