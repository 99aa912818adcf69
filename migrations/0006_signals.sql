-- Signals: what changed about a company, said once; and how far the sweep for passed due dates has come.
-- Safe with the previous release: yes (new tables, and indexes on a table that only this release fills).

create table signal (
  -- Public as sig_<id>.
  id bigint generated always as identity primary key,
  -- No foreign key: the streams tell of companies before we have them, and history outlives a company's row.
  company_number text collate "C" not null,
  -- As it was when the signal was detected.
  company_name text not null,
  -- One of SIGNAL_TYPES in src/signals/signal-type.ts.
  signal_type text collate "C" not null,
  severity text not null check (severity in ('info', 'notice', 'warning')),
  summary text not null,
  -- The fact's own day where it has one, else the day its change came.
  occurred_on date not null,
  detected_at timestamptz not null,
  -- [{ "field", "from", "to" }]
  changes jsonb not null check (jsonb_typeof(changes) = 'array'),
  -- Where it was learnt: snapshot, stream, rest or sweep; and a reference there.
  source_kind text not null,
  source_reference text not null,
  -- The fact itself, so that it is told once; see src/signals/dedupe.ts.
  dedupe_key text collate "C" not null,
  unique (company_number, signal_type, dedupe_key)
);
create index signal_company on signal (company_number, detected_at desc, id desc);
create index signal_detected on signal (detected_at desc, id desc);
create index signal_type_detected on signal (signal_type, detected_at desc, id desc);

-- Due dates before swept_on have been judged.
create table signal_sweep (
  name text primary key,
  swept_on date not null
);

-- The sweep asks for the companies due on one day.
create index company_accounts_next_due on company (accounts_next_due) where accounts_next_due is not null;
create index company_confirmation_next_due on company (confirmation_next_due) where confirmation_next_due is not null;
