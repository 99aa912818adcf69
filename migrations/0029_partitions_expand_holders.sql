-- short locks
-- All holds are there now, and every new one is mirrored: rows that refer to them can follow.
set local lock_timeout = '500ms';

select start_mirror(name, 2) from unnest(array['ledger_entry', 'resolution_job']) name;
