-- One shared answer for a domain: the answer of the rules beside a second reader's goes, and with it the choice of a request.
-- An account may still refuse that a model is asked. The previous release does not work with it.
alter table known_domain
  drop column rules_resolution_id,
  drop column rules_outcome,
  drop column rules_company_number,
  drop column rules_resolved_at,
  drop column is_second_reader_due;

alter table resolution_job drop column second_reader;

do $$ begin
  execute replace(pg_get_functiondef('retire_answers'::regproc), ' union all select rules_resolution_id from known_domain', '');
end $$;
