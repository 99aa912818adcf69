-- What people decide: a queue of answers that need review, an account's own decisions, disputes and what they give back.
-- Safe with the previous release: yes (new tables, a column that it leaves null, and checks that allow more).

-- Every decision ever made, by whom and why; the newest is in force. Only added to: it may have been filed.
create table review_decision (
  id text collate "C" primary key,
  account_id text not null references account (id),
  domain text collate "C" not null,
  -- The shared answer that was looked at.
  resolution_id text collate "C" not null references resolution (id),
  action text not null check (action in ('accept', 'reject', 'reassign', 'dispute', 'withdraw')),
  -- The company that the person names; null for none of them.
  company_number text collate "C",
  -- What the account was answered until then.
  previous_outcome text not null,
  previous_company_number text collate "C",
  reviewer text not null check (reviewer <> ''),
  reason text,
  refunded boolean not null default false,
  decided_at timestamptz not null,
  check ((action in ('accept', 'reassign')) <= (company_number is not null)),
  check ((action in ('reject', 'withdraw')) <= (company_number is null)),
  check (action = 'dispute' or not refunded)
);
create index review_decision_domain on review_decision (account_id, domain, decided_at desc);
create index review_decision_resolution on review_decision (resolution_id);
create index review_decision_disputes on review_decision (account_id, decided_at) where action = 'dispute';
create trigger review_decision_append_only before update or delete on review_decision
  for each row execute function refuse_change();
create trigger review_decision_never_emptied before truncate on review_decision
  for each statement execute function refuse_change();

-- What an account has to look at, or has looked at: one row a domain, whatever becomes of it.
create table review_item (
  id text collate "C" primary key,
  account_id text not null references account (id),
  domain text collate "C" not null,
  resolution_id text collate "C" not null references resolution (id),
  -- `closed`: a newer answer left nothing to look at.
  state text not null check (state in ('open', 'decided', 'closed')),
  -- Of the best candidate: what is nearly certain is looked at first.
  confidence real not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  decision_id text collate "C" references review_decision (id),
  -- The decision that is answered to this account in place of the shared answer; a dispute that names nobody has none.
  override_id text collate "C" references review_decision (id),
  unique (account_id, domain),
  check ((state = 'decided') = (decision_id is not null)),
  check (override_id is null or decision_id is not null)
);
create index review_item_open on review_item (account_id, confidence desc, id) where state = 'open';
create index review_item_decided on review_item (account_id, updated_at desc, id) where state = 'decided';
create index review_item_export on review_item (updated_at, id) where state = 'decided';
create index review_item_resolution on review_item (resolution_id);
create index review_item_decision on review_item (decision_id) where decision_id is not null;
create index review_item_override on review_item (override_id) where override_id is not null;

-- A company that an account disputed for a domain: it is not answered to that account again.
create table blocked_pair (
  account_id text not null references account (id),
  domain text collate "C" not null,
  company_number text collate "C" not null,
  decision_id text collate "C" not null references review_decision (id),
  primary key (account_id, domain, company_number)
);
create index blocked_pair_decision on blocked_pair (decision_id);

-- What was paid with, so that a dispute can give it back: the reference of the hold.
alter table paid_subject add column reference text;
update paid_subject as paid set reference = job.id
  from resolution_job as job
  where job.account_id = paid.account_id and job.kind = paid.kind and job.subject = paid.subject and job.charged
    and job.finished_at = paid.paid_until - interval '720 hours';

-- A refund gives back what was captured, once for each hold.
alter table ledger_entry
  drop constraint ledger_entry_kind_check,
  drop constraint deltas_follow_kind,
  add constraint ledger_entry_kind_check check (kind in ('grant', 'hold', 'capture', 'release', 'refund')),
  add constraint deltas_follow_kind check (
    case kind
      when 'grant' then balance_delta = amount and held_delta = 0
      when 'hold' then balance_delta = 0 and held_delta = amount
      when 'capture' then balance_delta = -amount and held_delta = -amount
      when 'release' then balance_delta = 0 and held_delta = -amount
      when 'refund' then balance_delta = amount and held_delta = 0
    end
  );

-- Refunds are counted below zero, so that the sum of a range is what was spent.
alter table usage_day
  drop constraint usage_day_credits_check,
  add constraint usage_day_credits_check check (credits >= 0 or outcome = 'refunded');
