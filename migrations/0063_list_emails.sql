-- short locks
-- E-mails of single lists: a digest each day or each week, and e-mails soon after a signal. New tables: the previous release works
-- with it, and sends none of them.
create table list_email (
  list_key integer primary key references company_list (key) on delete cascade,
  -- Copies of the list's own, which never change: every signal that is raised looks for the lists of its watchers here.
  watchlist_id integer not null,
  is_default boolean not null,
  digest text not null default 'off' check (digest in ('off', 'daily', 'weekly')),
  -- The digest has every signal from this moment on.
  digest_since timestamptz not null,
  -- Signals before this moment were sent.
  digest_through timestamptz not null,
  -- The e-mail until this moment is queued. The one before it is part of it if it was never sent.
  digest_queued_through timestamptz not null,
  -- When it was turned off. One that is turned on again soon goes on where it was.
  digest_ended_at timestamptz,
  -- The lowest severity of a signal that is sent at once; empty for none.
  instant_severity text check (instant_severity in ('info', 'notice', 'warning')),
  -- When the latest of these e-mails were queued, oldest first; as many as an hour may have.
  instant_queued_at timestamptz[] not null default '{}'
);
create index list_email_watchlist on list_email (watchlist_id);
create index list_email_digest on list_email (digest, digest_queued_through) where digest <> 'off';

-- Signals that wait for the next e-mail of a list. Without a foreign key: a list that is deleted must not stop the signals that
-- are raised at this moment. Rows whose list has gone are deleted by the job that reads them.
create table instant_signal (
  list_key integer not null,
  signal_id bigint not null,
  primary key (list_key, signal_id)
);
