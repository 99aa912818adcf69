-- Sign-ups that nobody proves are forgotten, a second sign-up with another password is remembered until the mailbox has
-- spoken, and each account knows the network blocks it signed in from, so that strangers' guesses do not slow its owner.
-- The previous release lives with it: the new column has a default, it does not name the new table, and nothing that it
-- writes is refused.

alter table account add column is_contested boolean not null default false;
create index account_unverified on account (created_at) where verified_at is null;

-- The trail outlives a sign-up that is forgotten.
alter table audit_event drop constraint audit_event_account_id_fkey;

create table familiar_address (
  account_id text not null references account (id),
  -- A keyed hash: the table is no list of where people are.
  block_hash bytea not null,
  seen_at timestamptz not null,
  primary key (account_id, block_hash)
);
create index familiar_address_seen_at on familiar_address (seen_at);
