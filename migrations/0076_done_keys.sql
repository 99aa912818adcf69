-- Remembers in the transaction of a request's work that it is done, so that a repeat whose response was not stored does not do
-- it again. The previous release works with it, and leaves it false.
alter table idempotency_key add column is_done boolean not null default false;
