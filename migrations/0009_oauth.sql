-- Agents that act for an account: what the authorization server keeps, the connections it made, what each may spend.
-- Safe with the previous release: yes (new tables, and columns that it leaves null).

-- Everything the authorization server stores. Ids are bearer secrets (codes, tokens, sessions), so only their hash is
-- kept; the payload repeats them, so it is sealed.
create table oauth_payload (
  model text not null,
  id_hash bytea not null,
  sealed text not null,
  grant_id text collate "C",
  uid text collate "C",
  account_id text collate "C",
  client_id text collate "C",
  created_at timestamptz not null,
  consumed_at timestamptz,
  -- Null for a registered client, which has no end of its own.
  expires_at timestamptz,
  primary key (model, id_hash)
);
create index oauth_payload_grant on oauth_payload (grant_id) where grant_id is not null;
create index oauth_payload_account on oauth_payload (account_id) where account_id is not null;
create index oauth_payload_client on oauth_payload (client_id) where client_id is not null;
create unique index oauth_payload_uid on oauth_payload (model, uid) where uid is not null;
create index oauth_payload_expiry on oauth_payload (expires_at) where expires_at is not null;
create index oauth_payload_registered on oauth_payload (created_at) where model = 'Client';

-- What somebody who acts for an account may spend in a day.
create table spending_cap (
  id text collate "C" primary key,
  account_id text not null references account (id),
  daily_credits integer not null check (daily_credits between 0 and 1000000)
);
create index spending_cap_account on spending_cap (account_id);

create table spending_day (
  cap_id text collate "C" not null references spending_cap (id) on delete cascade,
  -- In London.
  day date not null,
  -- Spent, or set aside for work under way.
  credits integer not null check (credits >= 0),
  primary key (cap_id, day)
);

-- A hold that is given back is given back to its cap too.
alter table credit_hold add column cap_id text collate "C" references spending_cap (id) on delete set null;
alter table credit_hold add column cap_day date;
create index credit_hold_cap on credit_hold (cap_id) where cap_id is not null;

-- A program that its account has let in. Its id is the grant's; it lives as long as the grant.
create table connection (
  id text collate "C" primary key references spending_cap (id) on delete cascade,
  account_id text not null references account (id),
  client_id text not null,
  -- What the program calls itself; nobody has checked it.
  client_name text not null,
  redirect_host text not null,
  -- A changed password ends it, as it ends a session.
  session_version integer not null,
  connected_at timestamptz not null,
  last_used_at timestamptz
);
create index connection_account on connection (account_id);
