-- Six figures of each period of a company, read from the accounts data product: daily files of the accounts that companies
-- file electronically. Safe with the previous release: yes (it does not know the table).
create table company_figures (
  company_number text collate "C" not null,
  period_end date not null,
  employees integer,
  -- Whole pounds.
  net_assets bigint,
  current_assets bigint,
  creditors bigint,
  cash bigint,
  turnover bigint,
  is_dormant boolean,
  -- True where a later year's accounts repeat the period and its own accounts were not in our files.
  is_comparative boolean not null,
  -- The day of the accounts data file, and the filing in it: among accounts of one period the latest count.
  source_on date not null,
  source_file text collate "C" not null,
  primary key (company_number, period_end)
);
