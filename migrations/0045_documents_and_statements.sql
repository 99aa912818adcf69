-- no transaction
-- The budget of requests to the register's document host, which counts them apart from its REST API; and an index for the daily
-- sweep, which reads statements about owners that are still in force by their day, a few thousand out of millions of records.
-- Each statement runs by itself, and a run that died starts again. The previous release lives with it: it uses neither.
create table if not exists register_document_budget (like register_rest_budget including all);
-- next statement
insert into register_document_budget default values on conflict do nothing;
-- next statement
drop index concurrently if exists psc_statement_unresolved;
-- next statement
create index concurrently psc_statement_unresolved on psc (notified_on, company_number)
  where not is_ceased and statement in (
    'steps-to-find-psc-not-yet-completed',
    'steps-to-find-psc-not-yet-completed-partnership',
    'psc-contacted-but-no-response',
    'psc-contacted-but-no-response-partnership',
    'restrictions-notice-issued-to-psc',
    'restrictions-notice-issued-to-psc-partnership'
  );
