-- A domain and the company behind it are one fact with one price, whichever of the two was asked for; and the refund of a
-- disputed match is a request of its own, which may wait for the operator.
-- Safe with the previous release: yes (new tables, and holds that live longer). What it charges during the update is known
-- by its subject alone: asking in the other direction may then cost another credit, as it does in that release.

create table paid_fact (
  account_id text not null references account (id),
  domain text collate "C" not null,
  company_number text collate "C" not null,
  paid_until timestamptz not null,
  -- Of the hold that paid for it.
  reference text,
  -- The credit came back: what it paid for is not shown again until it is paid for again.
  refunded_at timestamptz,
  primary key (account_id, domain, company_number)
);
create index paid_fact_company on paid_fact (account_id, company_number);
create index paid_fact_until on paid_fact (paid_until);

insert into paid_fact (account_id, domain, company_number, paid_until, reference)
  select paid.account_id, known.domain, known.company_number, paid.paid_until, paid.reference
  from paid_subject paid join known_domain known on known.domain = paid.subject
  where paid.kind = 'domain' and known.company_number is not null;
insert into paid_fact (account_id, domain, company_number, paid_until, reference)
  select paid.account_id, search.domain, search.company_number, paid.paid_until, paid.reference
  from paid_subject paid
  cross join lateral (
    select status, domain, company_number from website_search
    where company_number = paid.subject order by checked_at desc limit 1
  ) search
  where paid.kind = 'company' and search.status = 'verified'
  on conflict do nothing;

-- A hold lives as long as its job: the sweep releases only what no job is left for.
update credit_hold set expires_at = created_at + interval '31 days' where state = 'held';

-- What became of the credit of a disputed match.
create table refund_request (
  id text collate "C" primary key,
  account_id text not null references account (id),
  -- The dispute in force that asks for it.
  decision_id text collate "C" not null references review_decision (id),
  domain text collate "C" not null,
  company_number text collate "C" not null,
  -- The hold that paid, and how long the payment would have lasted: it counts again where the dispute is withdrawn.
  reference text not null,
  paid_until timestamptz not null,
  -- `checking`: the site is read again. `waiting`: for the operator.
  status text not null check (status in ('checking', 'waiting', 'refunded', 'refused', 'withdrawn')),
  -- What the site said when it was read again.
  finding text check (finding in ('same', 'changed', 'unreadable')),
  fresh_resolution_id text collate "C" references resolution (id),
  requested_at timestamptz not null,
  decided_at timestamptz,
  -- `rule`, or the operator's name.
  decided_by text,
  note text,
  check ((status in ('refunded', 'refused')) <= (decided_at is not null and decided_by is not null))
);
create unique index refund_request_reference on refund_request (account_id, reference) where status <> 'withdrawn';
create index refund_request_account on refund_request (account_id, requested_at desc);
create index refund_request_decision on refund_request (decision_id);
create index refund_request_fresh on refund_request (fresh_resolution_id) where fresh_resolution_id is not null;
create index refund_request_open on refund_request (requested_at, id) where status in ('checking', 'waiting');
