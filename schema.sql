-- The sum of migrations/. Made by `npm run schema`; a test compares it with a migrated database.

CREATE OR REPLACE FUNCTION public.answers_in_use(ids text[])
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public'
AS $function$
  select resolution_id from known_domain where resolution_id = any (ids)
  union select resolution_id from site_claim where resolution_id = any (ids)
  union select resolution_id from website_search where resolution_id = any (ids)
  union select resolution_id from resolution_job where resolution_id = any (ids)
  union select resolution_id from account_answer where resolution_id = any (ids)
  union select resolution_id from share_link where resolution_id = any (ids)
  union select resolution_id from evidence_record where resolution_id = any (ids)
  union select resolution_id from review_item where resolution_id = any (ids)
  union select resolution_id from review_decision where resolution_id = any (ids)
  union select fresh_resolution_id from refund_request where fresh_resolution_id = any (ids)
  union select resolution_id from page_capture where resolution_id = any (ids)
$function$;

CREATE OR REPLACE FUNCTION public.append_to_audit_chain(event audit_event, link bigint, previous bytea)
 RETURNS bytea
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  salt_of_origin bytea := uuid_send(gen_random_uuid());
  salt_of_content bytea := uuid_send(gen_random_uuid());
  hash_of_origin bytea := sha256(salt_of_origin || convert_to(canonical_json(
    jsonb_build_object('ip', event.ip, 'user_agent', event.user_agent)), 'UTF8'));
  hash_of_content bytea := sha256(salt_of_content || convert_to(canonical_json(
    jsonb_build_object('request_id', event.request_id, 'details', event.details,
      'before', event.before, 'after', event.after)), 'UTF8'));
  hash_of_entry bytea := sha256(convert_to(canonical_json(jsonb_build_object(
    'account', event.account_id,
    'action', event.action,
    'actor', case when event.actor_kind is not null
      then jsonb_build_object('id', event.actor_id, 'kind', event.actor_kind) end,
    'at', to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'content', encode(hash_of_content, 'hex'),
    'mode', event.mode,
    'origin', encode(hash_of_origin, 'hex'),
    'outcome', event.outcome,
    'previous', encode(previous, 'hex'))), 'UTF8'));
begin
  update audit_event set seq = link, previous_hash = previous, entry_hash = hash_of_entry,
    origin_salt = salt_of_origin, origin_hash = hash_of_origin,
    content_salt = salt_of_content, content_hash = hash_of_content
  where id = event.id;
  return hash_of_entry;
end $function$;

CREATE OR REPLACE FUNCTION public.asks_for_facts(wanted company_filter)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((wanted).section IS NOT NULL) OR ((wanted).region IS NOT NULL) OR ((wanted).employees_from IS NOT NULL) OR ((wanted).employees_to IS NOT NULL) OR ((wanted).net_assets_from IS NOT NULL) OR ((wanted).net_assets_to IS NOT NULL));

CREATE OR REPLACE FUNCTION public.assert_answer_month(month_name text, expected text[])
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  if not exists (select from old_answer_months('infinity') month where name = month_name and state = any (expected)) then
    raise exception '% is no % month of answers', month_name, array_to_string(expected, ' or ');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.assets_band(net_assets bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lpad((width_bucket(net_assets, '{-10000000,-1000000,-100000,-30000,-10000,-3000,-1000,-100,0,1,2,3,100,101,1000,1001,3000,10000,30000,100000,300000,1000000,10000000}'::bigint[]))::text, 2, '0'::text);

CREATE OR REPLACE FUNCTION public.assets_group(net_assets bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (width_bucket(net_assets, '{0,1,1001,30000,1000000}'::bigint[]))::text;

CREATE OR REPLACE FUNCTION public.assets_range(wanted company_filter, OUT terms text[], OUT bands_df double precision, OUT steps_df double precision, OUT df double precision)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select * from range_terms(
    '~v:' || coalesce(assets_group(wanted.net_assets_from), '0'), '~v:' || coalesce(assets_group(wanted.net_assets_to), '9'),
    '~w:' || coalesce(assets_band(wanted.net_assets_from), '00'), '~w:' || coalesce(assets_band(wanted.net_assets_to), '99'),
    '~w:' || assets_band(wanted.net_assets_to - 1),
    '~x:' || coalesce(assets_step(wanted.net_assets_from), ''), '~x:' || coalesce(assets_step(wanted.net_assets_to), '~'))
$function$;

CREATE OR REPLACE FUNCTION public.assets_step(net_assets bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lpad((('1000000000000000000'::bigint + ((sign((net_assets)::double precision))::bigint * (LEAST((rpad("left"((abs(net_assets))::text, 2), length((abs(net_assets))::text), '0'::text))::numeric, ('100000000000000000'::bigint)::numeric))::bigint)))::text, 19, '0'::text);

CREATE OR REPLACE FUNCTION public.assets_terms(wanted company_filter, bands text, OUT terms text[], OUT df double precision)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select * from terms_between(bands || coalesce(assets_band(wanted.net_assets_from), '00'),
    bands || coalesce(assets_band(wanted.net_assets_to), '99'))
$function$;

CREATE OR REPLACE FUNCTION public.audit_event_only_forgets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  same jsonb := to_jsonb(new) - '{ip,user_agent,origin_salt,request_id,details,before,after,content_salt}'::text[];
  keeps_content boolean := (new.request_id, new.details, new.before, new.after, new.content_salt)
    is not distinct from (old.request_id, old.details, old.before, old.after, old.content_salt);
begin
  if tg_op = 'UPDATE' and old.entry_hash is null and new.entry_hash is not null
    and to_jsonb(new) - '{seq,previous_hash,entry_hash,origin_salt,origin_hash,content_salt,content_hash}'::text[]
      = to_jsonb(old) - '{seq,previous_hash,entry_hash,origin_salt,origin_hash,content_salt,content_hash}'::text[]
  then
    return new;
  end if;
  if tg_op = 'UPDATE' and new.ip is null and new.user_agent is null and new.origin_salt is null
    and same = to_jsonb(old) - '{ip,user_agent,origin_salt,request_id,details,before,after,content_salt}'::text[]
    and (keeps_content or (
      new.request_id is null and new.details = '{}' and new.before is null and new.after is null
      and new.content_salt is null and exists (select from account where id = old.account_id and erased_at is not null)))
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.canonical_json(value jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
begin
  case jsonb_typeof(value)
    when 'object' then
      return '{' || coalesce((
        select string_agg(to_json(key)::text || ':' || canonical_json(member), ',' order by key collate "C")
        from jsonb_each(value) as members (key, member)), '') || '}';
    when 'array' then
      return '[' || coalesce((
        select string_agg(canonical_json(item), ',' order by position)
        from jsonb_array_elements(value) with ordinality as items (item, position)), '') || ']';
    when 'number' then
      if value::numeric <> trunc(value::numeric) or abs(value::numeric) > 9007199254740991 then
        raise exception 'an entry of the audit log contains whole numbers only';
      end if;
      return trunc(value::numeric)::text;
    else
      return value::text;
  end case;
end $function$;

CREATE OR REPLACE FUNCTION public.chain_audit_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  link bigint;
  hash bytea;
begin
  if new.entry_hash is not null or new.seq is not null then
    raise exception 'the database makes the chain of %', tg_table_name using errcode = 'restrict_violation';
  end if;
  insert into audit_chain (account_id) values (new.account_id) on conflict do nothing;
  select entries + 1, head_hash into link, hash from audit_chain where account_id = new.account_id for update;
  hash := append_to_audit_chain(new, link, hash);
  update audit_chain set entries = link, head_hash = hash where account_id = new.account_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.common_names(search company_search, exact name_hit[], rows_wanted integer)
 RETURNS name_hit[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  typed text := search.typed;
  wanted company_filter := search.wanted;
  hits name_hit[];
begin
  select exact || coalesce(array_agg(row (s.number, s.name_key, false,
           contained_score(s.name_key, typed, false, s.status))::name_hit), '{}')
    into hits
    from (select * from company_name s where s.name_key >= typed || ' ' and s.name_key < typed || '!'
          order by s.name_key, s.number limit 3000) s
    where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets);
  if cardinality(hits) >= rows_wanted then return hits; end if;
  return hits || coalesce(list_common(search, hits, rows_wanted), '{}');
end $function$;

CREATE OR REPLACE FUNCTION public.contained_score(name_key text, typed text, is_previous boolean, status text)
 RETURNS real
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((CASE WHEN starts_with(name_key, typed) THEN 0.80 ELSE 0.62 END)::double precision + ((CASE WHEN starts_with(name_key, typed) THEN 0.17 ELSE 0.33 END)::double precision * LEAST((1.0)::double precision, ((length(typed))::real / (GREATEST(length(name_key), 1))::double precision)))) - handicap(is_previous, status)))::real;

CREATE OR REPLACE FUNCTION public.count_days(wanted company_filter)
 RETURNS double precision
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (((wanted).day_from IS NOT NULL) OR ((wanted).day_to IS NOT NULL)) THEN ((terms_between(('~m:'::text || COALESCE(month_term((wanted).day_from), '000000'::text)), ('~m:'::text || COALESCE(month_term((wanted).day_to), '999999'::text)))).df * (COALESCE((((((wanted).day_to - (wanted).day_from) + 1))::numeric / (31.0 * (((1 + (((wanted).day_to - '0001-01-01'::date) / 31)) - (((wanted).day_from - '0001-01-01'::date) / 31)))::numeric)), (1)::numeric))::double precision) ELSE NULL::double precision END;

CREATE OR REPLACE FUNCTION public.delete_unused_answers(month_name text, after_id text, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  ids text[];
begin
  perform assert_answer_month(month_name, '{kept}');
  execute format('select array_agg(id) from (select id from part.%I where id > $1 order by id limit $2) next', month_name)
    into ids using after_id, most;
  execute format('delete from part.%I where id = any ($1) and id not in (select answers_in_use($1))', month_name) using ids;
  return (select max(id collate "C") from unnest(ids) id);
end $function$;

CREATE OR REPLACE FUNCTION public.drop_answer_month(month_name text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
begin
  perform assert_answer_month(month_name, '{replaced}');
  execute format('drop table part.%I', month_name);
end $function$;

CREATE OR REPLACE FUNCTION public.drop_old_events(before timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  week record;
  is_newer boolean;
  dropped integer := 0;
begin
  for week in
    select substring(child.relname from 'webhook_event_(.*)') as name
    from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'public.webhook_event'::regclass
      -- Numbers are drawn from a later range by now, so that no row is added here.
      and (regexp_match(pg_get_expr(child.relpartbound, child.oid), $re$TO \('?(\d+)'?\)$re$))[1]::bigint <= (
        select last_value from pg_sequences
        where format('%I.%I', schemaname, sequencename)::regclass = pg_get_serial_sequence('webhook_event', 'id')::regclass)
    order by 1
  loop
    execute format('select exists (select from part.%I where created_at > $1)', 'webhook_event_' || week.name)
      into is_newer using before;
    if not is_newer then
      execute format('drop table part.%I, part.%I, part.%I', 'webhook_attempt_' || week.name,
        'webhook_delivery_' || week.name, 'webhook_event_' || week.name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION public.erase_trail(erased_account text, rows_max integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 WITH event AS (
          UPDATE audit_event SET ip = NULL::text, user_agent = NULL::text, origin_salt = NULL::bytea, request_id = NULL::text, details = '{}'::jsonb, before = NULL::jsonb, after = NULL::jsonb, content_salt = NULL::bytea
           WHERE (audit_event.id IN ( SELECT audit_event_1.id
                    FROM audit_event audit_event_1
                   WHERE ((audit_event_1.account_id = erase_trail.erased_account) AND ((audit_event_1.origin_salt IS NOT NULL) OR (audit_event_1.content_salt IS NOT NULL)))
                  LIMIT erase_trail.rows_max))
           RETURNING 1 AS "?column?"
         ), decision AS (
          UPDATE review_decision SET reviewer = 'erased'::text, reason = NULL::text
           WHERE (review_decision.id IN ( SELECT review_decision_1.id
                    FROM review_decision review_decision_1
                   WHERE ((review_decision_1.account_id = erase_trail.erased_account) AND ((review_decision_1.reviewer <> 'erased'::text) OR (review_decision_1.reason IS NOT NULL)))
                  LIMIT erase_trail.rows_max))
           RETURNING 1 AS "?column?"
         )
  SELECT (( SELECT count(*) AS count
            FROM event) + ( SELECT count(*) AS count
            FROM decision));
END;

CREATE OR REPLACE FUNCTION public.exact_names(typed text, wanted company_filter)
 RETURNS name_hit[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  same_letters name_hit[];
  same_words name_hit[];
begin
  select array_agg(row (s.number, s.name_key, s.is_previous, s.score - handicap(s.is_previous, s.status))::name_hit)
    into same_letters
    from (select s.*, case when s.name_key = typed then 1.0 else 0.99 end as score from company_name s
          where letters_hash(s.name_key) = letters_hash(typed)
            and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets) limit 500) s;
  select array_agg(row (s.number, s.name_key, s.is_previous, 0.975 - handicap(s.is_previous, s.status))::name_hit)
    into same_words
    from (select s.* from company_name s
          where words_hash(s.name_key) = words_hash(typed)
            and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets) limit 500) s;
  return coalesce(same_letters, '{}') || coalesce(same_words, '{}');
end $function$;

CREATE OR REPLACE FUNCTION public.fact_terms(sections text, region text, employees integer, net_assets bigint, incorporated_on date)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((ARRAY[('~r:'::text || region), ('~e:'::text || staff_band(employees)), ((('~re:'::text || region) || ':'::text) || staff_band(employees)), ('~f:'::text || staff_step(employees)), ('~h:'::text || staff_group(employees)), ('~v:'::text || assets_group(net_assets)), ('~w:'::text || assets_band(net_assets)), ('~x:'::text || assets_step(net_assets)), CASE WHEN ((employees IS NOT NULL) OR (net_assets IS NOT NULL)) THEN ('~g:'::text || month_term(incorporated_on)) ELSE NULL::text END] || section_terms(sections, 1, region, staff_band(employees))) || CASE WHEN (length(sections) > 1) THEN section_terms(sections, 2, region, staff_band(employees)) ELSE NULL::text[] END) || CASE WHEN (length(sections) > 2) THEN section_terms(sections, 3, region, staff_band(employees)) ELSE NULL::text[] END) || CASE WHEN (length(sections) > 3) THEN section_terms(sections, 4, region, staff_band(employees)) ELSE NULL::text[] END);

CREATE OR REPLACE FUNCTION public.fetch_by_day(wanted company_filter)
 RETURNS TABLE(number text, name_key text)
 LANGUAGE plpgsql
 STABLE
 SET enable_indexscan TO 'off'
AS $function$
begin
  return query execute 'select number, name_key from company_name
      where status = any ($2) and coalesce(accounts_type, '''') = any ($3) and not is_previous
        and passes($1, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets) limit 1001'
  using wanted, filter_words(wanted.status, '~s:'), filter_words(wanted.accounts_type, '~a:');
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_by_facts(wanted company_filter, lookup filter_lookup, only_first boolean)
 RETURNS TABLE(number text, name_key text)
 LANGUAGE plpgsql
 STABLE
 SET enable_indexscan TO 'off'
AS $function$
begin
  return query execute 'select number, name_key from company_name where not is_previous and ' || row_passes('$1')
    || lookup_condition(lookup, '$2') || case when only_first then ' and name_key < ''B''' else '' end || ' limit 1001'
  using wanted, lookup;
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_by_outward(wanted company_filter)
 RETURNS TABLE(number text, name_key text)
 LANGUAGE plpgsql
 STABLE
 SET enable_indexscan TO 'off'
AS $function$
begin
  return query execute 'select number, name_key from company_name
      where left(postcode, -3) = coalesce($1.outward, left($1.postcode, -3)) and not is_previous
        and passes($1, status, accounts_type, postcode || '''', incorporated_on + 0, sections, region, employees, net_assets)'
    || case when wanted.status is not null then ' and status = $1.status' else '' end
    || case when wanted.accounts_type is not null then ' and accounts_type = $1.accounts_type' else '' end
    || quarter_condition(wanted) || ' limit 1001'
  using wanted;
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_by_parts(wanted company_filter, expected double precision, rows_wanted integer)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  -- Hundredths of the alphabet. The statistics are there once the table was analyzed; until then, one part is all of it.
  bounds text[] := (select histogram_bounds::text::text[] from pg_stats
    where schemaname = current_schema() and tablename = 'company_name' and attname = 'name_key');
  hundredths integer := ceil(120 * rows_wanted / expected);
  next_bound integer := 1;
  part_start text := '';
  part_end text;
  found text[] := '{}';
begin
  loop
    next_bound := next_bound + hundredths;
    part_end := case when next_bound < cardinality(bounds) then bounds[next_bound] end;
    found := found || array(select f.number from fetch_part(wanted, part_start, part_end) f
      order by f.name_key collate "C", f.number collate "C");
    exit when part_end is null or cardinality(found) >= rows_wanted;
    part_start := part_end;
    hundredths := 2 * hundredths;
  end loop;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_by_postcode(wanted company_filter)
 RETURNS TABLE(number text, name_key text)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  rows_at integer := (select df from name_token where token = '~p:' || wanted.postcode);
  rows_around integer := (select df from name_token where token = '~o:' || left(wanted.postcode, -3));
begin
  if rows_at <= greatest(2000, 0.1 * rows_around) then
    return query select f.number, f.name_key from fetch_names(array['~p:' || wanted.postcode], null, null, null, wanted) f
      where not f.is_previous limit 1001;
  else
    return query select * from fetch_by_outward(wanted);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_first_common(search company_search, rows_max integer)
 RETURNS TABLE(number text, name_key text)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  lookup filter_lookup;
begin
  if asks_for_facts(search.wanted) then
    lookup := look_up_parts(list_parts(search.wanted, search.total), search.total, search.words_share * search.total, 0.1, null);
    lookup.all_of := search.known[1:4] || lookup.all_of;
  end if;
  return query execute 'select number, name_key from company_name where name_key < ''B'' and not is_previous and '
    || row_passes('$1') || lookup_condition(lookup, '$3')
    || case when lookup is null then ' and string_to_array(name_key, '' '') @> $2'
       else ' and string_to_array(name_key, '' '') || ''{}'' @> $2' end
    || ' limit $4'
  using search.wanted, search.known, lookup, rows_max;
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_more_common(search company_search, rows_max integer)
 RETURNS TABLE(number text, name_key text)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  lookup filter_lookup := search.lookup;
begin
  lookup.all_of := search.known[1:4] || lookup.all_of;
  return query execute 'select number, name_key from company_name
      where name_key || '''' >= ''B'' and string_to_array(name_key, '' '') || ''{}'' @> $2 and not is_previous and '
    || row_passes('$1') || lookup_condition(lookup, '$3') || ' limit $4'
  using search.wanted, search.known, lookup, rows_max;
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_names(all_of text[], one_of text[], also_one_of text[], lookup filter_lookup, wanted company_filter)
 RETURNS TABLE(number text, name_key text, is_previous boolean, status text)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  lookup.all_of := all_of || coalesce(lookup.all_of, '{}');
  return query execute 'select number, name_key, is_previous, status from company_name where ' || row_passes('$4')
    || lookup_condition(lookup, '$3')
    || case when one_of is not null then ' and ' || row_terms() || ' && $1' else '' end
    || case when also_one_of is not null then ' and ' || row_terms() || ' && $2' else '' end
    || ' limit 3000'
  using one_of, also_one_of, lookup, wanted;
end $function$;

CREATE OR REPLACE FUNCTION public.fetch_part(wanted company_filter, part_start text, part_end text)
 RETURNS TABLE(number text, name_key text)
 LANGUAGE plpgsql
 STABLE
 SET enable_indexscan TO 'off'
AS $function$
begin
  return query execute 'select number, name_key from company_name
      where status = any ($2) and coalesce(accounts_type, '''') = any ($3) and not is_previous
        and left(name_key, 3) >= left($4, 3) and name_key || '''' >= $4'
    || case when part_end is null then '' else ' and left(name_key, 3) <= left($5, 3) and name_key || '''' < $5' end
    || quarter_condition(wanted) || ' and ' || row_passes('$1')
  using wanted, filter_words(wanted.status, '~s:'), filter_words(wanted.accounts_type, '~a:'), part_start, part_end;
end $function$;

CREATE OR REPLACE FUNCTION public.few_words(df integer[], total double precision)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT COALESCE(min(counted.words), (LEAST(cardinality(few_words.df), 5))::bigint) AS "coalesce" FROM (SELECT rarest.words, (few_words.total * exp(sum(ln(LEAST(((rarest.word_df)::double precision / few_words.total), (1)::double precision))) OVER (ORDER BY rarest.words))) AS expected FROM unnest((few_words.df)[1:5]) WITH ORDINALITY rarest(word_df, words)) counted WHERE (counted.expected <= (200)::double precision));

CREATE OR REPLACE FUNCTION public.filter_parts(wanted company_filter, total double precision)
 RETURNS TABLE(kind text, terms text[], df double precision, share double precision)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  asks_staff boolean := wanted.employees_from is not null or wanted.employees_to is not null;
  asks_assets boolean := wanted.net_assets_from is not null or wanted.net_assets_to is not null;
  asks_figures boolean := asks_staff or asks_assets;
  is_dated boolean := wanted.day_from is not null or wanted.day_to is not null;
  base float := case when asks_figures then (select t.df from name_token t where t.token = '~z') else total end;
  subject text := concat_ws(':', wanted.section, wanted.region);
  prefix text := concat('~', 'k' || left(wanted.section, 0), 'r' || left(wanted.region, 0));
  staff record; assets record; together record;
  staff_df float; assets_df float;
  months text := case when asks_figures then '~g:' else coalesce('~b:' || wanted.accounts_type || ':', '~m:') end;
begin
  if asks_staff then
    select * into staff from staff_range(wanted);
    staff_df := greatest(staff.bands_df, 1);
    if subject <> '' then select * into together from staff_terms(wanted, prefix || 'e:' || subject || ':'); end if;
    if subject <> '' and staff.df >= 0.5 * staff.bands_df then
      return query select 'staff', together.terms, together.df,
        together.df / total * staff.steps_df / staff_df;
    else
      return query select 'staff', staff.terms, staff.df, staff.steps_df / total;
      if subject <> '' then
        return query select 'single', array[prefix || ':' || subject], coalesce(t.df, 0)::float, together.df / staff_df
          from (select) one left join name_token t on t.token = prefix || ':' || subject;
      end if;
    end if;
  elsif subject <> '' then
    return query select 'single', array[prefix || ':' || subject], coalesce(t.df, 0)::float, coalesce(t.df, 0) / total
      from (select) one left join name_token t on t.token = prefix || ':' || subject;
  end if;
  if asks_assets then
    select * into assets from assets_range(wanted);
    assets_df := greatest(assets.bands_df, 1);
    return query select 'assets', assets.terms, assets.df, assets.steps_df / case when asks_staff then base else total end;
  end if;
  if wanted.accounts_type is not null then
    return query select 'single', array['~a:' || wanted.accounts_type], coalesce(t.df, 0)::float, case
        when is_dated and not asks_figures then 1
        when asks_staff then (staff_terms(wanted, '~ae:' || wanted.accounts_type || ':')).df / staff_df
        when asks_assets then (assets_terms(wanted, '~aw:' || wanted.accounts_type || ':')).df / assets_df
        else coalesce(t.df, 0) / total end
      from (select) one left join name_token t on t.token = '~a:' || wanted.accounts_type;
  end if;
  if is_dated then
    return query select 'months', m.terms, m.df, m.df / base from terms_between(
      months || coalesce(month_term(wanted.day_from), '000000'), months || coalesce(month_term(wanted.day_to), '999999')) m;
  end if;
  return query select 'single', array[term], coalesce(t.df, 0)::float, coalesce(t.df, 0) / total
    from unnest(array['~s:' || wanted.status, '~p:' || wanted.postcode, '~o:' || wanted.outward]) term
    left join name_token t on t.token = term where term is not null;
end $function$;

CREATE OR REPLACE FUNCTION public.filter_words(asked text, prefix text)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select case when asked is not null then array[asked] else array(
    select substr(token, length(prefix) + 1) from name_token
    where token >= prefix and token < left(prefix, -1) || ';') || ''::text end
$function$;

CREATE OR REPLACE FUNCTION public.forget_addresses(before timestamp with time zone, rows_max integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 WITH forgotten AS (
          UPDATE audit_event SET ip = NULL::text, user_agent = NULL::text, origin_salt = NULL::bytea
           WHERE (audit_event.id IN ( SELECT audit_event_1.id
                    FROM audit_event audit_event_1
                   WHERE ((audit_event_1.ip IS NOT NULL) AND (audit_event_1.at < forget_addresses.before))
                   ORDER BY audit_event_1.at
                  LIMIT forget_addresses.rows_max))
           RETURNING 1 AS "?column?"
         )
  SELECT count(*) AS count
    FROM forgotten;
END;

CREATE OR REPLACE FUNCTION public.handicap(is_previous boolean, status text)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN is_previous THEN 0.02 ELSE (0)::numeric END + CASE WHEN (status = 'active'::text) THEN (0)::numeric ELSE 0.004 END);

CREATE OR REPLACE FUNCTION public.keep_answers_in_use(month_name text, after_id text, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  ids text[];
begin
  perform assert_answer_month(month_name, '{whole,replaced}');
  if to_regclass(format('part.%I', kept_name_of(month_name))) is null then
    execute format('create table part.%I (like public.resolution including defaults including constraints including storage
      including indexes)', kept_name_of(month_name));
  end if;
  execute format('select array_agg(id) from (select id from part.%I where id > $1 order by id limit $2) next', month_name)
    into ids using after_id, most;
  execute format('insert into part.%I select * from part.%I where id in (select answers_in_use($1)) on conflict do nothing',
    kept_name_of(month_name), month_name) using ids;
  return (select max(id collate "C") from unnest(ids) id);
end $function$;

CREATE OR REPLACE FUNCTION public.keep_audit_anchor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_anchor' then
    if old.stamp is null and to_jsonb(new) - 'stamp' = to_jsonb(old) - 'stamp' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_evidence_certificate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.certificate <> old.certificate then
    raise exception 'certificates of evidence documents are never changed or deleted';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_evidence_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.public_jwk <> old.public_jwk or new.activates_at <> old.activates_at
    or (old.retired_at is not null and new.retired_at is distinct from old.retired_at) then
    raise exception 'keys of evidence records are never changed or deleted';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_evidence_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.stamp is null and to_jsonb(new) - 'stamp' = to_jsonb(old) - 'stamp' then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select from account where id = old.account_id and erased_at is not null) then
    insert into erased_evidence values (old.id, sha256(convert_to(old.record || E'\n' || old.jws, 'UTF8')));
    return old;
  end if;
  raise exception 'evidence records are never changed or deleted';
end $function$;

CREATE OR REPLACE FUNCTION public.kept_name_of(month_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
  select replace(month_name, 'resolution_', 'resolution_kept_')
$function$;

CREATE OR REPLACE FUNCTION public.letters_hash(name_key text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN hashtextextended(replace(name_key, ' '::text, ''::text), (0)::bigint);

CREATE OR REPLACE FUNCTION public.likely_spellings(word text, share double precision, OUT spellings text[], OUT df bigint)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select array_agg(s.token order by s.position), max(s.rows_so_far)
  from (select token, row_number() over () as position, sum(df) over (rows unbounded preceding) as rows_so_far
        from similar_tokens(word, 80)) s
  where s.position = 1 or s.rows_so_far * share <= 3000
$function$;

CREATE OR REPLACE FUNCTION public.list_by_facts(wanted company_filter, total double precision, rows_wanted integer)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  parts filter_part[] := list_parts(wanted, total);
  lookup filter_lookup := look_up_parts(parts, total, total, 1, null);
  found text[];
begin
  if lookup.share = 0 then return '{}'; end if;
  if count_days(wanted) <= 2500 and wanted.postcode is null and wanted.outward is null then
    return array(select f.number from fetch_by_day(wanted) f order by f.name_key collate "C", f.number collate "C");
  end if;
  if rows_wanted / lookup.share <= 12000 or lookup.share >= 0.05 then
    found := read_alphabet(wanted, (3 * rows_wanted / lookup.share)::integer, rows_wanted);
    if cardinality(found) >= rows_wanted then return found; end if;
  end if;
  -- A tenth of the names, with an index of its own, is enough where that many are expected there.
  if 1.3 * rows_wanted <= 0.1 * lookup.share * total then
    found := array(select f.number from fetch_by_facts(wanted, look_up_parts(parts, total, total, 0.1, null), true) f
      order by f.name_key collate "C", f.number collate "C");
    if cardinality(found) >= rows_wanted then return found; end if;
    lookup := look_up_parts(parts, total, total, 1, greatest(cardinality(found), 1) / (0.1 * total));
  end if;
  return array(select f.number from fetch_by_facts(wanted, lookup, false) f
    order by f.name_key collate "C", f.number collate "C");
end $function$;

CREATE OR REPLACE FUNCTION public.list_common(search company_search, hits name_hit[], rows_wanted integer)
 RETURNS name_hit[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  -- The same rows for every page, so that no page repeats or leaves out a company.
  rows_max integer := 1001 + cardinality(hits);
  share float := search.words_share * (search.lookup).share;
  others name_hit[];
begin
  if share >= 0.05 then
    -- At least one row in twenty should fit: read the alphabet until the page is full.
    others := read_common(search, hits, (4 * (rows_wanted + cardinality(hits)) / share)::integer, rows_wanted);
    if cardinality(others) >= rows_wanted then return others; end if;
  end if;
  others := array(select row (s.number, s.name_key, false, 0.6)::name_hit from fetch_first_common(search, rows_max) s);
  -- What the first pages do not show is not read for them.
  if cardinality(others) < rows_wanted + cardinality(hits) then
    others := others || array(select row (s.number, s.name_key, false, 0.6)::name_hit
      from fetch_more_common(search, rows_max - cardinality(others)) s);
  end if;
  return array(select other from unnest(others) other where other.number not in (select h.number from unnest(hits) h));
end $function$;

CREATE OR REPLACE FUNCTION public.list_parts(wanted company_filter, total double precision)
 RETURNS filter_part[]
 LANGUAGE sql
 STABLE
RETURN ARRAY(SELECT ROW(p.kind, p.terms, p.df, p.share)::filter_part AS "row" FROM filter_parts(list_parts.wanted, list_parts.total) p(kind, terms, df, share));

CREATE OR REPLACE FUNCTION public.look_up_filter(wanted company_filter, total double precision)
 RETURNS filter_lookup
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  lookup filter_lookup;
  is_dated boolean := wanted.day_from is not null or wanted.day_to is not null;
  -- Accounts type and month are counted together: new companies have filed no accounts.
  month_prefix text := coalesce('~b:' || wanted.accounts_type || ':', '~m:');
  months_df bigint;
  filters text[];
begin
  if is_dated then
    select array_agg(token), coalesce(sum(df), 0) into lookup.months, months_df from name_token
      where token >= month_prefix || coalesce(month_term(wanted.day_from), '000000')
        and token <= month_prefix || coalesce(month_term(wanted.day_to), '999999');
    if months_df >= 0.05 * total or cardinality(lookup.months) > 24 then lookup.months := null; end if;
  end if;
  filters := array_remove(array[
    '~s:' || wanted.status, '~a:' || wanted.accounts_type, '~p:' || wanted.postcode, '~o:' || wanted.outward], null);
  select coalesce(array_agg(token order by df) filter (where df < 0.05 * total), '{}'),
         case when count(token) = cardinality(filters) then coalesce(exp(sum(ln(least(df / total, 1)))
           filter (where not is_dated or not starts_with(token, '~a:'))), 1) else 0 end
    into lookup.all_of, lookup.share
    from unnest(filters) term join name_token on token = term;
  if is_dated then lookup.share := lookup.share * least(months_df / total, 1); end if;
  return lookup;
end $function$;

CREATE OR REPLACE FUNCTION public.look_up_parts(parts filter_part[], total double precision, rows_left double precision, part double precision, share_seen double precision)
 RETURNS filter_lookup
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  lookup filter_lookup := row ('{}', null, null, null, 1);
  one filter_part;
  -- The part of all rows that has the terms that are looked up.
  share_found float := 1;
begin
  foreach one in array parts loop lookup.share := lookup.share * least(one.share, 1); end loop;
  if lookup.share = 0 then return lookup; end if;
  share_seen := coalesce(share_seen, lookup.share);
  rows_left := rows_left * part;
  for one in select * from unnest(parts) p where p.terms is not null order by p.df loop
    exit when least(rows_left, 1001 * share_found / share_seen) <= case one.kind
      when 'single' then one.df * part / 300
      else one.df * part / 100 + least(rows_left, one.df * part) * cardinality(one.terms) / 100 end;
    share_found := share_found * least(one.df / total, 1);
    rows_left := rows_left * least(one.df / total, 1);
    case one.kind
      when 'single' then lookup.all_of := lookup.all_of || one.terms;
      when 'staff' then lookup.staff := one.terms;
      when 'assets' then lookup.assets := one.terms;
      else lookup.months := one.terms;
    end case;
  end loop;
  return lookup;
end $function$;

CREATE OR REPLACE FUNCTION public.lookup_beside(search company_search, rows_left double precision)
 RETURNS filter_lookup
 LANGUAGE sql
 STABLE
AS $function$
  select case when asks_for_facts(search.wanted)
    then look_up_parts(list_parts(search.wanted, search.total), search.total, rows_left, 1, null) else search.lookup end
$function$;

CREATE OR REPLACE FUNCTION public.lookup_condition(lookup filter_lookup, parameter text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN concat(CASE WHEN (cardinality((lookup).all_of) > 0) THEN ((((' and '::text || row_terms()) || ' @> ('::text) || parameter) || ').all_of'::text) ELSE NULL::text END, CASE WHEN ((lookup).months IS NOT NULL) THEN ((((' and '::text || row_terms()) || ' && ('::text) || parameter) || ').months'::text) ELSE NULL::text END, CASE WHEN ((lookup).staff IS NOT NULL) THEN ((((' and '::text || row_terms()) || ' && ('::text) || parameter) || ').staff'::text) ELSE NULL::text END, CASE WHEN ((lookup).assets IS NOT NULL) THEN ((((' and '::text || row_terms()) || ' && ('::text) || parameter) || ').assets'::text) ELSE NULL::text END);

CREATE OR REPLACE FUNCTION public.make_partitions(at timestamp with time zone, ahead integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  split partitioning;
  present bigint;
  number bigint;
  name text;
  range_start text;
  range_end text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('make_partitions'));
  for split in select * from partitioning order by table_name loop
    present := period_number(split.period, at);
    for number in select generate_series(present, present + ahead) loop
      name := split.table_name || '_' || number;
      range_start := case split.kind when 'number' then (number * 1000000000)::text else month_start(number)::text end;
      range_end := case split.kind when 'number' then ((number + 1) * 1000000000)::text else month_start(number + 1)::text end;
      if to_regclass('part.' || name) is not null then
        continue;
      end if;
      begin
        execute format('create table part.%I (like public.%I including defaults including constraints including storage)',
          name, split.table_name);
        if split.kind = 'month' then
          -- Rows that came before their partition are in the rest.
          execute format('with moved as (delete from part.%1$I where %2$I >= %3$L and %2$I < %4$L returning *)
            insert into part.%5$I select * from moved', split.table_name || '_rest', split.column_name, range_start, range_end, name);
        end if;
        execute format('alter table public.%I attach partition part.%I for values from (%L) to (%L)',
          split.table_name, name, range_start, range_end);
      exception when invalid_object_definition then
        -- Another partition has this period.
        continue;
      end;
      made := made + 1;
    end loop;
    if split.kind = 'number' and split.table_name = split.numbered_by then
      perform setval(pg_get_serial_sequence(split.table_name, split.column_name), present * 1000000000)
      from pg_sequences
      where format('%I.%I', schemaname, sequencename)::regclass
          = pg_get_serial_sequence(split.table_name, split.column_name)::regclass
        and coalesce(last_value, 0) < present * 1000000000
        and to_regclass('part.' || split.table_name || '_' || present) is not null;
    end if;
  end loop;
  return made;
end $function$;

CREATE OR REPLACE FUNCTION public.month_start(number bigint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select make_timestamptz((number / 12)::integer, (number % 12)::integer + 1, 1, 0, 0, 0, 'UTC')
$function$;

CREATE OR REPLACE FUNCTION public.month_term(day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lpad((((day - '0001-01-01'::date) / 31))::text, 6, '0'::text);

CREATE OR REPLACE FUNCTION public.name_terms(name_key text, status text, accounts_type text, postcode text, incorporated_on date)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_remove((string_to_array(name_key, ' '::text) || ARRAY[('~s:'::text || status), ('~a:'::text || accounts_type), ('~p:'::text || postcode), ('~o:'::text || "left"(postcode, '-3'::integer)), ('~m:'::text || month_term(incorporated_on)), ((('~b:'::text || accounts_type) || ':'::text) || month_term(incorporated_on))]), NULL::text);

CREATE OR REPLACE FUNCTION public.names_with_all_words(search company_search)
 RETURNS name_hit[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  is_many boolean := search.words_share * search.total > 2000;
  few integer := few_words(search.known_df, search.total);
  all_of text[] := search.known[1:words_to_look_up(search.known_df[1:few], search.total, search.total)];
  hits name_hit[];
begin
  if cardinality(search.unknown) > 0 then return '{}'; end if;
  select array_agg(row (s.number, s.name_key, s.is_previous,
           contained_score(s.name_key, search.typed, s.is_previous, s.status))::name_hit)
    into hits from fetch_names(all_of, null, null, case when is_many then search.lookup end, search.wanted) s
    where string_to_array(s.name_key, ' ') @> search.known;
  return coalesce(hits, '{}');
end $function$;

CREATE OR REPLACE FUNCTION public.names_with_one_misspelt(search company_search)
 RETURNS name_hit[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  -- Index entries that may still be read; looking up words reads as many as the rarest of them has.
  effort_left bigint := 100000;
  cost bigint;
  others_df integer[];
  others_share float;
  few text[];
  all_of text[];
  nearest record;
  lookup filter_lookup;
  hits name_hit[] := '{}';
begin
  for i in 1 .. least(cardinality(search.known), 3) loop
    others_df := search.known_df[1:i - 1] || search.known_df[i + 1:];
    others_share := search.words_share / least(search.known_df[i] / search.total, 1);
    few := (search.known[1:i - 1] || search.known[i + 1:])[1:few_words(others_df, search.total)];
    cost := others_df[1];
    select null::text[] as spellings, null::bigint as df into nearest;
    if cardinality(few) = 0 or others_share * search.total > 2000 then
      select * into nearest from likely_spellings(search.known[i], others_share * (search.lookup).share);
      continue when nearest.spellings is null;
      cost := least(cost, nearest.df);
    end if;
    all_of := few[1:words_to_look_up(others_df[1:cardinality(few)], search.total, coalesce(nearest.df, search.total))];
    lookup := case when nearest.spellings is null
      then row (null, (search.lookup).months, null, null, 1)::filter_lookup
      else lookup_beside(search, nearest.df * others_share) end;
    continue when cost > effort_left;
    effort_left := effort_left - cost;
    hits := hits || coalesce((
      select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit)
      from fetch_names(all_of, nearest.spellings, null, lookup, search.wanted) s
      where string_to_array(s.name_key, ' ') @> few), '{}');
  end loop;
  return hits;
end $function$;

CREATE OR REPLACE FUNCTION public.names_with_spellings(search company_search, spellings text[], more_spellings text[])
 RETURNS name_hit[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  is_many boolean := search.words_share * search.total > 2000;
  few text[] := search.known[1:few_words(search.known_df, search.total)];
  spelt_df bigint := (select sum(df) from name_token where token = any (spellings));
  all_of text[] := few[1:words_to_look_up(
    search.known_df[1:cardinality(few)], search.total, coalesce(spelt_df, search.total))];
begin
  if spellings is null and (is_many or cardinality(search.known) = 0) then return '{}'; end if;
  return coalesce((
    select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit)
    from fetch_names(all_of, spellings, more_spellings,
      case when is_many then lookup_beside(search, coalesce(spelt_df, search.total) * search.words_share) end, search.wanted) s
    where string_to_array(s.name_key, ' ') @> few), '{}');
end $function$;

CREATE OR REPLACE FUNCTION public.old_answer_months(before timestamp with time zone)
 RETURNS TABLE(name text, ends_at timestamp with time zone, state text)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public'
AS $function$
  select month.* from (
    select relname::text,
      (regexp_match(pg_get_expr(relpartbound, oid), $re$TO \('([^']+)'\)$re$))[1]::timestamptz,
      case when relname like 'resolution\_kept\_%' then 'kept' when relispartition then 'whole' else 'replaced' end
    from pg_class
    where relnamespace = 'part'::regnamespace and relkind = 'r'
      and (relname ~ '^resolution_(first|\d+)$' or relispartition and relname ~ '^resolution_kept_(first|\d+)$')
  ) as month (name, ends_at, state)
  where month.ends_at <= before or month.state = 'replaced'
  order by month.ends_at
$function$;

CREATE OR REPLACE FUNCTION public.parse_company_search(typed text, wanted company_filter)
 RETURNS company_search
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  search company_search;
begin
  search.total := (select greatest(df, 1) from name_token where token = '~n');
  if search.total is null then return null; end if;
  select coalesce(array_agg(word order by df, word) filter (where df is not null), '{}'),
         coalesce(array_agg(df order by df, word) filter (where df is not null), '{}'),
         coalesce(array_agg(word order by position) filter (where df is null), '{}'),
         coalesce(exp(sum(ln(least(df / search.total, 1)))), 1)
    into search.known, search.known_df, search.unknown, search.words_share
    from (select word, min(position) as position
          from unnest((string_to_array(typed, ' '))[1:12]) with ordinality words (word, position)
          where word <> '' group by word) typed_words
    left join name_token on token = word;
  if cardinality(search.known) + cardinality(search.unknown) = 0 then return null; end if;
  search.lookup := case when asks_for_facts(wanted)
    then look_up_parts(list_parts(wanted, search.total), search.total, search.words_share * search.total, 1, null)
    else look_up_filter(wanted, search.total) end;
  if (search.lookup).share = 0 then return null; end if;
  search.typed := typed;
  search.wanted := wanted;
  return search;
end $function$;

CREATE OR REPLACE FUNCTION public.passes(wanted company_filter, status text, accounts_type text, postcode text, incorporated_on date, sections text, region text, employees integer, net_assets bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((wanted).status IS NULL) OR (status = (wanted).status)) AND (((wanted).accounts_type IS NULL) OR (accounts_type = (wanted).accounts_type)) AND (((wanted).postcode IS NULL) OR (postcode = (wanted).postcode)) AND (((wanted).outward IS NULL) OR ("left"(postcode, '-3'::integer) = (wanted).outward)) AND (((wanted).day_from IS NULL) OR (incorporated_on >= (wanted).day_from)) AND (((wanted).day_to IS NULL) OR (incorporated_on <= (wanted).day_to)) AND (((wanted).region IS NULL) OR (region = (wanted).region)) AND (((wanted).section IS NULL) OR (strpos(sections, (wanted).section) > 0)) AND (((wanted).employees_from IS NULL) OR (employees >= (wanted).employees_from)) AND (((wanted).employees_to IS NULL) OR (employees <= (wanted).employees_to)) AND (((wanted).net_assets_from IS NULL) OR (net_assets >= (wanted).net_assets_from)) AND (((wanted).net_assets_to IS NULL) OR (net_assets <= (wanted).net_assets_to)));

CREATE OR REPLACE FUNCTION public.period_number(period text, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case period
    when 'week' then floor(extract(epoch from at) / 604800)::bigint
    else (extract(year from at at time zone 'UTC') * 12 + extract(month from at at time zone 'UTC') - 1)::bigint end
$function$;

CREATE OR REPLACE FUNCTION public.quarter_condition(wanted company_filter)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN concat(CASE WHEN ((wanted).day_from IS NOT NULL) THEN ' and (incorporated_on - date ''0001-01-01'') / 93 >= ($1.day_from - date ''0001-01-01'') / 93'::text ELSE NULL::text END, CASE WHEN ((wanted).day_to IS NOT NULL) THEN ' and (incorporated_on - date ''0001-01-01'') / 93 <= ($1.day_to - date ''0001-01-01'') / 93'::text ELSE NULL::text END);

CREATE OR REPLACE FUNCTION public.range_terms(first_group text, last_group text, first_band text, last_band text, band_before text, first_step text, last_step text, OUT terms text[], OUT bands_df double precision, OUT steps_df double precision, OUT df double precision)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  steps record;
  groups record;
begin
  select b.terms, b.df, b.df into terms, bands_df, df from terms_between(first_band, last_band) b;
  if band_before < last_band and band_before >= first_band then
    select b.terms || last_step, b.df + coalesce(t.df, 0) into terms, df
      from terms_between(first_band, band_before) b left join name_token t on t.token = last_step;
  end if;
  select * into steps from terms_between(first_step, last_step);
  select * into groups from terms_between(first_group, last_group);
  steps_df := steps.df;
  if groups.df <= 1.5 * steps.df then
    terms := groups.terms;
    df := groups.df;
  elsif cardinality(steps.terms) <= 24 and steps.df < 0.5 * df then
    terms := steps.terms;
    df := steps.df;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.read_alphabet(wanted company_filter, rows_max integer, rows_wanted integer)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return array(select s.number from (select * from company_name s order by s.name_key, s.number limit rows_max) s
    where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
      s.sections, s.region, s.employees, s.net_assets)
    order by s.name_key, s.number limit rows_wanted);
end $function$;

CREATE OR REPLACE FUNCTION public.read_common(search company_search, hits name_hit[], rows_max integer, rows_wanted integer)
 RETURNS name_hit[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return array(select row (s.number, s.name_key, false, 0.6)::name_hit
    from (select s.number, s.name_key from (
            select * from company_name s where s.name_key >= 'A' order by s.name_key, s.number limit rows_max) s
          where not s.is_previous and string_to_array(s.name_key, ' ') @> search.known
            and passes(search.wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
              s.sections, s.region, s.employees, s.net_assets)
            and s.number not in (select h.number from unnest(hits) h)
          order by s.name_key, s.number limit rows_wanted) s);
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.replace_answer_month(month_name text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  kept_name text := kept_name_of(month_name);
  bounds text;
  bounds_check text;
begin
  perform assert_answer_month(month_name, '{whole}');
  select pg_get_partition_constraintdef(oid), pg_get_expr(relpartbound, oid) into strict bounds_check, bounds
  from pg_class where oid = format('part.%I', month_name)::regclass;
  -- With this the partition is attached without reading it.
  execute format('alter table part.%I add constraint within check (%s)', kept_name, bounds_check);
  execute format('alter table public.resolution detach partition part.%I', month_name);
  execute format('alter table public.resolution attach partition part.%I %s', kept_name, bounds);
  execute format('alter table part.%I drop constraint within', kept_name);
end $function$;

CREATE OR REPLACE FUNCTION public.review_decision_only_forgets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.reviewer = 'erased' and new.reason is null
    and exists (select from account where id = old.account_id and erased_at is not null)
    and to_jsonb(new) - '{reviewer,reason}'::text[] = to_jsonb(old) - '{reviewer,reason}'::text[]
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.row_passes(wanted text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (('passes('::text || wanted) || ', status, accounts_type, postcode, incorporated_on + 0, sections, region, employees, net_assets)'::text);

CREATE OR REPLACE FUNCTION public.row_terms()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN 'search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets)'::text;

CREATE OR REPLACE FUNCTION public.score_by_trigrams(guesses name_hit[], typed text)
 RETURNS name_hit[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(row (s.number, s.name_key, s.is_previous,
           0.95 * similarity(s.name_key, typed) - case when s.is_previous then 0.02 else 0 end)::name_hit), '{}')
    from (select distinct g.number, g.name_key, g.is_previous, abs(length(g.name_key) - length(typed)) as length_gap
          from unnest(guesses) g order by length_gap, g.number limit 600) s
$function$;

CREATE OR REPLACE FUNCTION public.search_filtered(wanted company_filter, skip integer, take integer)
 RETURNS TABLE(number text, score real, is_previous boolean)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
 SET work_mem TO '32MB'
 SET plan_cache_mode TO 'auto'
AS $function$
#variable_conflict use_column
declare
  total float := (select greatest(df, 1) from name_token where token = '~n');
  share float := case when not asks_for_facts(wanted) then (look_up_filter(wanted, total)).share end;
  -- The counts are by months of 31 days, of which the dates may take parts.
  days_counted float := 31 * (1 + (wanted.day_to - date '0001-01-01') / 31 - (wanted.day_from - date '0001-01-01') / 31);
  expected float := share * total * coalesce((wanted.day_to - wanted.day_from + 1) / days_counted, 1);
  -- In a variable: `unnest(f())` runs f twice, as the planner runs it too, to learn how many rows there are.
  found text[];
begin
  if total is null or share = 0 then return; end if;
  if asks_for_facts(wanted) then
    found := list_by_facts(wanted, total, skip + take);
    return query select number, 1::real, false from unnest(found) number offset skip limit take;
    return;
  end if;
  if wanted.postcode is not null or wanted.outward is not null then
    return query select s.number, 1::real, false from fetch_by_postcode(wanted) s
      order by s.name_key collate "C", s.number collate "C" offset skip limit take;
  elsif share >= 0.05 then
    -- At least one row in twenty passes: read the alphabet until the page is full.
    return query select s.number, 1::real, false from company_name s
      where not s.is_previous and passes(wanted, s.status, s.accounts_type, s.postcode, s.incorporated_on,
        s.sections, s.region, s.employees, s.net_assets)
      order by s.name_key, s.number offset skip limit take;
  elsif expected <= 50000 then
    return query select s.number, 1::real, false from fetch_by_day(wanted) s
      order by s.name_key collate "C", s.number collate "C" offset skip limit take;
  else
    found := fetch_by_parts(wanted, expected, skip + take);
    return query select number, 1::real, false from unnest(found) number offset skip limit take;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.search_names(typed text, wanted company_filter, skip integer, take integer)
 RETURNS TABLE(number text, score real, is_previous boolean)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
 SET work_mem TO '32MB'
 SET plan_cache_mode TO 'auto'
AS $function$
#variable_conflict use_column
declare
  search company_search := parse_company_search(typed, wanted);
  exact name_hit[];
  hits name_hit[];
  guesses name_hit[];
  guessed record;
begin
  if search.typed is null then return; end if;
  exact := exact_names(typed, wanted);
  if cardinality(search.unknown) = 0 and search.words_share * (search.lookup).share * search.total > 2000 then
    hits := common_names(search, exact, skip + take);
  else
    hits := exact || names_with_all_words(search);
    if cardinality(exact) = 0 and cardinality(hits) < 10 then
      if cardinality(search.unknown) = 0 then
        guesses := names_with_one_misspelt(search);
      else
        select * into guessed from suggest_spellings(search);
        if guessed.is_common then
          -- Even the likeliest correction is a common name: search for that instead.
          return query select s.number, (s.score * 0.9)::real, s.is_previous
            from search_names(guessed.corrected, wanted, skip, take) s;
          return;
        end if;
        guesses := names_with_spellings(search, guessed.spellings, guessed.more_spellings);
      end if;
      if cardinality(guesses) + cardinality(hits) = 0 and search.known_df[1] <= 3000 then
        -- Nothing else fits: all names with the rarest word.
        select array_agg(row (s.number, s.name_key, s.is_previous, 0)::name_hit) into guesses
          from fetch_names(search.known[1:1], null, null, null, wanted) s;
      end if;
      hits := hits || score_by_trigrams(guesses, typed);
    end if;
  end if;

  return query select best.number, best.score, best.is_previous
    from (select distinct on (h.number) h.number, h.score, h.is_previous, h.name_key
          from unnest(hits) h where h.score > 0.2 order by h.number, h.score desc) best
    order by best.score desc, best.name_key, best.number offset skip limit take;
end $function$;

CREATE OR REPLACE FUNCTION public.search_terms(name_key text, status text, accounts_type text, postcode text, incorporated_on date, sections text, region text, employees integer, net_assets bigint)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO '$user', 'public'
AS $function$
begin
  return array_remove(
    name_terms(name_key, status, accounts_type, postcode, incorporated_on)
      || fact_terms(sections, region, employees, net_assets, incorporated_on), null);
end $function$;

CREATE OR REPLACE FUNCTION public.section_terms(sections text, nth integer, region text, band text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY[('~k:'::text || NULLIF(substr(sections, nth, 1), ''::text)), ((('~kr:'::text || NULLIF(substr(sections, nth, 1), ''::text)) || ':'::text) || region), ((('~ke:'::text || NULLIF(substr(sections, nth, 1), ''::text)) || ':'::text) || band), ((((('~kre:'::text || NULLIF(substr(sections, nth, 1), ''::text)) || ':'::text) || region) || ':'::text) || band)];

CREATE OR REPLACE FUNCTION public.similar_tokens(typed text, most integer)
 RETURNS TABLE(token text, df integer)
 LANGUAGE sql
 STABLE
AS $function$
  select known.token, known.df from name_token known
  where token_keys(known.token) && token_keys(typed) and known.token < '~' and known.token <> typed
    and levenshtein_less_equal(known.token, typed, 2) <= 2
  order by levenshtein(known.token, typed) - least(ln(known.df) / 12, 1), known.token
  limit most
$function$;

CREATE OR REPLACE FUNCTION public.staff_band(employees integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lpad((width_bucket(employees, '{0,1,2,3,4,5,6,10,20,50,250}'::integer[]))::text, 2, '0'::text);

CREATE OR REPLACE FUNCTION public.staff_group(employees integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (width_bucket(employees, '{0,1,6,20,250}'::integer[]))::text;

CREATE OR REPLACE FUNCTION public.staff_range(wanted company_filter, OUT terms text[], OUT bands_df double precision, OUT steps_df double precision, OUT df double precision)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select * from range_terms(
    '~h:' || coalesce(staff_group(wanted.employees_from), '0'), '~h:' || coalesce(staff_group(wanted.employees_to), '9'),
    '~e:' || coalesce(staff_band(wanted.employees_from), '00'), '~e:' || coalesce(staff_band(wanted.employees_to), '99'),
    '~e:' || staff_band(wanted.employees_to - 1),
    '~f:' || coalesce(staff_step(wanted.employees_from), ''), '~f:' || coalesce(staff_step(wanted.employees_to), '~'))
$function$;

CREATE OR REPLACE FUNCTION public.staff_step(employees integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lpad(rpad("left"((employees)::text, 2), length((employees)::text), '0'::text), 10, '0'::text);

CREATE OR REPLACE FUNCTION public.staff_terms(wanted company_filter, bands text, OUT terms text[], OUT df double precision)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select * from terms_between(bands || coalesce(staff_band(wanted.employees_from), '00'),
    bands || coalesce(staff_band(wanted.employees_to), '99'))
$function$;

CREATE OR REPLACE FUNCTION public.suggest_spellings(search company_search, OUT spellings text[], OUT more_spellings text[], OUT corrected text, OUT is_common boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  word text;
  nearest record;
  share float := search.words_share;
begin
  if cardinality(search.known) > 0 and search.words_share * search.total <= 2000 then return; end if;
  corrected := search.typed;
  foreach word in array search.unknown[1:3] loop
    select * into nearest from likely_spellings(word, search.words_share * (search.lookup).share);
    corrected := trim(replace(
      ' ' || corrected || ' ', ' ' || word || ' ', ' ' || coalesce(nearest.spellings[1] || ' ', '')));
    continue when nearest.spellings is null;
    share := share * least(nearest.df / search.total, 1);
    if spellings is null then spellings := nearest.spellings;
    else more_spellings := coalesce(more_spellings, nearest.spellings); end if;
  end loop;
  is_common := spellings is not null and share * (search.lookup).share * search.total > 6000;
end $function$;

CREATE OR REPLACE FUNCTION public.terms_between(first text, last text, OUT terms text[], OUT df double precision)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select case when count(*) between 1 and 24 then array_agg(token order by token) end, coalesce(sum(df), 0)
  from name_token where token >= first and token <= last
$function$;

CREATE OR REPLACE FUNCTION public.token_keys(token text)
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (length(token) <= 24) THEN (ARRAY(SELECT hashtext(OVERLAY(token_keys.token PLACING ''::text FROM place.place FOR 1)) AS hashtext FROM generate_series(1, length(token_keys.token)) place(place) WHERE (length(token_keys.token) > 1)) || hashtext(token)) ELSE NULL::integer[] END;

CREATE OR REPLACE FUNCTION public.words_hash(name_key text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (hash_array_extended(tsvector_to_array(array_to_tsvector(array_remove(string_to_array(name_key, ' '::text), ''::text))), (0)::bigint) # (length(name_key))::bigint);

CREATE OR REPLACE FUNCTION public.words_to_look_up(df integer[], total double precision, rows_left double precision)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  for words in 0 .. cardinality(df) - 1 loop
    if rows_left <= 1500 and df[words + 1] > 50 * rows_left then return words; end if;
    rows_left := rows_left * least(df[words + 1] / total, 1);
  end loop;
  return cardinality(df);
end $function$;

create table account (
  id text not null,
  email text not null,
  email_canonical text not null,
  password_hash text not null,
  verified_at timestamp with time zone,
  session_version integer not null default 1,
  plan text not null default 'free'::text,
  plan_renews_on date,
  created_at timestamp with time zone not null,
  is_contested boolean not null default false,
  disabled_at timestamp with time zone,
  erased_at timestamp with time zone,
  second_reader boolean not null default true,
  constraint account_email_canonical_key UNIQUE (email_canonical),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_erased_is_disabled CHECK (((erased_at IS NULL) OR (disabled_at IS NOT NULL)))
);
CREATE INDEX account_plan_renews_on ON public.account USING btree (plan_renews_on) WHERE (plan_renews_on IS NOT NULL);
CREATE INDEX account_unverified ON public.account USING btree (created_at) WHERE (verified_at IS NULL);

create table account_answer (
  account_id text not null,
  resolution_id text not null,
  domain text collate "C" not null,
  outcome text not null,
  company_number text collate "C",
  company_name text,
  company_key text collate "C" generated always as (lower(company_name)) stored,
  confidence real,
  origin text not null,
  at timestamp with time zone not null,
  constraint account_answer_pkey PRIMARY KEY (resolution_id, account_id),
  constraint account_answer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX account_answer_at ON public.account_answer USING brin (at);
CREATE INDEX account_answer_domain ON public.account_answer USING btree (account_id, domain, at DESC, resolution_id DESC) INCLUDE (outcome, origin, company_key, company_number);
CREATE INDEX account_answer_name ON public.account_answer USING btree (account_id, company_key, at DESC, resolution_id DESC) INCLUDE (outcome, origin) WHERE (company_key IS NOT NULL);
CREATE INDEX account_answer_newest ON public.account_answer USING btree (account_id, at DESC, resolution_id DESC) INCLUDE (outcome, origin);
CREATE INDEX account_answer_number ON public.account_answer USING btree (account_id, company_number, at DESC, resolution_id DESC) INCLUDE (outcome, origin) WHERE (company_number IS NOT NULL);
CREATE INDEX account_answer_origin ON public.account_answer USING btree (account_id, origin, at DESC, resolution_id DESC) INCLUDE (outcome);
CREATE INDEX account_answer_outcome ON public.account_answer USING btree (account_id, outcome, at DESC, resolution_id DESC) INCLUDE (origin);

create table api_key (
  id text not null,
  account_id text not null,
  mode text not null,
  hash bytea not null,
  sealed text not null,
  prefix text not null,
  last4 text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint api_key_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE INDEX api_key_expires_at ON public.api_key USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE UNIQUE INDEX api_key_current ON public.api_key USING btree (account_id, mode) WHERE (expires_at IS NULL);

create table audit_anchor (
  number bigint not null,
  chains bigint not null,
  digest bytea not null,
  made_at timestamp with time zone not null,
  jws text not null,
  stamp bytea,
  constraint audit_anchor_pkey PRIMARY KEY (number)
);
CREATE INDEX audit_anchor_unstamped ON public.audit_anchor USING btree (number) WHERE (stamp IS NULL);
CREATE TRIGGER audit_anchor_is_kept BEFORE DELETE OR UPDATE ON public.audit_anchor FOR EACH ROW EXECUTE FUNCTION keep_audit_anchor();
CREATE TRIGGER audit_anchor_never_emptied BEFORE TRUNCATE ON public.audit_anchor FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_anchored (
  account_id text not null,
  seq bigint not null,
  head_hash bytea not null,
  anchor bigint not null,
  constraint audit_anchored_pkey PRIMARY KEY (account_id, seq)
);
CREATE INDEX audit_anchored_by_anchor ON public.audit_anchored USING btree (anchor, account_id COLLATE "C");
CREATE TRIGGER audit_anchored_is_kept BEFORE DELETE OR UPDATE ON public.audit_anchored FOR EACH ROW EXECUTE FUNCTION keep_audit_anchor();
CREATE TRIGGER audit_anchored_never_emptied BEFORE TRUNCATE ON public.audit_anchored FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_chain (
  account_id text not null,
  entries bigint not null default 0,
  head_hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  constraint audit_chain_pkey PRIMARY KEY (account_id)
);

create table audit_event (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  account_id text,
  action text not null,
  outcome text not null,
  ip text,
  request_id text,
  details jsonb not null default '{}'::jsonb,
  mode text,
  actor_kind text,
  actor_id text,
  user_agent text,
  before jsonb,
  after jsonb,
  seq bigint,
  origin_salt bytea,
  origin_hash bytea,
  content_salt bytea,
  content_hash bytea,
  previous_hash bytea,
  entry_hash bytea,
  constraint audit_event_chained TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint audit_event_pkey PRIMARY KEY (id),
  constraint audit_event_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE CONSTRAINT TRIGGER audit_event_chained AFTER INSERT ON public.audit_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.account_id IS NOT NULL)) EXECUTE FUNCTION chain_audit_event();
CREATE INDEX audit_event_account ON public.audit_event USING btree (account_id, id DESC);
CREATE INDEX audit_event_address ON public.audit_event USING btree (at) WHERE (ip IS NOT NULL);
CREATE INDEX audit_event_at ON public.audit_event USING brin (at);
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE ON public.audit_event FOR EACH ROW EXECUTE FUNCTION audit_event_only_forgets();
CREATE TRIGGER audit_event_never_emptied BEFORE TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE UNIQUE INDEX audit_event_chain ON public.audit_event USING btree (account_id, seq) WHERE (seq IS NOT NULL);

create table audit_stream (
  account_id text not null,
  published_seq bigint not null,
  constraint audit_stream_pkey PRIMARY KEY (account_id),
  constraint audit_stream_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table blocked_pair (
  account_id text not null,
  domain text collate "C" not null,
  company_number text collate "C" not null,
  decision_id text collate "C" not null,
  constraint blocked_pair_pkey PRIMARY KEY (account_id, domain, company_number),
  constraint blocked_pair_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint blocked_pair_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES review_decision(id)
);
CREATE INDEX blocked_pair_decision ON public.blocked_pair USING btree (decision_id);

create table bulk (
  id text collate "C" not null,
  account_id text not null,
  name text,
  status text not null,
  paused_reason text,
  row_count integer not null,
  credits_max integer not null,
  created_at timestamp with time zone not null,
  running_since timestamp with time zone not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  fed_by text,
  fed_until timestamp with time zone not null,
  source jsonb,
  constraint bulk_pkey PRIMARY KEY (id),
  constraint bulk_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint bulk_check CHECK (((status = 'paused'::text) = (paused_reason IS NOT NULL))),
  constraint bulk_check1 CHECK (((status <> 'completed'::text) OR (finished_at IS NOT NULL))),
  constraint bulk_check2 CHECK (((status <> ALL (ARRAY['running'::text, 'paused'::text])) OR (finished_at IS NULL))),
  constraint bulk_credits_max_check CHECK ((credits_max >= 0)),
  constraint bulk_row_count_check CHECK ((row_count > 0)),
  constraint bulk_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX bulk_account ON public.bulk USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX bulk_expiry ON public.bulk USING btree (expires_at);
CREATE INDEX bulk_unattended ON public.bulk USING btree (fed_until) WHERE ((finished_at IS NULL) AND (status <> 'paused'::text));

create table bulk_cells (
  bulk_id text collate "C" not null,
  row integer not null,
  cells text not null,
  constraint bulk_cells_pkey PRIMARY KEY (bulk_id, "row"),
  constraint bulk_cells_bulk_id_fkey FOREIGN KEY (bulk_id) REFERENCES bulk(id) ON DELETE CASCADE
);

create table bulk_file (
  id text collate "C" not null,
  account_id text not null,
  name text,
  content bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint bulk_file_pkey PRIMARY KEY (id),
  constraint bulk_file_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX bulk_file_account ON public.bulk_file USING btree (account_id, created_at);
CREATE INDEX bulk_file_expiry ON public.bulk_file USING btree (expires_at);

create table bulk_mapping (
  account_id text not null,
  header_key text not null,
  columns jsonb not null,
  used_at timestamp with time zone not null,
  constraint bulk_mapping_pkey PRIMARY KEY (account_id, header_key),
  constraint bulk_mapping_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table bulk_row (
  bulk_id text collate "C" not null,
  row integer not null,
  input text not null,
  domain text collate "C",
  state text not null,
  duplicate_of integer,
  job_id text collate "C",
  asked_at timestamp with time zone,
  ended_at timestamp with time zone,
  resolution_id text collate "C",
  company_number text collate "C",
  confidence real,
  reason text,
  charged boolean not null default false,
  charge_reason text,
  kind text not null default 'domain'::text,
  sought jsonb,
  company_name text,
  candidates jsonb,
  decision jsonb,
  constraint bulk_row_pkey PRIMARY KEY (bulk_id, "row"),
  constraint bulk_row_bulk_id_fkey FOREIGN KEY (bulk_id) REFERENCES bulk(id) ON DELETE CASCADE,
  constraint bulk_row_check CHECK (((state = 'running'::text) = ((job_id IS NOT NULL) AND (ended_at IS NULL)))),
  constraint bulk_row_check1 CHECK (((state = 'duplicate'::text) = (duplicate_of IS NOT NULL))),
  constraint bulk_row_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'register'::text]))),
  constraint bulk_row_sought CHECK (((state = 'invalid'::text) OR ((kind = 'domain'::text) AND (domain IS NOT NULL)) OR ((kind = 'register'::text) AND (sought IS NOT NULL)))),
  constraint bulk_row_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'matched'::text, 'needs_review'::text, 'no_match'::text, 'non_uk_entity'::text, 'scrape_failed'::text, 'failed'::text, 'invalid'::text, 'duplicate'::text, 'cancelled'::text])))
);
CREATE INDEX bulk_row_running ON public.bulk_row USING btree (bulk_id) WHERE (state = 'running'::text);
CREATE INDEX bulk_row_waiting ON public.bulk_row USING btree (bulk_id, "row") WHERE (state = 'waiting'::text);
CREATE INDEX bulk_row_waiting_kind ON public.bulk_row USING btree (bulk_id, kind, "row") WHERE (state = 'waiting'::text);

create table company (
  number text collate "C" not null,
  name text not null,
  name_key text collate "C" not null,
  previous_names jsonb,
  status text not null,
  status_detail text,
  type text not null,
  incorporated_on date,
  dissolved_on date,
  address_care_of text,
  address_po_box text,
  address_line_1 text,
  address_line_2 text,
  address_town text,
  address_county text,
  address_country text,
  postcode text,
  country_of_origin text,
  accounts_ref_day smallint,
  accounts_ref_month smallint,
  accounts_next_due date,
  accounts_last_made_up date,
  accounts_type text,
  confirmation_next_due date,
  confirmation_last_made_up date,
  charges_total integer not null default 0,
  charges_outstanding integer not null default 0,
  charges_part_satisfied integer not null default 0,
  charges_satisfied integer not null default 0,
  sic_codes text[] not null default '{}'::text[],
  row_hash bigint,
  timepoint bigint not null default 0,
  source text not null,
  changed_at timestamp with time zone not null,
  previous_name_keys text[],
  remarks text[],
  constraint company_pkey PRIMARY KEY (number),
  constraint company_source_check CHECK ((source = ANY (ARRAY['snapshot'::text, 'stream'::text, 'rest'::text])))
);
CREATE INDEX company_accounts_next_due ON public.company USING btree (accounts_next_due) WHERE (accounts_next_due IS NOT NULL);
CREATE INDEX company_confirmation_next_due ON public.company USING btree (confirmation_next_due) WHERE (confirmation_next_due IS NOT NULL);

create table company_figures (
  company_number text collate "C" not null,
  period_end date not null,
  employees integer,
  net_assets bigint,
  current_assets bigint,
  creditors bigint,
  cash bigint,
  turnover bigint,
  is_dormant boolean,
  is_comparative boolean not null,
  source_on date not null,
  source_file text collate "C" not null,
  constraint company_figures_pkey PRIMARY KEY (company_number, period_end)
);

create table company_item (
  company_number text collate "C" not null,
  kind text not null,
  item_id text collate "C" not null,
  data jsonb not null,
  timepoint bigint not null default 0,
  changed_at timestamp with time zone not null,
  constraint company_item_pkey PRIMARY KEY (company_number, kind, item_id),
  constraint company_item_kind_check CHECK ((kind = ANY (ARRAY['officer'::text, 'charge'::text, 'insolvency'::text, 'psc'::text, 'filing'::text])))
);
CREATE INDEX company_item_identity_due ON public.company_item USING btree ((((data -> 'identity_verification_details'::text) ->> 'appointment_verification_statement_due_on'::text)), company_number) WHERE ((kind = 'officer'::text) AND (((data -> 'identity_verification_details'::text) ->> 'appointment_verification_statement_due_on'::text) IS NOT NULL) AND (COALESCE(((data -> 'identity_verification_details'::text) ->> 'appointment_verification_start_on'::text), ''::text) = ''::text));

create table company_link (
  company_number text collate "C" not null,
  domain text collate "C" not null,
  source text not null,
  imported_at timestamp with time zone not null,
  constraint company_link_pkey PRIMARY KEY (company_number, domain, source)
);

create table company_list (
  key integer not null generated always as identity,
  id text collate "C" not null,
  watchlist_id integer not null,
  name text not null,
  is_default boolean not null default false,
  created_at timestamp with time zone not null,
  constraint company_list_id_key UNIQUE (id),
  constraint company_list_pkey PRIMARY KEY (key),
  constraint company_list_watchlist_id_fkey FOREIGN KEY (watchlist_id) REFERENCES watchlist(id) ON DELETE CASCADE,
  constraint company_list_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);
CREATE UNIQUE INDEX company_list_default ON public.company_list USING btree (watchlist_id) WHERE is_default;
CREATE UNIQUE INDEX company_list_name ON public.company_list USING btree (watchlist_id, lower(name));

create table company_list_member (
  list_key integer not null,
  company_number text collate "C" not null,
  watchlist_id integer not null,
  constraint company_list_member_pkey PRIMARY KEY (list_key, company_number),
  constraint company_list_member_list_key_fkey FOREIGN KEY (list_key) REFERENCES company_list(key) ON DELETE CASCADE,
  constraint company_list_member_watchlist_id_company_number_fkey FOREIGN KEY (watchlist_id, company_number) REFERENCES watch(watchlist_id, company_number) ON DELETE CASCADE
);
CREATE INDEX company_list_member_company ON public.company_list_member USING btree (company_number);
CREATE INDEX company_list_member_watch ON public.company_list_member USING btree (watchlist_id, company_number);

create table company_name (
  number text collate "C" not null,
  name_key text collate "C" not null,
  is_previous boolean not null,
  status text collate "C" not null,
  accounts_type text collate "C",
  postcode text collate "C",
  incorporated_on date,
  sections text collate "C",
  region text collate "C",
  employees integer,
  net_assets bigint
);
CREATE INDEX company_name_all_terms ON public.company_name USING gin (search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets)) WITH (fastupdate=off);
CREATE INDEX company_name_alphabet ON public.company_name USING btree (name_key, number);
CREATE INDEX company_name_days ON public.company_name USING btree (status, COALESCE(accounts_type, ''::text), incorporated_on);
CREATE INDEX company_name_first_terms ON public.company_name USING gin (search_terms(name_key, status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets)) WITH (fastupdate=off) WHERE (name_key < 'B'::text);
CREATE INDEX company_name_first_words ON public.company_name USING gin (string_to_array(name_key, ' '::text)) WITH (fastupdate=off) WHERE (name_key < 'B'::text);
CREATE INDEX company_name_letters ON public.company_name USING btree (letters_hash(name_key));
CREATE INDEX company_name_outward ON public.company_name USING btree ("left"(postcode, '-3'::integer), status, accounts_type, (((incorporated_on - '0001-01-01'::date) / 93)));
CREATE INDEX company_name_parts ON public.company_name USING btree (status, COALESCE(accounts_type, ''::text), "left"(name_key, 3), (((incorporated_on - '0001-01-01'::date) / 93)));
CREATE INDEX company_name_words ON public.company_name USING btree (words_hash(name_key));
CREATE UNIQUE INDEX company_name_number ON public.company_name USING btree (number, name_key);

create table company_part (
  company_number text collate "C" not null,
  kind text not null,
  fetched_at timestamp with time zone not null,
  total integer,
  constraint company_part_pkey PRIMARY KEY (company_number, kind),
  constraint company_part_kind_check CHECK ((kind = ANY (ARRAY['officer'::text, 'charge'::text, 'insolvency'::text, 'psc'::text, 'filing'::text, 'owner'::text])))
);

create table connection (
  id text collate "C" not null,
  account_id text not null,
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  session_version integer not null,
  connected_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint connection_pkey PRIMARY KEY (id),
  constraint connection_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint connection_id_fkey FOREIGN KEY (id) REFERENCES spending_cap(id) ON DELETE CASCADE
);
CREATE INDEX connection_account ON public.connection USING btree (account_id);

create table credit_balance (
  account_id text not null,
  balance bigint not null,
  held bigint not null,
  constraint credit_balance_pkey PRIMARY KEY (account_id),
  constraint credit_balance_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint available_not_negative CHECK ((held <= balance)),
  constraint credit_balance_balance_check CHECK ((balance >= 0)),
  constraint credit_balance_held_check CHECK ((held >= 0))
);

create table credit_hold (
  id text not null,
  account_id text not null,
  reference text not null,
  amount bigint not null,
  state text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  cap_id text collate "C",
  cap_day date,
  subject text,
  constraint credit_hold_account_id_reference_key UNIQUE (account_id, reference),
  constraint credit_hold_pkey PRIMARY KEY (account_id, id),
  constraint credit_hold_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint credit_hold_cap_id_fkey FOREIGN KEY (cap_id) REFERENCES spending_cap(id) ON DELETE SET NULL,
  constraint credit_hold_amount_check CHECK ((amount > 0)),
  constraint credit_hold_check CHECK (((state = 'held'::text) = (settled_at IS NULL))),
  constraint credit_hold_state_check CHECK ((state = ANY (ARRAY['held'::text, 'captured'::text, 'released'::text])))
) partition by HASH (account_id);
CREATE INDEX credit_hold_cap ON ONLY public.credit_hold USING btree (cap_id) WHERE (cap_id IS NOT NULL);
CREATE INDEX credit_hold_id ON ONLY public.credit_hold USING btree (id);
CREATE INDEX credit_hold_open ON ONLY public.credit_hold USING btree (expires_at) WHERE (state = 'held'::text);

create table ended_session (
  id text not null,
  account_id text not null,
  expires_at timestamp with time zone not null,
  constraint ended_session_pkey PRIMARY KEY (id),
  constraint ended_session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX ended_session_account ON public.ended_session USING btree (account_id);
CREATE INDEX ended_session_expires ON public.ended_session USING btree (expires_at);

create table erased_evidence (
  id text not null,
  seal bytea not null,
  constraint erased_evidence_pkey PRIMARY KEY (id)
);

create table evidence_certificate (
  id text not null,
  certificate bytea not null,
  private_key_sealed text not null,
  activates_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint evidence_certificate_pkey PRIMARY KEY (id)
);
CREATE TRIGGER evidence_certificate_is_kept BEFORE DELETE OR UPDATE ON public.evidence_certificate FOR EACH ROW EXECUTE FUNCTION keep_evidence_certificate();
CREATE UNIQUE INDEX evidence_certificate_one_signs ON public.evidence_certificate USING btree ((true)) WHERE (retired_at IS NULL);

create table evidence_key (
  id text not null,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  activates_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint evidence_key_pkey PRIMARY KEY (id)
);
CREATE TRIGGER evidence_key_is_kept BEFORE DELETE OR UPDATE ON public.evidence_key FOR EACH ROW EXECUTE FUNCTION keep_evidence_key();
CREATE UNIQUE INDEX evidence_key_one_signs ON public.evidence_key USING btree ((true)) WHERE (retired_at IS NULL);

create table evidence_record (
  id text not null,
  account_id text not null,
  mode text not null,
  resolution_id text not null,
  content_hash bytea not null,
  record text not null,
  jws text not null,
  made_at timestamp with time zone not null,
  stamp bytea,
  constraint evidence_record_pkey PRIMARY KEY (id),
  constraint evidence_record_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint evidence_record_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE INDEX evidence_record_answer ON public.evidence_record USING btree (resolution_id);
CREATE INDEX evidence_record_unstamped ON public.evidence_record USING btree (made_at) WHERE (stamp IS NULL);
CREATE TRIGGER evidence_record_is_kept BEFORE DELETE OR UPDATE ON public.evidence_record FOR EACH ROW EXECUTE FUNCTION keep_evidence_record();
CREATE UNIQUE INDEX evidence_record_content ON public.evidence_record USING btree (account_id, resolution_id, content_hash);

create table familiar_address (
  account_id text not null,
  block_hash bytea not null,
  seen_at timestamp with time zone not null,
  constraint familiar_address_pkey PRIMARY KEY (account_id, block_hash),
  constraint familiar_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX familiar_address_seen_at ON public.familiar_address USING btree (seen_at);

create table idempotency_key (
  account_id text not null,
  key text not null,
  fingerprint bytea not null,
  claimed_until timestamp with time zone not null,
  is_done boolean not null default false,
  status smallint,
  answer_sealed text,
  expires_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX idempotency_key_expires_at ON public.idempotency_key USING btree (expires_at);

create table incident (
  id text collate "C" not null,
  title text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint incident_pkey PRIMARY KEY (id),
  constraint incident_check CHECK ((ended_at >= started_at)),
  constraint incident_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);
CREATE INDEX incident_started ON public.incident USING btree (started_at DESC);

create table incident_update (
  incident_id text collate "C" not null,
  number integer not null,
  says text not null,
  created_at timestamp with time zone not null,
  constraint incident_update_pkey PRIMARY KEY (incident_id, number),
  constraint incident_update_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incident(id),
  constraint incident_update_number_check CHECK ((number > 0)),
  constraint incident_update_says_check CHECK (((length(says) >= 1) AND (length(says) <= 2000)))
);

create table instant_signal (
  list_key integer not null,
  signal_id bigint not null,
  constraint instant_signal_pkey PRIMARY KEY (list_key, signal_id)
);

create table known_domain (
  domain text collate "C" not null,
  resolution_id text collate "C" not null,
  outcome text not null,
  company_number text collate "C",
  resolved_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint known_domain_pkey PRIMARY KEY (domain)
);
CREATE INDEX known_domain_company ON public.known_domain USING btree (company_number, resolved_at DESC) WHERE (company_number IS NOT NULL);
CREATE INDEX known_domain_resolution ON public.known_domain USING btree (resolution_id);

create table ledger_entry (
  id bigint not null generated always as identity,
  account_id text not null,
  kind text not null,
  amount bigint not null,
  reason text not null,
  reference text not null,
  hold_id text,
  balance_delta bigint not null,
  held_delta bigint not null,
  balance_after bigint not null,
  held_after bigint not null,
  created_at timestamp with time zone not null,
  constraint ledger_entry_account_id_kind_reference_key UNIQUE (account_id, kind, reference),
  constraint ledger_entry_pkey PRIMARY KEY (account_id, id),
  constraint ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint ledger_entry_hold_id_fkey FOREIGN KEY (account_id, hold_id) REFERENCES credit_hold(account_id, id),
  constraint ledger_entry_hold_id_fkey_1 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_0(account_id, id),
  constraint ledger_entry_hold_id_fkey_2 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_1(account_id, id),
  constraint ledger_entry_hold_id_fkey_3 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_2(account_id, id),
  constraint ledger_entry_hold_id_fkey_4 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_3(account_id, id),
  constraint ledger_entry_hold_id_fkey_5 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_4(account_id, id),
  constraint ledger_entry_hold_id_fkey_6 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_5(account_id, id),
  constraint ledger_entry_hold_id_fkey_7 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_6(account_id, id),
  constraint ledger_entry_hold_id_fkey_8 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_7(account_id, id),
  constraint deltas_follow_kind CHECK (
CASE kind
    WHEN 'grant'::text THEN ((balance_delta = amount) AND (held_delta = 0))
    WHEN 'hold'::text THEN ((balance_delta = 0) AND (held_delta = amount))
    WHEN 'capture'::text THEN ((balance_delta = (- amount)) AND (held_delta = (- amount)))
    WHEN 'release'::text THEN ((balance_delta = 0) AND (held_delta = (- amount)))
    WHEN 'refund'::text THEN ((balance_delta = amount) AND (held_delta = 0))
    ELSE NULL::boolean
END),
  constraint ledger_entry_amount_check CHECK ((amount > 0)),
  constraint ledger_entry_balance_after_check CHECK ((balance_after >= 0)),
  constraint ledger_entry_check CHECK (((hold_id IS NULL) = (kind = 'grant'::text))),
  constraint ledger_entry_held_after_check CHECK ((held_after >= 0)),
  constraint ledger_entry_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'capture'::text, 'release'::text, 'refund'::text]))),
  constraint ledger_entry_reason_check CHECK ((reason <> ''::text))
) partition by HASH (account_id);
CREATE INDEX ledger_entry_hold ON ONLY public.ledger_entry USING btree (hold_id) WHERE (hold_id IS NOT NULL);
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE ON public.ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_never_emptied BEFORE TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table list_calendar (
  list_key integer not null,
  token_hash bytea not null,
  made_at timestamp with time zone not null,
  constraint list_calendar_token_hash_key UNIQUE (token_hash),
  constraint list_calendar_pkey PRIMARY KEY (list_key),
  constraint list_calendar_list_key_fkey FOREIGN KEY (list_key) REFERENCES company_list(key) ON DELETE CASCADE
);

create table list_email (
  list_key integer not null,
  watchlist_id integer not null,
  is_default boolean not null,
  digest text not null default 'off'::text,
  digest_since timestamp with time zone not null,
  digest_through timestamp with time zone not null,
  digest_queued_through timestamp with time zone not null,
  digest_ended_at timestamp with time zone,
  instant_severity text,
  instant_queued_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  constraint list_email_pkey PRIMARY KEY (list_key),
  constraint list_email_list_key_fkey FOREIGN KEY (list_key) REFERENCES company_list(key) ON DELETE CASCADE,
  constraint list_email_digest_check CHECK ((digest = ANY (ARRAY['off'::text, 'daily'::text, 'weekly'::text]))),
  constraint list_email_instant_severity_check CHECK ((instant_severity = ANY (ARRAY['info'::text, 'notice'::text, 'warning'::text])))
);
CREATE INDEX list_email_digest ON public.list_email USING btree (digest, digest_queued_through) WHERE (digest <> 'off'::text);
CREATE INDEX list_email_watchlist ON public.list_email USING btree (watchlist_id);

create table name_token (
  token text collate "C" not null,
  df integer not null
);
CREATE INDEX name_token_keys ON public.name_token USING gin (token_keys(token)) WITH (fastupdate=off) WHERE (token < '~'::text);
CREATE UNIQUE INDEX name_token_token ON public.name_token USING btree (token);

create table notification_setting (
  account_id text not null,
  daily_digest boolean not null default false,
  digest_through timestamp with time zone not null,
  digest_queued_through timestamp with time zone not null,
  constraint notification_setting_pkey PRIMARY KEY (account_id),
  constraint notification_setting_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX notification_setting_digest ON public.notification_setting USING btree (digest_queued_through) WHERE daily_digest;

create table oauth_payload (
  model text not null,
  id_hash bytea not null,
  sealed text not null,
  grant_id text collate "C",
  uid text collate "C",
  account_id text collate "C",
  client_id text collate "C",
  created_at timestamp with time zone not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint oauth_payload_pkey PRIMARY KEY (model, id_hash)
);
CREATE INDEX oauth_payload_account ON public.oauth_payload USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX oauth_payload_client ON public.oauth_payload USING btree (client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX oauth_payload_expiry ON public.oauth_payload USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX oauth_payload_grant ON public.oauth_payload USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX oauth_payload_registered ON public.oauth_payload USING btree (created_at) WHERE (model = 'Client'::text);
CREATE UNIQUE INDEX oauth_payload_uid ON public.oauth_payload USING btree (model, uid) WHERE (uid IS NOT NULL);

create table one_time_token (
  hash bytea not null,
  account_id text not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint one_time_token_pkey PRIMARY KEY (hash),
  constraint one_time_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint one_time_token_purpose_check CHECK ((purpose = ANY (ARRAY['verify_email'::text, 'reset_password'::text])))
);
CREATE INDEX one_time_token_account ON public.one_time_token USING btree (account_id, purpose);
CREATE INDEX one_time_token_expires_at ON public.one_time_token USING btree (expires_at);

create table outgoing_turn (
  key text not null,
  held_by text,
  held_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  begun_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint outgoing_turn_pkey PRIMARY KEY (key)
);
CREATE INDEX outgoing_turn_begun ON public.outgoing_turn USING btree (begun_at);

create table page_body (
  id bigint not null generated always as identity,
  sha256 bytea not null,
  bytes integer not null,
  stored_bytes integer not null,
  content bytea,
  stored_in text not null default 'postgres'::text,
  created_at timestamp with time zone not null,
  constraint page_body_pkey PRIMARY KEY (sha256),
  constraint page_body_bytes_check CHECK ((bytes >= 0)),
  constraint page_body_check CHECK (((content IS NULL) = (stored_in <> 'postgres'::text))),
  constraint page_body_sha256_check CHECK ((length(sha256) = 32)),
  constraint page_body_stored_bytes_check CHECK ((stored_bytes > 0)),
  constraint page_body_stored_in_check CHECK ((stored_in = ANY (ARRAY['postgres'::text, 'folder'::text, 's3'::text])))
);
CREATE INDEX page_body_to_move ON public.page_body USING btree (id) WHERE (stored_in = 'postgres'::text);
CREATE UNIQUE INDEX page_body_id ON public.page_body USING btree (id);

create table page_capture (
  id bigint not null generated always as identity,
  resolution_id text collate "C" not null,
  domain text collate "C" not null,
  url text not null,
  status smallint not null,
  fetched_at timestamp with time zone not null,
  ip text not null,
  request text not null,
  response text not null,
  is_cut boolean not null,
  sha256 bytea not null,
  kept_until timestamp with time zone not null,
  leads_to text,
  constraint page_capture_pkey PRIMARY KEY (id),
  constraint page_capture_sha256_fkey FOREIGN KEY (sha256) REFERENCES page_body(sha256)
);
CREATE INDEX page_capture_domain ON public.page_capture USING btree (domain);
CREATE INDEX page_capture_kept_until ON public.page_capture USING btree (kept_until);
CREATE INDEX page_capture_resolution ON public.page_capture USING btree (resolution_id);
CREATE INDEX page_capture_sha256 ON public.page_capture USING btree (sha256);

create table page_removal (
  path text collate "C" not null,
  stored_in text not null,
  constraint page_removal_pkey PRIMARY KEY (path)
);

create table paid_fact (
  account_id text not null,
  domain text collate "C" not null,
  company_number text collate "C" not null,
  paid_until timestamp with time zone not null,
  reference text,
  refunded_at timestamp with time zone,
  constraint paid_fact_pkey PRIMARY KEY (account_id, domain, company_number),
  constraint paid_fact_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX paid_fact_company ON public.paid_fact USING btree (account_id, company_number);
CREATE INDEX paid_fact_until ON public.paid_fact USING btree (paid_until);

create table paid_subject (
  account_id text not null,
  kind text not null,
  subject text collate "C" not null,
  paid_until timestamp with time zone not null,
  reference text,
  constraint paid_subject_pkey PRIMARY KEY (account_id, kind, subject),
  constraint paid_subject_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint paid_subject_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'company'::text])))
) partition by HASH (account_id);
CREATE INDEX paid_subject_until ON ONLY public.paid_subject USING btree (paid_until);

create table partitioning (
  table_name text not null,
  kind text not null,
  period text not null,
  numbered_by text,
  column_name text not null,
  constraint partitioning_pkey PRIMARY KEY (table_name),
  constraint partitioning_kind_check CHECK ((kind = ANY (ARRAY['number'::text, 'month'::text]))),
  constraint partitioning_period_check CHECK ((period = ANY (ARRAY['week'::text, 'month'::text])))
);

create table person_removal (
  id bigint not null generated always as identity,
  company_number text collate "C" not null,
  name text not null,
  reason text not null,
  constraint person_removal_company_number_name_reason_key UNIQUE (company_number, name, reason),
  constraint person_removal_pkey PRIMARY KEY (id),
  constraint person_removal_reason_check CHECK ((reason = ANY (ARRAY['withheld'::text, 'deleted'::text])))
);

create table psc (
  company_number text collate "C" not null,
  psc_id text collate "C" not null,
  kind text not null,
  name text,
  birth_year smallint,
  birth_month smallint,
  nationality text,
  country_of_residence text,
  address text,
  natures_of_control text[] not null default '{}'::text[],
  notified_on date,
  ceased_on date,
  is_ceased boolean not null,
  is_sanctioned boolean not null default false,
  statement text,
  identification jsonb,
  identity jsonb,
  exemptions jsonb,
  owner_number text collate "C",
  owner_number_other text collate "C",
  owner_key text collate "C",
  name_key text collate "C",
  control text,
  is_deleted boolean not null default false,
  row_hash bigint,
  timepoint bigint not null default 0,
  changed_at timestamp with time zone not null,
  constraint psc_pkey PRIMARY KEY (company_number, psc_id)
);
CREATE INDEX psc_identity_due ON public.psc USING btree (((identity ->> 'appointment_verification_statement_due_on'::text)), company_number) WHERE ((NOT is_ceased) AND ((identity ->> 'appointment_verification_statement_due_on'::text) IS NOT NULL) AND ((identity ->> 'appointment_verification_start_on'::text) IS NULL));
CREATE INDEX psc_owner ON public.psc USING btree (owner_number, company_number) WHERE (owner_number IS NOT NULL);
CREATE INDEX psc_owner_key ON public.psc USING btree (owner_key, company_number) WHERE (owner_key IS NOT NULL);
CREATE INDEX psc_owner_other ON public.psc USING btree (owner_number_other, company_number) WHERE (owner_number_other IS NOT NULL);
CREATE INDEX psc_statement_unresolved ON public.psc USING btree (notified_on, company_number) WHERE ((NOT is_ceased) AND (statement = ANY (ARRAY['steps-to-find-psc-not-yet-completed'::text, 'steps-to-find-psc-not-yet-completed-partnership'::text, 'psc-contacted-but-no-response'::text, 'psc-contacted-but-no-response-partnership'::text, 'restrictions-notice-issued-to-psc'::text, 'restrictions-notice-issued-to-psc-partnership'::text])));

create unlogged table rate_bucket (
  key text not null,
  tokens double precision not null,
  taken double precision not null,
  updated_at timestamp with time zone not null,
  constraint rate_bucket_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_bucket_updated_at ON public.rate_bucket USING btree (updated_at);

create table refund_request (
  id text collate "C" not null,
  account_id text not null,
  decision_id text collate "C" not null,
  domain text collate "C" not null,
  company_number text collate "C" not null,
  reference text not null,
  paid_until timestamp with time zone not null,
  status text not null,
  finding text,
  fresh_resolution_id text collate "C",
  requested_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  note text,
  constraint refund_request_pkey PRIMARY KEY (id),
  constraint refund_request_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint refund_request_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES review_decision(id),
  constraint refund_request_check CHECK (((status = ANY (ARRAY['refunded'::text, 'refused'::text])) <= ((decided_at IS NOT NULL) AND (decided_by IS NOT NULL)))),
  constraint refund_request_finding_check CHECK ((finding = ANY (ARRAY['same'::text, 'changed'::text, 'unreadable'::text]))),
  constraint refund_request_status_check CHECK ((status = ANY (ARRAY['checking'::text, 'waiting'::text, 'refunded'::text, 'refused'::text, 'withdrawn'::text])))
);
CREATE INDEX refund_request_account ON public.refund_request USING btree (account_id, requested_at DESC);
CREATE INDEX refund_request_decision ON public.refund_request USING btree (decision_id);
CREATE INDEX refund_request_fresh ON public.refund_request USING btree (fresh_resolution_id) WHERE (fresh_resolution_id IS NOT NULL);
CREATE INDEX refund_request_open ON public.refund_request USING btree (requested_at, id) WHERE (status = ANY (ARRAY['checking'::text, 'waiting'::text]));
CREATE UNIQUE INDEX refund_request_reference ON public.refund_request USING btree (account_id, reference) WHERE (status <> 'withdrawn'::text);

create table register_change (
  id bigint not null generated always as identity,
  company_number text not null,
  kind text not null,
  before jsonb,
  after jsonb,
  source text not null,
  reference text not null,
  occurred_at timestamp with time zone not null,
  constraint register_change_pkey PRIMARY KEY (id)
);

create table register_document_budget (
  only_one boolean not null default true,
  slot bigint not null default 0,
  granted integer[] not null default '{}'::integer[],
  taken integer not null default 0,
  limit_told integer,
  paused_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint register_document_budget_pkey PRIMARY KEY (only_one),
  constraint register_rest_budget_limit_told_check CHECK ((limit_told > 0)),
  constraint register_rest_budget_only_one_check CHECK (only_one)
);

create table register_load_piece (
  snapshot_id bigint not null,
  piece integer not null,
  rows_read integer not null,
  rows_bad integer not null,
  constraint register_load_piece_pkey PRIMARY KEY (snapshot_id, piece),
  constraint register_load_piece_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES register_snapshot(id)
);

create table register_rest_budget (
  only_one boolean not null default true,
  slot bigint not null default 0,
  granted integer[] not null default '{}'::integer[],
  taken integer not null default 0,
  limit_told integer,
  paused_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint register_rest_budget_pkey PRIMARY KEY (only_one),
  constraint register_rest_budget_limit_told_check CHECK ((limit_told > 0)),
  constraint register_rest_budget_only_one_check CHECK (only_one)
);

create table register_snapshot (
  id bigint not null generated always as identity,
  source text not null,
  as_of date,
  state text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  rows_read bigint not null default 0,
  rows_bad bigint not null default 0,
  added bigint not null default 0,
  changed bigint not null default 0,
  removed bigint not null default 0,
  rows_stated bigint,
  product text not null default 'companies'::text,
  constraint register_snapshot_pkey PRIMARY KEY (id),
  constraint register_snapshot_product_check CHECK ((product = ANY (ARRAY['companies'::text, 'pscs'::text, 'figures'::text]))),
  constraint register_snapshot_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'failed'::text])))
);
CREATE INDEX register_snapshot_figures ON public.register_snapshot USING btree (as_of) WHERE ((product = 'figures'::text) AND (state = 'finished'::text));

create table register_stream (
  name text not null,
  timepoint bigint,
  last_event_at timestamp with time zone,
  current_until timestamp with time zone,
  gap_since timestamp with time zone,
  leader text,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  gap_until timestamp with time zone,
  constraint register_stream_pkey PRIMARY KEY (name)
);

create table resolution (
  id text collate "C" not null,
  domain text collate "C" not null,
  outcome text not null,
  situation text not null,
  confidence real,
  company_number text collate "C",
  reason text not null,
  findings jsonb not null,
  model_version text not null,
  resolved_at timestamp with time zone not null,
  constraint resolution_pkey PRIMARY KEY (id, resolved_at),
  constraint resolution_check CHECK (((outcome = 'matched'::text) = (company_number IS NOT NULL))),
  constraint resolution_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint resolution_outcome_check CHECK ((outcome = ANY (ARRAY['matched'::text, 'needs_review'::text, 'no_match'::text, 'non_uk_entity'::text, 'scrape_failed'::text])))
) partition by RANGE (resolved_at);
CREATE INDEX resolution_domain ON ONLY public.resolution USING btree (domain, resolved_at DESC);
CREATE TRIGGER resolution_never_changes BEFORE UPDATE ON public.resolution FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table resolution_job (
  id text collate "C" not null,
  account_id text not null,
  kind text not null,
  subject text collate "C" not null,
  input text not null,
  status text not null,
  hold_id text,
  resolution_id text collate "C",
  website_search_id text collate "C",
  charged boolean not null default false,
  charge_reason text not null default 'pending'::text,
  error_message text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  shape text not null default 'enrich'::text,
  origin text not null default 'api'::text,
  constraint resolution_job_pkey PRIMARY KEY (account_id, id),
  constraint resolution_job_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint resolution_job_hold_id_fkey FOREIGN KEY (account_id, hold_id) REFERENCES credit_hold(account_id, id),
  constraint resolution_job_hold_id_fkey_1 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_0(account_id, id),
  constraint resolution_job_hold_id_fkey_2 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_1(account_id, id),
  constraint resolution_job_hold_id_fkey_3 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_2(account_id, id),
  constraint resolution_job_hold_id_fkey_4 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_3(account_id, id),
  constraint resolution_job_hold_id_fkey_5 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_4(account_id, id),
  constraint resolution_job_hold_id_fkey_6 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_5(account_id, id),
  constraint resolution_job_hold_id_fkey_7 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_6(account_id, id),
  constraint resolution_job_hold_id_fkey_8 FOREIGN KEY (account_id, hold_id) REFERENCES part.credit_hold_7(account_id, id),
  constraint resolution_job_website_search_id_fkey FOREIGN KEY (website_search_id) REFERENCES website_search(id),
  constraint resolution_job_check CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint resolution_job_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'company'::text]))),
  constraint resolution_job_shape_check CHECK ((shape = ANY (ARRAY['enrich'::text, 'resolution'::text, 'partner'::text]))),
  constraint resolution_job_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
) partition by HASH (account_id);
CREATE INDEX resolution_job_account ON ONLY public.resolution_job USING btree (account_id, created_at DESC);
CREATE INDEX resolution_job_expiry ON ONLY public.resolution_job USING btree (expires_at);
CREATE INDEX resolution_job_hold ON ONLY public.resolution_job USING btree (hold_id);
CREATE INDEX resolution_job_id ON ONLY public.resolution_job USING btree (id);
CREATE INDEX resolution_job_open ON ONLY public.resolution_job USING btree (kind, subject) WHERE (finished_at IS NULL);
CREATE INDEX resolution_job_resolution ON ONLY public.resolution_job USING btree (resolution_id);
CREATE INDEX resolution_job_website ON ONLY public.resolution_job USING btree (website_search_id);

create table resolution_work (
  kind text not null,
  subject text collate "C" not null,
  queued_at timestamp with time zone not null,
  deadline_at timestamp with time zone not null,
  is_background boolean not null,
  claimed_by text,
  claimed_until timestamp with time zone,
  progress jsonb,
  deaths smallint not null default 0,
  read_after timestamp with time zone,
  constraint resolution_work_pkey PRIMARY KEY (kind, subject),
  constraint resolution_work_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'company'::text])))
);
CREATE INDEX resolution_work_deadline ON public.resolution_work USING btree (deadline_at);

create table review_decision (
  id text collate "C" not null,
  account_id text not null,
  domain text collate "C" not null,
  resolution_id text collate "C" not null,
  action text not null,
  company_number text collate "C",
  previous_outcome text not null,
  previous_company_number text collate "C",
  reviewer text not null,
  reason text,
  refunded boolean not null default false,
  decided_at timestamp with time zone not null,
  constraint review_decision_pkey PRIMARY KEY (id),
  constraint review_decision_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint review_decision_action_check CHECK ((action = ANY (ARRAY['accept'::text, 'reject'::text, 'reassign'::text, 'dispute'::text, 'withdraw'::text]))),
  constraint review_decision_check CHECK (((action = ANY (ARRAY['accept'::text, 'reassign'::text])) <= (company_number IS NOT NULL))),
  constraint review_decision_check1 CHECK (((action = ANY (ARRAY['reject'::text, 'withdraw'::text])) <= (company_number IS NULL))),
  constraint review_decision_check2 CHECK (((action = 'dispute'::text) OR (NOT refunded))),
  constraint review_decision_reviewer_check CHECK ((reviewer <> ''::text))
);
CREATE INDEX review_decision_disputes ON public.review_decision USING btree (account_id, decided_at) WHERE (action = 'dispute'::text);
CREATE INDEX review_decision_domain ON public.review_decision USING btree (account_id, domain, decided_at DESC);
CREATE INDEX review_decision_resolution ON public.review_decision USING btree (resolution_id);
CREATE TRIGGER review_decision_append_only BEFORE DELETE OR UPDATE ON public.review_decision FOR EACH ROW EXECUTE FUNCTION review_decision_only_forgets();
CREATE TRIGGER review_decision_never_emptied BEFORE TRUNCATE ON public.review_decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table review_item (
  id text collate "C" not null,
  account_id text not null,
  domain text collate "C" not null,
  resolution_id text collate "C" not null,
  state text not null,
  confidence real not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  decision_id text collate "C",
  override_id text collate "C",
  situation text,
  candidate_numbers text[] collate "C" not null default '{}'::text[],
  candidate_names text not null default ''::text,
  constraint review_item_account_id_domain_key UNIQUE (account_id, domain),
  constraint review_item_pkey PRIMARY KEY (id),
  constraint review_item_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint review_item_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES review_decision(id),
  constraint review_item_override_id_fkey FOREIGN KEY (override_id) REFERENCES review_decision(id),
  constraint review_item_check CHECK (((state = 'decided'::text) = (decision_id IS NOT NULL))),
  constraint review_item_check1 CHECK (((override_id IS NULL) OR (decision_id IS NOT NULL))),
  constraint review_item_state_check CHECK ((state = ANY (ARRAY['open'::text, 'decided'::text, 'closed'::text])))
);
CREATE INDEX review_item_best ON public.review_item USING btree (account_id, (candidate_numbers[1])) WHERE (state = 'open'::text);
CREATE INDEX review_item_decided ON public.review_item USING btree (account_id, updated_at DESC, id) WHERE (state = 'decided'::text);
CREATE INDEX review_item_decision ON public.review_item USING btree (decision_id) WHERE (decision_id IS NOT NULL);
CREATE INDEX review_item_doubt ON public.review_item USING btree (account_id, situation, confidence DESC, id) WHERE (state = 'open'::text);
CREATE INDEX review_item_export ON public.review_item USING btree (updated_at, id) WHERE (state = 'decided'::text);
CREATE INDEX review_item_newest ON public.review_item USING btree (account_id, created_at DESC, id) WHERE (state = 'open'::text);
CREATE INDEX review_item_open ON public.review_item USING btree (account_id, confidence DESC, id) WHERE (state = 'open'::text);
CREATE INDEX review_item_override ON public.review_item USING btree (override_id) WHERE (override_id IS NOT NULL);
CREATE INDEX review_item_resolution ON public.review_item USING btree (resolution_id);

create table saved_view (
  id text collate "C" not null,
  account_id text not null,
  name text not null,
  path text collate "C" not null,
  query text collate "C" not null,
  saved_at timestamp with time zone not null,
  constraint saved_view_account_id_path_name_key UNIQUE (account_id, path, name),
  constraint saved_view_pkey PRIMARY KEY (id),
  constraint saved_view_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint saved_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint saved_view_path_check CHECK ((length(path) <= 120)),
  constraint saved_view_query_check CHECK ((length(query) <= 2000))
);

create table schema_migration (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table search_rebuild (
  only_one boolean not null default true,
  started_at timestamp with time zone not null,
  constraint search_rebuild_pkey PRIMARY KEY (only_one),
  constraint search_rebuild_only_one_check CHECK (only_one)
);

create table search_touched (
  number text collate "C" not null,
  constraint search_touched_pkey PRIMARY KEY (number)
);

create table second_reader_answer (
  key text not null,
  task text not null,
  model text not null,
  answer jsonb not null,
  created_at timestamp with time zone not null,
  constraint second_reader_answer_pkey PRIMARY KEY (key),
  constraint second_reader_answer_task_check CHECK ((task = ANY (ARRAY['find'::text, 'check'::text])))
);
CREATE INDEX second_reader_answer_created ON public.second_reader_answer USING btree (created_at);

create table second_reader_day (
  day date not null,
  calls integer not null default 0,
  failures integer not null default 0,
  repeats integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  spent bigint not null default 0,
  reserved bigint not null default 0,
  constraint second_reader_day_pkey PRIMARY KEY (day)
);

create table second_reader_measure (
  model text not null,
  prompt_version text not null,
  task text not null,
  world text not null,
  asked integer not null,
  right_changes integer not null,
  wrong_changes integer not null,
  is_passed boolean not null,
  measured_at timestamp with time zone not null,
  constraint second_reader_measure_pkey PRIMARY KEY (model, prompt_version, task),
  constraint second_reader_measure_task_check CHECK ((task = ANY (ARRAY['find'::text, 'check'::text])))
);

create table share_link (
  id text not null,
  token_hash bytea not null,
  account_id text not null,
  mode text not null,
  resolution_id text not null,
  made_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint share_link_token_hash_key UNIQUE (token_hash),
  constraint share_link_pkey PRIMARY KEY (id),
  constraint share_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint share_link_check CHECK ((expires_at > made_at)),
  constraint share_link_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE INDEX share_link_answer ON public.share_link USING btree (account_id, resolution_id, made_at DESC);
CREATE INDEX share_link_expiry ON public.share_link USING btree (expires_at);
CREATE INDEX share_link_resolution ON public.share_link USING btree (resolution_id);

create table signal (
  id bigint not null generated always as identity,
  company_number text collate "C" not null,
  company_name text not null,
  signal_type text collate "C" not null,
  severity text not null,
  summary text not null,
  occurred_on date not null,
  detected_at timestamp with time zone not null,
  changes jsonb not null,
  source_kind text not null,
  source_reference text not null,
  dedupe_key text collate "C" not null,
  constraint signal_company_number_signal_type_dedupe_key_key UNIQUE (company_number, signal_type, dedupe_key),
  constraint signal_pkey PRIMARY KEY (company_number, id),
  constraint signal_changes_check CHECK ((jsonb_typeof(changes) = 'array'::text)),
  constraint signal_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'notice'::text, 'warning'::text])))
) partition by HASH (company_number);
CREATE INDEX signal_company ON ONLY public.signal USING btree (company_number, detected_at DESC, id DESC);
CREATE INDEX signal_detected ON ONLY public.signal USING btree (detected_at DESC, id DESC);
CREATE INDEX signal_id ON ONLY public.signal USING btree (id);
CREATE INDEX signal_type_detected ON ONLY public.signal USING btree (signal_type, detected_at DESC, id DESC);

create table signal_mark (
  watchlist_id integer not null,
  signal_id bigint not null,
  detected_at timestamp with time zone not null,
  is_read boolean not null,
  constraint signal_mark_pkey PRIMARY KEY (watchlist_id, signal_id),
  constraint signal_mark_watchlist_id_fkey FOREIGN KEY (watchlist_id) REFERENCES watchlist(id) ON DELETE CASCADE
);
CREATE INDEX signal_mark_detected ON public.signal_mark USING btree (watchlist_id, detected_at);

create table signal_sweep (
  name text not null,
  swept_on date not null,
  constraint signal_sweep_pkey PRIMARY KEY (name)
);

create table signing_key (
  id text not null,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  activates_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (id)
);

create table site_claim (
  company_number text collate "C" not null,
  domain text collate "C" not null,
  site text collate "C" not null,
  state text not null,
  facts jsonb not null,
  resolution_id text collate "C" not null,
  first_seen_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint site_claim_pkey PRIMARY KEY (company_number, domain),
  constraint site_claim_state_check CHECK ((state = ANY (ARRAY['held'::text, 'contested'::text])))
);
CREATE INDEX site_claim_domain ON public.site_claim USING btree (domain);
CREATE INDEX site_claim_resolution ON public.site_claim USING btree (resolution_id);

create table spending_cap (
  id text collate "C" not null,
  account_id text not null,
  daily_credits integer not null,
  constraint spending_cap_pkey PRIMARY KEY (id),
  constraint spending_cap_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint spending_cap_daily_credits_check CHECK (((daily_credits >= 0) AND (daily_credits <= 1000000)))
);
CREATE INDEX spending_cap_account ON public.spending_cap USING btree (account_id);

create table spending_day (
  cap_id text collate "C" not null,
  day date not null,
  credits integer not null,
  constraint spending_day_pkey PRIMARY KEY (cap_id, day),
  constraint spending_day_cap_id_fkey FOREIGN KEY (cap_id) REFERENCES spending_cap(id) ON DELETE CASCADE,
  constraint spending_day_credits_check CHECK ((credits >= 0))
);

create table sweep (
  name text not null,
  is_paused boolean not null default false,
  started_at timestamp with time zone not null,
  resumed_at timestamp with time zone not null,
  constraint sweep_pkey PRIMARY KEY (name)
);

create table sweep_domain (
  domain text collate "C" not null,
  sweep text not null,
  every_days integer,
  state text not null,
  due_at timestamp with time zone,
  lease uuid,
  attempts smallint not null default 0,
  added_at timestamp with time zone not null,
  outcome text,
  read_at timestamp with time zone,
  fresh_until timestamp with time zone,
  constraint sweep_domain_pkey PRIMARY KEY (domain),
  constraint sweep_domain_check CHECK (((state = 'reading'::text) = (lease IS NOT NULL))),
  constraint sweep_domain_every_days_check CHECK (((every_days >= 1) AND (every_days <= 3650))),
  constraint sweep_domain_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'reading'::text, 'read'::text])))
);
CREATE INDEX sweep_domain_added ON public.sweep_domain USING btree (sweep, added_at);
CREATE INDEX sweep_domain_due ON public.sweep_domain USING btree (sweep, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX sweep_domain_read ON public.sweep_domain USING btree (sweep, read_at) WHERE (read_at IS NOT NULL);

create table sweep_reading (
  domain text collate "C" not null,
  model_version text not null,
  resolved_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  reading bytea not null,
  constraint sweep_reading_pkey PRIMARY KEY (domain)
);
CREATE INDEX sweep_reading_expired ON public.sweep_reading USING btree (expires_at);

create table usage_day (
  account_id text not null,
  day date not null,
  outcome text not null,
  answers bigint not null,
  credits bigint not null,
  constraint usage_day_pkey PRIMARY KEY (account_id, day, outcome),
  constraint usage_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint usage_day_answers_check CHECK ((answers >= 0)),
  constraint usage_day_credits_check CHECK (((credits >= 0) OR (outcome = 'refunded'::text)))
);

create table watch (
  watchlist_id integer not null,
  company_number text collate "C" not null,
  watched_at timestamp with time zone not null,
  in_default boolean not null default true,
  constraint watch_pkey PRIMARY KEY (watchlist_id, company_number),
  constraint watch_watchlist_id_fkey FOREIGN KEY (watchlist_id) REFERENCES watchlist(id)
);
CREATE INDEX watch_company ON public.watch USING btree (company_number);
CREATE INDEX watch_newest ON public.watch USING btree (watchlist_id, watched_at DESC, company_number DESC);

create table watch_note (
  watchlist_id integer not null,
  company_number text collate "C" not null,
  note text not null,
  tags text[] not null,
  constraint watch_note_pkey PRIMARY KEY (watchlist_id, company_number),
  constraint watch_note_watchlist_id_company_number_fkey FOREIGN KEY (watchlist_id, company_number) REFERENCES watch(watchlist_id, company_number) ON DELETE CASCADE,
  constraint watch_note_note_check CHECK ((length(note) <= 2000)),
  constraint watch_note_tags_check CHECK ((cardinality(tags) <= 20))
);

create table watched_signal (
  watchlist_id integer not null,
  detected_at timestamp with time zone not null,
  signal_id bigint not null,
  signal_type text collate "C" not null,
  company_number text collate "C" not null,
  severity text not null,
  constraint watched_signal_pkey PRIMARY KEY (watchlist_id, detected_at, signal_id),
  constraint watched_signal_watchlist_id_fkey FOREIGN KEY (watchlist_id) REFERENCES watchlist(id)
) partition by RANGE (detected_at);
CREATE INDEX watched_signal_type ON ONLY public.watched_signal USING btree (watchlist_id, signal_type, detected_at, signal_id);

create table watchlist (
  id integer not null generated always as identity,
  account_id text not null,
  mode text not null,
  used integer not null default 0,
  read_through timestamp with time zone not null default now(),
  constraint watchlist_account_id_mode_key UNIQUE (account_id, mode),
  constraint watchlist_pkey PRIMARY KEY (id),
  constraint watchlist_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint watchlist_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint watchlist_used_check CHECK ((used >= 0))
);

create table webhook_attempt (
  id bigint not null generated always as identity,
  destination_id integer not null,
  event_number bigint not null,
  attempt integer not null,
  is_replay boolean not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  status integer,
  error text,
  response text not null,
  constraint webhook_attempt_pkey PRIMARY KEY (id, event_number),
  constraint webhook_attempt_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES webhook_destination(id)
) partition by RANGE (event_number);
CREATE INDEX webhook_attempt_destination ON ONLY public.webhook_attempt USING btree (destination_id, id DESC);
CREATE INDEX webhook_attempt_event ON ONLY public.webhook_attempt USING btree (destination_id, event_number);
CREATE INDEX webhook_attempt_started ON ONLY public.webhook_attempt USING btree (started_at);

create table webhook_delivery (
  destination_id integer not null,
  event_number bigint not null,
  state text not null,
  attempts integer not null default 0,
  is_replay boolean not null default false,
  due_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (destination_id, event_number),
  constraint webhook_delivery_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES webhook_destination(id),
  constraint webhook_delivery_check CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'missed'::text])))
) partition by RANGE (event_number);
CREATE INDEX webhook_delivery_due ON ONLY public.webhook_delivery USING btree (destination_id, due_at, event_number) WHERE (state = 'pending'::text);
CREATE INDEX webhook_delivery_event ON ONLY public.webhook_delivery USING btree (event_number);

create table webhook_destination (
  id integer not null generated always as identity,
  account_id text not null,
  webhook_url text,
  listens_until timestamp with time zone,
  signal_type text collate "C" not null,
  status text not null default 'active'::text,
  disabled_reason text,
  secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  consecutive_failures integer not null default 0,
  consecutive_blocked integer not null default 0,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  pauses integer not null default 0,
  drained_by text,
  drained_until timestamp with time zone,
  wake_at timestamp with time zone,
  mode text not null default 'live'::text,
  kind text not null default 'webhook'::text,
  address_sealed text,
  list_key integer,
  severity_min text,
  constraint webhook_destination_pkey PRIMARY KEY (id),
  constraint webhook_destination_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint webhook_destination_list_key_fkey FOREIGN KEY (list_key) REFERENCES company_list(key),
  constraint webhook_destination_address_sealed CHECK (((kind = 'webhook'::text) = (address_sealed IS NULL))),
  constraint webhook_destination_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_destination_check1 CHECK (((webhook_url IS NULL) = (listens_until IS NOT NULL))),
  constraint webhook_destination_kind_check CHECK ((kind = ANY (ARRAY['webhook'::text, 'slack'::text, 'teams'::text]))),
  constraint webhook_destination_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint webhook_destination_severity_min_check CHECK ((severity_min = ANY (ARRAY['info'::text, 'notice'::text, 'warning'::text]))),
  constraint webhook_destination_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);
CREATE INDEX webhook_destination_account ON public.webhook_destination USING btree (account_id) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_destination_deleted ON public.webhook_destination USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX webhook_destination_drained ON public.webhook_destination USING btree (drained_until) WHERE (drained_until IS NOT NULL);
CREATE INDEX webhook_destination_list ON public.webhook_destination USING btree (list_key) WHERE (list_key IS NOT NULL);
CREATE INDEX webhook_destination_listens ON public.webhook_destination USING btree (listens_until) WHERE (listens_until IS NOT NULL);
CREATE INDEX webhook_destination_wake ON public.webhook_destination USING btree (wake_at) WHERE (wake_at IS NOT NULL);

create table webhook_event (
  id bigint not null generated always as identity,
  event_id text collate "C" not null,
  signal_type text collate "C" not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint webhook_event_pkey PRIMARY KEY (id),
  constraint webhook_event_body_check CHECK ((octet_length(body) <= 20000))
) partition by RANGE (id);
CREATE INDEX webhook_event_created ON ONLY public.webhook_event USING btree (created_at);
CREATE INDEX webhook_event_event_id ON ONLY public.webhook_event USING btree (event_id);

create table website_check (
  company_number text collate "C" not null,
  domain text collate "C" not null,
  leads_to text collate "C",
  state text not null,
  doubt text,
  failures smallint not null default 0,
  checked_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  is_queued boolean not null default false,
  constraint website_check_pkey PRIMARY KEY (company_number)
);
CREATE INDEX website_check_due ON public.website_check USING btree (due_at);
CREATE INDEX website_check_queued ON public.website_check USING btree (due_at) WHERE is_queued;

create table website_check_walk (
  only_one boolean not null default true,
  after_company text collate "C" not null default ''::text,
  constraint website_check_walk_pkey PRIMARY KEY (only_one),
  constraint website_check_walk_only_one_check CHECK (only_one)
);

create table website_search (
  id text collate "C" not null,
  company_number text collate "C" not null,
  status text not null,
  domain text collate "C",
  resolution_id text collate "C",
  tried jsonb not null,
  checked_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint website_search_pkey PRIMARY KEY (id),
  constraint website_search_check CHECK (((status = 'not_found'::text) = (domain IS NULL))),
  constraint website_search_check1 CHECK (((domain IS NULL) = (resolution_id IS NULL))),
  constraint website_search_status_check CHECK ((status = ANY (ARRAY['verified'::text, 'needs_review'::text, 'not_found'::text])))
);
CREATE INDEX website_search_company ON public.website_search USING btree (company_number, checked_at DESC);
CREATE INDEX website_search_resolution ON public.website_search USING btree (resolution_id);

create table withheld_person (
  key_hash bytea not null,
  person_id text not null,
  birth_year smallint,
  birth_month smallint,
  company_number text collate "C",
  reference text not null,
  withheld_at timestamp with time zone not null,
  constraint withheld_person_pkey PRIMARY KEY (key_hash),
  constraint withheld_person_check CHECK ((((birth_year IS NULL) = (birth_month IS NULL)) AND ((birth_year IS NULL) <> (company_number IS NULL))))
);

create table withheld_salt (
  only_one boolean not null default true,
  salt text not null default ((gen_random_uuid())::text || (gen_random_uuid())::text),
  constraint withheld_salt_pkey PRIMARY KEY (only_one),
  constraint withheld_salt_only_one_check CHECK (only_one)
);
