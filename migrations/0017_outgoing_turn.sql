-- Hosts and addresses that never accepted a webhook get one request at a time and few a minute, from all processes
-- together: a row says who has the turn and when the last one began.
-- Safe with the previous release: yes (a table it does not name; what it sends waits for no turn, as before).
create table outgoing_turn (
  key text primary key,
  held_by text,
  held_until timestamptz not null default '-infinity',
  begun_at timestamptz not null default '-infinity'
);
create index outgoing_turn_begun on outgoing_turn (begun_at);
