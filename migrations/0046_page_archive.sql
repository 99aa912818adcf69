-- The pages that answers quote, as they were received. New tables: the release before lives with them, and keeps no page.

-- The body of a page, without its transfer and content encodings, compressed by zstd. One for all pages with the same bytes.
create table page_body (
  id bigint not null generated always as identity,
  sha256 bytea not null primary key check (length(sha256) = 32),
  bytes integer not null check (bytes >= 0),
  stored_bytes integer not null check (stored_bytes > 0),
  -- Null once it is in the store outside: the name there has the hash and the id, so that a body which is kept again after it was
  -- deleted has another name.
  content bytea,
  stored_in text not null default 'postgres' check (stored_in in ('postgres', 'folder', 's3')),
  created_at timestamptz not null,
  check ((content is null) = (stored_in <> 'postgres'))
);
-- It is compressed.
alter table page_body alter column content set storage external;
create unique index page_body_id on page_body (id);
create index page_body_to_move on page_body (id) where stored_in = 'postgres';

-- A page that an answer quotes: the request, the response and when. An answer may be in a file of the archive, so nothing is
-- referenced.
create table page_capture (
  id bigint not null generated always as identity primary key,
  resolution_id text collate "C" not null,
  domain text collate "C" not null,
  url text not null,
  status smallint not null,
  fetched_at timestamptz not null,
  ip text not null,
  -- Line and headers as sent and as received, each byte as one character.
  request text not null,
  response text not null,
  is_cut boolean not null,
  sha256 bytea not null references page_body (sha256),
  kept_until timestamptz not null
);
create index page_capture_resolution on page_capture (resolution_id);
create index page_capture_domain on page_capture (domain);
create index page_capture_sha256 on page_capture (sha256);
create index page_capture_kept_until on page_capture (kept_until);

-- Bodies in a store outside that no page refers to, until they are deleted there.
create table page_removal (
  path text collate "C" not null primary key,
  stored_in text not null
);
