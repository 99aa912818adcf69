-- short locks
-- The list of reviews is searched by its candidates and filtered by its kind of doubt. Both are in the answer, as JSON that is too
-- large to read for each row of a list, so the list has a copy. Columns that may be empty or have a constant default. The previous
-- release works with it: what it adds meanwhile is found by its domain alone until the domain is answered again.
alter table review_item
  add column situation text,
  add column candidate_numbers text[] collate "C" not null default '{}',
  add column candidate_names text not null default '';
