-- The sum of migrations/. Made by `npm run schema`; a test compares it with a migrated database.

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
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
  constraint account_email_canonical_key UNIQUE (email_canonical),
  constraint account_pkey PRIMARY KEY (id)
);
CREATE INDEX account_plan_renews_on ON public.account USING btree (plan_renews_on) WHERE (plan_renews_on IS NOT NULL);

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

create table audit_event (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  account_id text,
  action text not null,
  outcome text not null,
  ip text,
  request_id text,
  details jsonb not null default '{}'::jsonb,
  constraint audit_event_pkey PRIMARY KEY (id),
  constraint audit_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX audit_event_account ON public.audit_event USING btree (account_id, id DESC);
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE ON public.audit_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_never_emptied BEFORE TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table company (
  number text not null,
  name text not null,
  name_key text not null,
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
  constraint company_pkey PRIMARY KEY (number),
  constraint company_source_check CHECK ((source = ANY (ARRAY['snapshot'::text, 'stream'::text, 'rest'::text])))
);

create table company_item (
  company_number text not null,
  kind text not null,
  item_id text not null,
  data jsonb not null,
  timepoint bigint not null default 0,
  changed_at timestamp with time zone not null,
  constraint company_item_pkey PRIMARY KEY (company_number, kind, item_id),
  constraint company_item_kind_check CHECK ((kind = ANY (ARRAY['officer'::text, 'charge'::text, 'insolvency'::text, 'psc'::text, 'filing'::text])))
);

create table company_part (
  company_number text not null,
  kind text not null,
  fetched_at timestamp with time zone not null,
  total integer,
  constraint company_part_pkey PRIMARY KEY (company_number, kind),
  constraint company_part_kind_check CHECK ((kind = ANY (ARRAY['officer'::text, 'charge'::text, 'insolvency'::text, 'psc'::text, 'filing'::text])))
);

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
  constraint credit_hold_account_id_reference_key UNIQUE (account_id, reference),
  constraint credit_hold_pkey PRIMARY KEY (id),
  constraint credit_hold_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint credit_hold_amount_check CHECK ((amount > 0)),
  constraint credit_hold_check CHECK (((state = 'held'::text) = (settled_at IS NULL))),
  constraint credit_hold_state_check CHECK ((state = ANY (ARRAY['held'::text, 'captured'::text, 'released'::text])))
);
CREATE INDEX credit_hold_open ON public.credit_hold USING btree (expires_at) WHERE (state = 'held'::text);

create table idempotency_key (
  account_id text not null,
  key text not null,
  fingerprint bytea not null,
  claimed_until timestamp with time zone not null,
  status smallint,
  answer_sealed text,
  expires_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE INDEX idempotency_key_expires_at ON public.idempotency_key USING btree (expires_at);

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
  constraint ledger_entry_pkey PRIMARY KEY (id),
  constraint ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint ledger_entry_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES credit_hold(id),
  constraint deltas_follow_kind CHECK (
CASE kind
    WHEN 'grant'::text THEN ((balance_delta = amount) AND (held_delta = 0))
    WHEN 'hold'::text THEN ((balance_delta = 0) AND (held_delta = amount))
    WHEN 'capture'::text THEN ((balance_delta = (- amount)) AND (held_delta = (- amount)))
    WHEN 'release'::text THEN ((balance_delta = 0) AND (held_delta = (- amount)))
    ELSE NULL::boolean
END),
  constraint ledger_entry_amount_check CHECK ((amount > 0)),
  constraint ledger_entry_balance_after_check CHECK ((balance_after >= 0)),
  constraint ledger_entry_check CHECK (((hold_id IS NULL) = (kind = 'grant'::text))),
  constraint ledger_entry_held_after_check CHECK ((held_after >= 0)),
  constraint ledger_entry_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'capture'::text, 'release'::text]))),
  constraint ledger_entry_reason_check CHECK ((reason <> ''::text))
);
CREATE INDEX ledger_entry_account ON public.ledger_entry USING btree (account_id, id DESC);
CREATE INDEX ledger_entry_hold ON public.ledger_entry USING btree (hold_id) WHERE (hold_id IS NOT NULL);
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE ON public.ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_never_emptied BEFORE TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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

create unlogged table rate_bucket (
  key text not null,
  tokens double precision not null,
  taken double precision not null,
  updated_at timestamp with time zone not null,
  constraint rate_bucket_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_bucket_updated_at ON public.rate_bucket USING btree (updated_at);

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
  constraint register_snapshot_pkey PRIMARY KEY (id),
  constraint register_snapshot_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'failed'::text])))
);

create table register_stream (
  name text not null,
  timepoint bigint,
  last_event_at timestamp with time zone,
  last_heard_at timestamp with time zone,
  gap_since timestamp with time zone,
  leader text,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint register_stream_pkey PRIMARY KEY (name)
);

create table schema_migration (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table signing_key (
  id text not null,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  activates_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (id)
);

create table usage_day (
  account_id text not null,
  day date not null,
  outcome text not null,
  answers bigint not null,
  credits bigint not null,
  constraint usage_day_pkey PRIMARY KEY (account_id, day, outcome),
  constraint usage_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint usage_day_answers_check CHECK ((answers >= 0)),
  constraint usage_day_credits_check CHECK ((credits >= 0))
);
