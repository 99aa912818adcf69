-- short locks
-- Destinations that people read: Slack and Teams. Their address is a secret, so it is sealed and `webhook_url` has its masked form.
-- A destination may be for one list, and for signals from a severity on. Columns with constants or nothing in them. The release
-- before works with it: it knows no filter, and sends signals for Slack and Teams to the masked address, which no service has. It
-- can neither delete a list that has a destination nor erase its account, and succeeds once it is the new release.
alter table webhook_destination
  add column kind text not null default 'webhook' check (kind in ('webhook', 'slack', 'teams')),
  add column address_sealed text,
  -- Without an action: a list takes its destinations along, and one for a list never becomes one for all signals.
  add column list_key integer references company_list (key),
  add column severity_min text check (severity_min in ('info', 'notice', 'warning')),
  add constraint webhook_destination_address_sealed check ((kind = 'webhook') = (address_sealed is null));
create index webhook_destination_list on webhook_destination (list_key) where list_key is not null;
