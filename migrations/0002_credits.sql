-- The credit ledger. Entries are only ever added; the balance row is their running sum, and the database refuses to let
-- it, or what is left of it after holds, go below zero.
-- Safe with the previous release: yes (new tables only).

create table credit_balance (
  account_id text primary key references account (id),
  balance bigint not null check (balance >= 0),
  held bigint not null check (held >= 0),
  constraint available_not_negative check (held <= balance)
);

create table credit_hold (
  id text primary key,
  account_id text not null references account (id),
  -- What it is for; the same thing cannot be held for twice.
  reference text not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('held', 'captured', 'released')),
  created_at timestamptz not null,
  -- A hold whose work was lost is released here by the sweep.
  expires_at timestamptz not null,
  settled_at timestamptz,
  unique (account_id, reference),
  check ((state = 'held') = (settled_at is null))
);
create index credit_hold_open on credit_hold (expires_at) where state = 'held';

create table ledger_entry (
  id bigint generated always as identity primary key,
  account_id text not null references account (id),
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  amount bigint not null check (amount > 0),
  -- Why, in a word that stays the same: welcome, plan, operator, matched, needs_review_free, …
  reason text not null check (reason <> ''),
  reference text not null,
  hold_id text references credit_hold (id),
  balance_delta bigint not null,
  held_delta bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  held_after bigint not null check (held_after >= 0),
  created_at timestamptz not null,
  -- Nothing is granted, held, captured or released twice for the same reference.
  unique (account_id, kind, reference),
  check ((hold_id is null) = (kind = 'grant')),
  constraint deltas_follow_kind check (
    case kind
      when 'grant' then balance_delta = amount and held_delta = 0
      when 'hold' then balance_delta = 0 and held_delta = amount
      when 'capture' then balance_delta = -amount and held_delta = -amount
      when 'release' then balance_delta = 0 and held_delta = -amount
    end
  )
);
create index ledger_entry_account on ledger_entry (account_id, id desc);
create index ledger_entry_hold on ledger_entry (hold_id) where hold_id is not null;
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function refuse_change();
create trigger ledger_entry_never_emptied before truncate on ledger_entry
  for each statement execute function refuse_change();

-- Answers per London day and outcome, counted in the transaction that settles them: usage is read without summing.
create table usage_day (
  account_id text not null references account (id),
  day date not null,
  outcome text not null,
  answers bigint not null check (answers >= 0),
  credits bigint not null check (credits >= 0),
  primary key (account_id, day, outcome)
);
