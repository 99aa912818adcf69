-- Sessions that were signed out of before their time: a session is a signed token, so its end has to be remembered.
-- Safe with the previous release: yes (a table it does not name; it lets a session that was ended here go on).
create table ended_session (
  id text primary key,
  account_id text not null references account (id),
  expires_at timestamptz not null
);
create index ended_session_account on ended_session (account_id);
create index ended_session_expires on ended_session (expires_at);
