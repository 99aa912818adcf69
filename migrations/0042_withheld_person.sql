-- People whose names are withheld: what identifies them is a salted hash of their name with the month of their birth or with a
-- company. Safe with the previous release: yes (it neither reads nor writes what is new here).
create table withheld_person (
  key_hash bytea primary key,
  -- The same for all keys of one person.
  person_id text not null,
  birth_year smallint,
  birth_month smallint,
  company_number text collate "C",
  -- The operator's number for the request.
  reference text not null,
  withheld_at timestamptz not null,
  check ((birth_year is null) = (birth_month is null) and (birth_year is null) <> (company_number is null))
);
create table withheld_salt (
  only_one boolean primary key default true check (only_one),
  salt text not null default gen_random_uuid()::text || gen_random_uuid()::text
);
insert into withheld_salt default values;

-- Names that signals and webhook events no longer show, until they are gone from them.
create table person_removal (
  id bigint primary key generated always as identity,
  company_number text collate "C" not null,
  name text not null,
  -- The person objected, or the register deleted the record.
  reason text not null check (reason in ('withheld', 'deleted')),
  unique (company_number, name, reason)
);
