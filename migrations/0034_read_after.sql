-- A caller may refuse answers that are older than some days. Work can also be answered by a reading from before the request,
-- so it says how old that may be. The release before does not know the column and reads every site.
alter table resolution_work add column read_after timestamptz;
