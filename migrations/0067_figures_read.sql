-- Which accounts files were read, and until which day: a profile without figures says whether any were. Files that were read before
-- leave one row, as of their newest day. Nothing is locked meanwhile. The previous release works with it.
insert into register_snapshot (source, as_of, product, state, started_at, finished_at)
select 'accounts files', as_of, 'figures', 'finished', now(), now()
from (select max(source_on) as as_of from company_figures) figures_read where as_of is not null;
