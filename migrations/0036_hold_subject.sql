-- The ledger names the domain or company that a credit was for. Known answers have no job that could say it, and jobs are
-- deleted after 30 days. Safe with the previous release: yes (it leaves the column empty).
alter table credit_hold add column subject text;
