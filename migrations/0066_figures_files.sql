-- short locks
-- The files of accounts are recorded like those of companies and owners. The previous release works with it: it asks for the other
-- files only.
alter table register_snapshot drop constraint register_snapshot_product_check;
alter table register_snapshot add constraint register_snapshot_product_check
  check (product in ('companies', 'pscs', 'figures'));
create index register_snapshot_figures on register_snapshot (as_of) where product = 'figures' and state = 'finished';
