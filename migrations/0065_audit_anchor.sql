-- A person with all rights on the database can make the chain of an account again in full. So the ends of the chains that grew are
-- stored each day, and a digest over them and over all days before is signed with a key that the database has only sealed, and
-- time-stamped. New tables alone: the previous release works with it.

-- The end of a chain on the day of an anchor. Without a reference to the account: the log outlives a sign-up that is forgotten.
-- Without one to the anchor, which is written after its rows: a changed number shows in the digest.
create table audit_anchored (
  account_id text not null,
  seq bigint not null,
  head_hash bytea not null,
  anchor bigint not null,
  primary key (account_id, seq)
);
-- The order in which the digest covers them.
create index audit_anchored_by_anchor on audit_anchored (anchor, account_id collate "C");

create table audit_anchor (
  number bigint primary key,
  -- Chains that grew since the anchor before.
  chains bigint not null,
  -- SHA-256 over the root of the anchor before and the ends of these chains.
  root bytea not null,
  made_at timestamptz not null,
  key_id text not null references evidence_key (id),
  -- Number, root and time as a signed note.
  checkpoint text not null,
  stamp bytea
);
create index audit_anchor_key on audit_anchor (key_id);
create index audit_anchor_unstamped on audit_anchor (number) where stamp is null;

create function keep_audit_anchor() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_anchor' then
    if old.stamp is null and to_jsonb(new) - 'stamp' = to_jsonb(old) - 'stamp' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_anchored_is_kept before update or delete on audit_anchored
  for each row execute function keep_audit_anchor();
create trigger audit_anchor_is_kept before update or delete on audit_anchor
  for each row execute function keep_audit_anchor();
create trigger audit_anchored_never_emptied before truncate on audit_anchored
  for each statement execute function refuse_change();
create trigger audit_anchor_never_emptied before truncate on audit_anchor
  for each statement execute function refuse_change();
