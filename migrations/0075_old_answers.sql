-- no transaction
-- Answers of old months that something refers to are kept, and the others are deleted. What refers to an answer is found by the
-- answer's id, so these tables get indexes that begin with it. The key of the history has the answer first, as every look-up names
-- both. Each statement runs by itself, and a run that died starts again. The previous release lives with it, without its job that
-- moved old answers to files.
drop function if exists retire_answers(text);
-- next statement
drop function if exists old_answer_months(timestamptz);
-- next statement
drop table if exists archived_file;
-- next statement
drop index concurrently if exists account_answer_by_answer;
-- next statement
create unique index concurrently account_answer_by_answer on account_answer (resolution_id, account_id);
-- next statement
alter table account_answer drop constraint account_answer_pkey,
  add constraint account_answer_pkey primary key using index account_answer_by_answer;
-- next statement
drop index concurrently if exists evidence_record_answer;
-- next statement
create index concurrently evidence_record_answer on evidence_record (resolution_id);
-- next statement
drop index concurrently if exists share_link_resolution;
-- next statement
create index concurrently share_link_resolution on share_link (resolution_id);
