-- no transaction
-- Indexes for the rows of a bulk job that wait, by their kind, and for the list of reviews. Each statement runs by itself, and a run
-- that died starts again. The previous release lives with them.
drop index concurrently if exists bulk_row_waiting_kind;
-- next statement
create index concurrently bulk_row_waiting_kind on bulk_row (bulk_id, kind, row) where state = 'waiting';
-- next statement
drop index concurrently if exists review_item_newest;
-- next statement
create index concurrently review_item_newest on review_item (account_id, created_at desc, id) where state = 'open';
-- next statement
drop index concurrently if exists review_item_best;
-- next statement
create index concurrently review_item_best on review_item (account_id, (candidate_numbers[1])) where state = 'open';
-- next statement
drop index concurrently if exists review_item_doubt;
-- next statement
create index concurrently review_item_doubt on review_item (account_id, situation, confidence desc, id) where state = 'open';
