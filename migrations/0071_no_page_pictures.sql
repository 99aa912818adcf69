-- short locks
-- Nothing makes or shows pictures of quoted words. Their bodies go with them, also from a store outside. The release before works with
-- it, but for its own pictures and the deletion of pages.
insert into page_removal (path, stored_in)
  select left(encode(sha256, 'hex'), 2) || '/' || encode(sha256, 'hex') || '-' || id || '.zst', stored_in
  from page_body body
  where stored_in <> 'postgres' and exists (select from page_picture where sha256 = body.sha256)
    and not exists (select from page_capture where sha256 = body.sha256)
  on conflict do nothing;
with picture as (delete from page_picture returning sha256)
  delete from page_body body using picture
  where body.sha256 = picture.sha256 and not exists (select from page_capture where sha256 = body.sha256);
drop table page_picture;
