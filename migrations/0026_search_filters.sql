-- no transaction
-- Indexes for searches by filters, which have all filters in the index: a search reads hardly any row that does not pass.
-- Each statement runs by itself, and a run that died starts again. The previous release lives with it: it does not use the
-- indexes, and its rebuild of the search makes them too.

-- Postcodes.
drop index concurrently if exists company_name_outward;
-- next statement
create index concurrently company_name_outward on company_name
  (left(postcode, -3), status, accounts_type, ((incorporated_on - date '0001-01-01') / 93));
-- next statement
-- Few companies, by the day.
drop index concurrently if exists company_name_days;
-- next statement
create index concurrently company_name_days on company_name
  (status, coalesce(accounts_type, ''), incorporated_on);
-- next statement
-- Many companies, by parts of the alphabet. Quarters of a year, of 93 days each, share an entry and keep the index small.
drop index concurrently if exists company_name_parts;
-- next statement
create index concurrently company_name_parts on company_name
  (status, coalesce(accounts_type, ''), left(name_key, 3), ((incorporated_on - date '0001-01-01') / 93));
-- next statement
-- Words that thousands of names have: the names before the letter B are enough for all pages of most searches.
drop index concurrently if exists company_name_first_words;
-- next statement
create index concurrently company_name_first_words on company_name
  using gin (string_to_array(name_key, ' ')) with (fastupdate = off) where name_key < 'B';
