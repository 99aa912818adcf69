-- short locks
-- A page of the archive may be a redirect on the way to a quoted page: `leads_to` is the page at its end. And a quoted page may have
-- a picture of the quoted words. A column that may be empty, and a new table: the release before lives with both.
alter table page_capture add column leads_to text;

-- The picture of a page, as a body like those of pages. Without a hash it is being made, or could not be made.
create table page_picture (
  capture_id bigint not null primary key references page_capture (id) on delete cascade,
  attempts smallint not null,
  tried_at timestamptz not null,
  sha256 bytea references page_body (sha256)
);
create index page_picture_sha256 on page_picture (sha256);
