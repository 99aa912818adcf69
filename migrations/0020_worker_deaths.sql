-- Work over which a worker died twice is given up instead of taking one worker after another: each claim counts whether the
-- one before it was never given back. The previous release can live with it: it neither reads nor writes the column.
alter table resolution_work add column deaths smallint not null default 0;
