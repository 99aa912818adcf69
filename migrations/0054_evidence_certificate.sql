-- Certificates that sign evidence documents (PDF): readers of PDF know no Ed25519, so documents have keys of their own. Each stays
-- published, so that a document can be checked for ever. A new table alone, so the previous release works with it.
create table evidence_certificate (
  -- SHA-256 of the certificate, in hexadecimal.
  id text primary key,
  certificate bytea not null,
  -- Null where the operator keeps the key in a file.
  private_key_sealed text,
  activates_at timestamptz not null,
  retired_at timestamptz
);
create unique index evidence_certificate_one_signs on evidence_certificate ((true)) where retired_at is null;

create function keep_evidence_certificate() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.certificate <> old.certificate then
    raise exception 'certificates of evidence documents are never changed or deleted';
  end if;
  return new;
end $$;
create trigger evidence_certificate_is_kept before update or delete on evidence_certificate
  for each row execute function keep_evidence_certificate();
