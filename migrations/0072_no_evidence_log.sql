-- The log of evidence records goes: a private log without independent witnesses adds nothing to a signature and a time stamp that
-- anyone can check. What an account erased keeps the hash of its records, so that a document of one can still be told from a forged
-- one. Anchors of the audit logs are signed as records are, without the form that heads of the log had. The release before does not
-- work with it; nothing of it was released.
drop table evidence_head;
drop table evidence_node;
drop table evidence_leaf;
drop table evidence_log;
drop function keep_evidence_log();

-- A key is never deleted, and the signature names it.
alter table evidence_record drop column key_id;

-- A record that was erased with its account.
create table erased_evidence (
  id text primary key,
  -- SHA-256 of the record, a line feed and its signature.
  seal bytea not null
);

create or replace function keep_evidence_record() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.stamp is null and to_jsonb(new) - 'stamp' = to_jsonb(old) - 'stamp' then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select from account where id = old.account_id and erased_at is not null) then
    insert into erased_evidence values (old.id, sha256(convert_to(old.record || E'\n' || old.jws, 'UTF8')));
    return old;
  end if;
  raise exception 'evidence records are never changed or deleted';
end $$;

-- Whatever signs documents is sealed: its own key, or a word where the operator keeps the key in a file.
alter table evidence_certificate alter column private_key_sealed set not null;

-- Anchors that were signed in the other form go, with the rows that they cover; the next one covers all chains.
drop table audit_anchor;
alter table audit_anchored disable trigger user;
delete from audit_anchored;
alter table audit_anchored enable trigger user;

create table audit_anchor (
  number bigint primary key,
  -- Chains that grew since the anchor before.
  chains bigint not null,
  -- SHA-256 over the digest of the anchor before and the ends of these chains.
  digest bytea not null,
  made_at timestamptz not null,
  -- The signature of number, digest and time.
  jws text not null,
  stamp bytea
);
create index audit_anchor_unstamped on audit_anchor (number) where stamp is null;
create trigger audit_anchor_is_kept before update or delete on audit_anchor
  for each row execute function keep_audit_anchor();
create trigger audit_anchor_never_emptied before truncate on audit_anchor
  for each statement execute function refuse_change();
