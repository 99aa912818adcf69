-- Fills the history of accounts with the answers of the last 30 days, for which requests are stored. In a transaction of its own, so
-- that requests go on meanwhile. The previous release works with it, and it may run again.
insert into account_answer (account_id, resolution_id, domain, outcome, company_number, company_name, confidence, origin, at)
select distinct on (job.account_id, r.id) job.account_id, r.id, r.domain, r.outcome, r.company_number, company.name,
  r.confidence, 'api', job.finished_at
from resolution_job job
join resolution r on r.id = job.resolution_id
left join company on company.number = r.company_number
where job.finished_at is not null and job.status = 'completed' and job.charge_reason <> 'refunded'
order by job.account_id, r.id, job.finished_at
on conflict do nothing;
