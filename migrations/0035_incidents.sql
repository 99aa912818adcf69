-- What the operator says on the public status page. The release before does not know the tables.
create table incident (
  id text collate "C" primary key,
  title text not null check (length(title) between 1 and 200),
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at)
);
create index incident_started on incident (started_at desc);

create table incident_update (
  incident_id text collate "C" not null references incident,
  number integer not null check (number > 0),
  says text not null check (length(says) between 1 and 2000),
  created_at timestamptz not null,
  primary key (incident_id, number)
);
