-- no transaction
-- A job remembers which endpoint began it, so that its status leads to the same body as the answer it stands for. And
-- what was typed is kept without user names, passwords, queries and fragments: this cleans the rows that have them.
--
-- The previous release can live with it: it leaves the new column at its default, and it reads the cleaned texts as it
-- read the others. What it writes meanwhile is cleaned when it is read. Rows are cleaned in batches, each committed on
-- its own; rows that somebody holds are left to the second pass. Running it again does no harm.
do $$
declare
  batch text[];
  last text;
  one record;
begin
  alter table resolution_job add column if not exists shape text not null default 'enrich';
  alter table resolution_job drop constraint if exists resolution_job_shape_check;
  alter table resolution_job add constraint resolution_job_shape_check
    check (shape in ('enrich', 'resolution', 'partner')) not valid;
  commit;
  alter table resolution_job validate constraint resolution_job_shape_check;
  commit;

  create or replace function pg_temp.scrub_typed(typed text, domain text) returns text language sql immutable as $scrub$
    select case
      when typed !~ '[?#@%？﹖＃﹟＠﹫]' then typed
      -- An e-mail address.
      when cut ~ '^\s*[<"''“(]*(mailto:)?[^\s:@/\\＠﹫]+@[^\s:@%/\\＠﹫]+$' then cut
      -- A host that can be read, with nothing before it.
      when cut !~ '[@＠﹫]' and cut ~* '^\s*[<"''“(]*(([a-z][a-z0-9+.-]*:)?//)?[^\s:%/\\]+\.[^\s:%/\\]+(:\d*)?([/\\].*)?$' then cut
      when domain is not null then domain
      else regexp_replace(regexp_replace(typed, '^.*([@＠﹫]|%40)', ''), '([?#？﹖＃﹟]|%3f|%23).*$', '', 'i')
    end
    from (select regexp_replace(typed, '[?#？﹖＃﹟].*$', '')) as it (cut)
  $scrub$;
  commit;

  for pass in 1..2 loop
    last := '';
    loop
      select array_agg(id) into batch from (
        select id from resolution_job where id > last order by id limit 2000) as next;
      exit when batch is null;
      last := batch[array_upper(batch, 1)];
      update resolution_job set input = pg_temp.scrub_typed(input, subject)
      where id in (
        select id from resolution_job
        where id = any (batch) and kind = 'domain' and input <> pg_temp.scrub_typed(input, subject)
        for update skip locked);
      commit;
    end loop;

    for one in select id from bulk loop
      update bulk_row set input = pg_temp.scrub_typed(input, domain)
      where (bulk_id, row) in (
        select bulk_id, row from bulk_row
        where bulk_id = one.id and input <> pg_temp.scrub_typed(input, domain)
        for update skip locked);
      commit;
    end loop;
  end loop;
end
$$
