-- A language model may read what the rules leave open. An answer that it changed has a second row with the answer of the
-- rules, for accounts that refuse the model. The previous release can live with it: it leaves the new columns at their
-- defaults and serves the known answer to all accounts.
alter table account add column second_reader boolean not null default true;
alter table resolution_job add column second_reader boolean not null default true;

alter table known_domain
  add column rules_resolution_id text,
  add column rules_outcome text,
  add column rules_company_number text,
  -- That of the answer it belongs to: a release that does not know these columns leaves them behind.
  add column rules_resolved_at timestamptz,
  add column is_second_reader_due boolean not null default false;

-- Answers of a model by the hash of the question, the model and the version of the instructions.
create table second_reader_answer (
  key text primary key,
  task text not null check (task in ('find', 'check')),
  model text not null,
  answer jsonb not null,
  created_at timestamptz not null
);
create index second_reader_answer_created on second_reader_answer (created_at);

-- Spending by day (UTC). `reserved` is for calls under way; both are in millionths of the currency of the prices.
create table second_reader_day (
  day date primary key,
  calls integer not null default 0,
  failures integer not null default 0,
  repeats integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  spent bigint not null default 0,
  reserved bigint not null default 0
);

-- How right a model was on a labelled world. A model is asked only for tasks that it passed.
create table second_reader_measure (
  model text not null,
  prompt_version text not null,
  task text not null check (task in ('find', 'check')),
  world text not null,
  asked integer not null,
  right_changes integer not null,
  wrong_changes integer not null,
  is_passed boolean not null,
  measured_at timestamptz not null,
  primary key (model, prompt_version, task)
);
