-- Which sites claim which company: two sites that claim one company and are not linked are compared, and the one that fits
-- worse goes to a person.
-- Safe with the previous release: yes (a new table). What it stores without a claim is compared by its known answer.

create table site_claim (
  company_number text collate "C" not null,
  domain text collate "C" not null,
  -- The site that the domain shows: its own, or the one it leads to.
  site text collate "C" not null,
  -- `held`: the domain's answer is the company. `contested`: another site claims the company and this one did not prevail.
  state text not null check (state in ('held', 'contested')),
  -- What is compared: name of the domain, certificate, links and mail addresses.
  facts jsonb not null,
  -- The newest answer with this claim.
  resolution_id text collate "C" not null references resolution (id),
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (company_number, domain)
);
create index site_claim_domain on site_claim (domain);
create index site_claim_resolution on site_claim (resolution_id);
