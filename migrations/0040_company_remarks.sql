-- short locks
-- What the registrar remarks on a company's record: a disputed or undeliverable office, a strike-off for a false statement.
-- Null until a profile was read. Safe with the previous release: yes (it leaves the column as it is).
alter table company add column remarks text[];
-- A first load that is not finished becomes the table above.
alter table if exists company_load add column if not exists remarks text[];
