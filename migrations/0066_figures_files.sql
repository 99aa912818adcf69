-- Which accounts files were read, and until which day: a profile without figures says whether any were. Files that were read
-- before leave one row, as of their newest day, which is found before anything is locked. The previous release works with it:
-- it asks for the other files only.
create temporary table figures_read on commit drop as select max(source_on) as as_of from company_figures;
alter table register_snapshot drop constraint register_snapshot_product_check;
alter table register_snapshot add constraint register_snapshot_product_check
  check (product in ('companies', 'pscs', 'figures'));
create index register_snapshot_figures on register_snapshot (as_of) where product = 'figures' and state = 'finished';
insert into register_snapshot (source, as_of, product, state, started_at, finished_at)
select 'accounts files', as_of, 'figures', 'finished', now(), now() from figures_read where as_of is not null;
