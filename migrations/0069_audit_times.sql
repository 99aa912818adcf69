-- no transaction
-- Whether the audit log has entries from certain days is found without a scan of it: entries are in the order of time, so this index
-- is a few kB. Each statement runs by itself, and a run that died starts again. The previous release lives with it.
drop index concurrently if exists audit_event_at;
-- next statement
create index concurrently audit_event_at on audit_event using brin (at);
