-- Evidence records: what an account files of an answer, signed, time-stamped and appended to a log that shows every later change.
-- New tables alone, so the previous release works with it.

-- Keys that sign records and heads of the log. A key signs until the next one does, and its public half verifies for ever.
create table evidence_key (
  id text primary key,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  activates_at timestamptz not null,
  retired_at timestamptz
);
create unique index evidence_key_one_signs on evidence_key ((true)) where retired_at is null;

create function keep_evidence_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.public_jwk <> old.public_jwk or new.activates_at <> old.activates_at
    or (old.retired_at is not null and new.retired_at is distinct from old.retired_at) then
    raise exception 'keys of evidence records are never changed or deleted';
  end if;
  return new;
end $$;
create trigger evidence_key_is_kept before update or delete on evidence_key
  for each row execute function keep_evidence_key();

create table evidence_record (
  id text primary key,
  account_id text not null references account (id),
  mode text not null check (mode in ('live', 'test')),
  resolution_id text not null,
  -- Hash of what it says, without its own id and the times of making it: the same content is stored once.
  content_hash bytea not null,
  -- Canonical JSON (RFC 8785), as it was signed.
  record text not null,
  jws text not null,
  key_id text not null references evidence_key (id),
  made_at timestamptz not null,
  -- The time-stamp token (RFC 3161) in DER; null until an authority gave one.
  stamp bytea
);
create unique index evidence_record_content on evidence_record (account_id, resolution_id, content_hash);
create index evidence_record_key on evidence_record (key_id);
create index evidence_record_unstamped on evidence_record (made_at) where stamp is null;

-- A record stays what it was. Its stamp may come later, once. With an erased account it is deleted.
create function keep_evidence_record() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.stamp is null
    and (new.id, new.account_id, new.mode, new.resolution_id, new.content_hash, new.record, new.jws, new.key_id, new.made_at)
      = (old.id, old.account_id, old.mode, old.resolution_id, old.content_hash, old.record, old.jws, old.key_id, old.made_at) then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select from account where id = old.account_id and erased_at is not null) then
    return old;
  end if;
  raise exception 'evidence records are never changed or deleted';
end $$;
create trigger evidence_record_is_kept before update or delete on evidence_record
  for each row execute function keep_evidence_record();

-- The log: one row, which each append locks, so that appends come one after another.
create table evidence_log (
  only_row boolean primary key default true check (only_row),
  size bigint not null
);
insert into evidence_log (size) values (0);

-- Its leaves. They hold hashes and numbers, and stay when a record is erased with its account.
create table evidence_leaf (
  index bigint primary key,
  record_id text not null unique,
  account_id text not null references account (id),
  hash bytea not null,
  appended_at timestamptz not null
);
create index evidence_leaf_account on evidence_leaf (account_id);

-- Hashes of its complete subtrees: level 0 are the leaves, and a node of level n covers 2^n of them.
create table evidence_node (
  level smallint not null,
  index bigint not null,
  hash bytea not null,
  primary key (level, index)
);

-- Signed heads, published: the tree of so many leaves has this root.
create table evidence_head (
  size bigint primary key,
  root bytea not null,
  made_at timestamptz not null,
  key_id text not null references evidence_key (id),
  -- A checkpoint as transparency logs write it: a signed note.
  checkpoint text not null,
  stamp bytea
);
create index evidence_head_key on evidence_head (key_id);
create index evidence_head_unstamped on evidence_head (size) where stamp is null;

create function keep_evidence_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'evidence_head' then
    if old.stamp is null and new.checkpoint = old.checkpoint and new.size = old.size and new.root = old.root
      and new.made_at = old.made_at and new.key_id = old.key_id then
      return new;
    end if;
  end if;
  raise exception 'the log of evidence records is only ever added to';
end $$;
create trigger evidence_leaf_is_kept before update or delete on evidence_leaf
  for each row execute function keep_evidence_log();
create trigger evidence_node_is_kept before update or delete on evidence_node
  for each row execute function keep_evidence_log();
create trigger evidence_head_is_kept before update or delete on evidence_head
  for each row execute function keep_evidence_log();
