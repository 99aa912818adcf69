-- Destinations and listeners belong to a mode, as watchlists do: a test key neither sees nor changes the live ones.
-- Safe with the previous release: yes. It does not name the column, so what it registers is live, and it sends test
-- signals to every destination of the account as long as it runs.
alter table webhook_destination
  add column mode text not null default 'live' check (mode in ('live', 'test'));
