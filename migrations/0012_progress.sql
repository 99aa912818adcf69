-- How far the work on a domain is, for whoever watches its job: what was read so far. A convenience, never relied upon.
-- Safe with the previous release: yes (a column it does not name).
alter table resolution_work add column progress jsonb;
