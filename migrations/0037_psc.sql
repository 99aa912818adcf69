-- Persons with significant control get a flat table, filled from the register's own file of all of them, kept current by the
-- stream, and completed by REST where no file was imported. `company_part` gets the kind `owner` for lists that REST gave
-- whole; rows of kind `psc` and their items belong to the release before, and the first follower of this release moves them.
-- Safe with the previous release: yes (it neither reads nor writes what is new here).
create table psc (
  company_number text collate "C" not null,
  psc_id text collate "C" not null,
  kind text not null,
  name text,
  birth_year smallint,
  birth_month smallint,
  nationality text,
  country_of_residence text,
  address text,
  natures_of_control text[] not null default '{}',
  notified_on date,
  ceased_on date,
  is_ceased boolean not null,
  is_sanctioned boolean not null default false,
  statement text,
  identification jsonb,
  identity jsonb,
  exemptions jsonb,
  -- The register numbers that an organisation in force may have, and for one without a number here what names it.
  owner_number text collate "C",
  owner_number_other text collate "C",
  owner_key text collate "C",
  name_key text collate "C",
  control text,
  -- A deleted record stays as its number alone, so that an older file or event cannot bring it back.
  is_deleted boolean not null default false,
  row_hash bigint,
  timepoint bigint not null default 0,
  changed_at timestamptz not null,
  primary key (company_number, psc_id)
);
create index psc_owner on psc (owner_number, company_number) where owner_number is not null;
create index psc_owner_other on psc (owner_number_other, company_number) where owner_number_other is not null;
create index psc_owner_key on psc (owner_key, company_number) where owner_key is not null;
-- People in control who have not verified their identity, by the day it is due.
create index psc_identity_due on psc ((identity ->> 'appointment_verification_statement_due_on'), company_number)
  where not is_ceased and (identity ->> 'appointment_verification_statement_due_on') is not null
    and (identity ->> 'appointment_verification_start_on') is null;

alter table company_part drop constraint company_part_kind_check;
alter table company_part add constraint company_part_kind_check
  check (kind in ('officer', 'charge', 'insolvency', 'psc', 'filing', 'owner'));

-- When the stream went on after a gap: a file closes the gap only if it is of a later day.
alter table register_stream add column gap_until timestamptz;
-- How many records the file states to hold, known once its last line was read.
alter table register_snapshot add column rows_stated bigint;
alter table register_snapshot add column product text not null default 'companies'
  check (product in ('companies', 'pscs'));
