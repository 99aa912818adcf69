-- Resolution as a service: what is known of a domain, who asked for it, what is being worked on, who has paid.
-- Safe with the previous release: yes (new tables only).

-- Every answer ever found, with its evidence; a newer one does not replace it, since it may have been filed.
create table resolution (
  id text collate "C" primary key,
  domain text collate "C" not null,
  outcome text not null check (outcome in ('matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed')),
  situation text not null,
  confidence real check (confidence between 0 and 1),
  company_number text collate "C",
  reason text not null,
  -- Evidence, explanation, candidates and the crawl, as they were found.
  findings jsonb not null,
  model_version text not null,
  resolved_at timestamptz not null,
  check ((outcome = 'matched') = (company_number is not null))
);
create index resolution_domain on resolution (domain, resolved_at desc);

-- The newest answer of each domain: what is served without work. Small, as every request reads it.
create table known_domain (
  domain text collate "C" primary key,
  resolution_id text collate "C" not null references resolution (id),
  outcome text not null,
  company_number text collate "C",
  resolved_at timestamptz not null,
  -- From then on the next request queues fresh work.
  expires_at timestamptz not null
);
create index known_domain_resolution on known_domain (resolution_id);
create index known_domain_company on known_domain (company_number, resolved_at desc) where company_number is not null;

-- Every search for a company's web site, with its end; the newest is what is known.
create table website_search (
  id text collate "C" primary key,
  company_number text collate "C" not null,
  status text not null check (status in ('verified', 'needs_review', 'not_found')),
  domain text collate "C",
  -- The answer for that domain, with the evidence.
  resolution_id text collate "C" references resolution (id),
  -- Each domain that was looked at: where it came from and what its site said.
  tried jsonb not null,
  checked_at timestamptz not null,
  expires_at timestamptz not null,
  check ((status = 'not_found') = (domain is null)),
  check ((domain is null) = (resolution_id is null))
);
create index website_search_company on website_search (company_number, checked_at desc);
create index website_search_resolution on website_search (resolution_id);

-- What others say of companies' domains, imported by the operator. A place to look, never a proof.
create table company_link (
  company_number text collate "C" not null,
  domain text collate "C" not null,
  source text not null,
  imported_at timestamptz not null,
  primary key (company_number, domain, source)
);

-- A domain, or a company, being worked on: one row and one queued job, however many ask for it.
create table resolution_work (
  kind text not null check (kind in ('domain', 'company')),
  -- The registrable domain, or the company number.
  subject text collate "C" not null,
  queued_at timestamptz not null,
  -- Past this it is given up on, whatever became of the worker.
  deadline_at timestamptz not null,
  -- Background work is overtaken by somebody who waits.
  is_background boolean not null,
  -- The job that is at it, until then: of two queued for one subject only one reads sites.
  claimed_by text,
  claimed_until timestamptz,
  primary key (kind, subject)
);
create index resolution_work_deadline on resolution_work (deadline_at);

-- What one account asked for. The id is a capability: 160 random bits.
create table resolution_job (
  id text collate "C" primary key,
  account_id text not null references account (id),
  kind text not null check (kind in ('domain', 'company')),
  -- The registrable domain, or the company number.
  subject text collate "C" not null,
  -- What was typed.
  input text not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  hold_id text references credit_hold (id),
  resolution_id text collate "C" references resolution (id),
  website_search_id text collate "C" references website_search (id),
  charged boolean not null default false,
  charge_reason text not null default 'pending',
  error_message text,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  check ((status in ('completed', 'failed')) = (finished_at is not null))
);
create index resolution_job_open on resolution_job (kind, subject) where finished_at is null;
create index resolution_job_expiry on resolution_job (expires_at);
create index resolution_job_hold on resolution_job (hold_id);
create index resolution_job_resolution on resolution_job (resolution_id);
create index resolution_job_website on resolution_job (website_search_id);
create index resolution_job_account on resolution_job (account_id, created_at desc);

-- Asking again for what was paid for costs nothing until then.
create table paid_subject (
  account_id text not null references account (id),
  kind text not null check (kind in ('domain', 'company')),
  subject text collate "C" not null,
  paid_until timestamptz not null,
  primary key (account_id, kind, subject)
);
create index paid_subject_until on paid_subject (paid_until);
