-- no transaction
-- Officers who have not verified their identity, by the day it is due: the daily sweep reads one day of them out of millions.
-- Each statement runs by itself, and a run that died starts again. The previous release lives with it: it does not use the index.
drop index concurrently if exists company_item_identity_due;
-- next statement
create index concurrently company_item_identity_due on company_item
  ((data -> 'identity_verification_details' ->> 'appointment_verification_statement_due_on'), company_number)
  where kind = 'officer'
    and (data -> 'identity_verification_details' ->> 'appointment_verification_statement_due_on') is not null
    and coalesce(data -> 'identity_verification_details' ->> 'appointment_verification_start_on', '') = '';
