-- no transaction
-- Indexes over all terms of a row: words, filters, section, region and figures. Each statement runs by itself, and a run that
-- died starts again. The previous release lives with it: it does not use the indexes, and its rebuild makes them too.
drop index concurrently if exists company_name_all_terms;
-- next statement
create index concurrently company_name_all_terms on company_name using gin (search_terms(
  name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets))
  with (fastupdate = off);
-- next statement
-- The names before the letter B, a tenth of all: enough for all pages of a search that fits thousands.
drop index concurrently if exists company_name_first_terms;
-- next statement
create index concurrently company_name_first_terms on company_name using gin (search_terms(
  name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets))
  with (fastupdate = off) where name_key < 'B';
