/** The curves: operations of the product, each with the rows that its tables are filled with. */
import type pg from 'pg'
import { loadSyntheticRegister } from '../../../rig/synthetic-register/load.ts'
import { syntheticSignal } from '../../../rig/synthetic-signal.ts'
import { captureHold, holdCredit } from '../../../src/credits/index.ts'
import { searchCompanies } from '../../../src/register/search/search.ts'
import { rebuildSearchIndex } from '../../../src/register/search/search-index.ts'
import { findKnown } from '../../../src/resolution/answers/known.ts'
import { resolveDomainJob } from '../../../src/resolution/jobs.ts'
import { type FeedQuery, listFeed, raiseSignals, SIGNAL_TYPES, type SignalType } from '../../../src/signals/index.ts'
import { listDue } from '../../../src/webhooks/deliver/deliver-due.ts'
import { leaseDestination } from '../../../src/webhooks/deliver/lease.ts'
import { newSecret, sealSecret } from '../../../src/webhooks/destinations/secret.ts'
import { drawQueries } from '../search.ts'
import { addAccounts, type Curve, fillTables, type GrowthWorld, type Range, scatter } from './curve.ts'

const COMPANIES = 1_000

/** As short as an answer may be, so that ten million of them fit. */
const FINDINGS = `jsonb_build_object(
  'evidence', jsonb_build_array(jsonb_build_object('kind', 'company_number', 'quote', 'Registered in England ' || number,
    'url', 'https://known-' || n || '.co.uk/')),
  'candidates', jsonb_build_array(jsonb_build_object('companyNumber', number, 'companyName', 'COMPANY ' || number,
    'confidence', 0.99, 'reasons', '[]'::jsonb)),
  'considered', '[]'::jsonb, 'crawl', jsonb_build_object('pages', '[]'::jsonb, 'attempts', '[]'::jsonb))`

const KNOWN_ANSWERS: Curve = {
  name: 'lookup',
  does: 'look up a known answer',
  rows: 'known domains',
  tables: ['known_domain', 'resolution'],
  async grow(world, { from, to }) {
    const { app, client } = world
    if (from === 0) {
      await addAccounts(world, { from: 0, to: 1 })
      await client.query(
        `insert into company (number, name, name_key, status, type, source, changed_at)
         select lpad(n::text, 8, '0'), 'COMPANY ' || n, 'COMPANY ' || n, 'active', 'ltd', 'snapshot', now()
         from generate_series(0, ${COMPANIES - 1}) n`,
      )
    }
    const each = `(select n, lpad((n % ${COMPANIES})::text, 8, '0') as number
      from generate_series($1::integer + 1, $2::integer) n) each`
    await fillTables(world, KNOWN_ANSWERS.tables, async () => {
      await client.query(
        `insert into resolution (id, domain, outcome, situation, confidence, company_number, reason, findings,
           model_version, resolved_at)
         select 'res_' || lpad(n::text, 27, '0'), 'known-' || n || '.co.uk', 'matched', 'number', 0.99, number,
           'The site prints the number.', ${FINDINGS}, '1', now() from ${each}`,
        [from, to],
      )
      await client.query(
        `insert into known_domain (domain, resolution_id, outcome, company_number, resolved_at, expires_at)
         select 'known-' || n || '.co.uk', 'res_' || lpad(n::text, 27, '0'), 'matched', number, now(),
           now() + interval '30 days' from ${each}`,
        [from, to],
      )
    })
    return async (index) => {
      const domain = `known-${scatter(index, to) + 1}.co.uk`
      const ask = { domain, accountId: 'acc_1', at: new Date() }
      if (!(await findKnown(app.db, ask))) throw new Error(`${domain} is new`)
    }
  },
}

export const COMPANY_SEARCH: Curve = {
  name: 'search',
  does: 'find a company by name',
  rows: 'companies',
  tables: ['company', 'company_name', 'name_token'],
  /** Loads all of them again: how often a word is used, and so how it is searched, depends on all names. */
  async grow({ app, client, url }, { to }) {
    await client.query('truncate company')
    await loadSyntheticRegister(url, to)
    await rebuildSearchIndex(app.db, {})
    // In the file's order all of one kind of query would be of one part of the alphabet.
    const queries = drawQueries(to)
    return (index) => searchCompanies(app.db, { name: queries[scatter(index, queries.length)]?.typed ?? '', page: 1 })
  },
}

const PAGE_SIGNALS = 50
/** A company has four signals, and one company in four is watched: the feed is as long as there are signals. */
const SIGNALS_PER_COMPANY = 4
const LIST_COMPANIES = 200
/** The longest list that a plan allows. */
const LIST_COMPANIES_MAX = 50_000
const SIGNALS_PER_LIST = SIGNALS_PER_COMPANY * LIST_COMPANIES
const READERS_MAX = 100
const RARE_TYPE: SignalType = 'insolvency_started'
/** As many changes as are recorded together, and so share their moment. */
const RECORDED_TOGETHER = 20

/** Counts for a thousand signals; most are yearly filings. */
const TYPE_SHARES: Record<SignalType, number> = {
  confirmation_filed: 250,
  accounts_filed: 220,
  director_appointed: 90,
  director_resigned: 80,
  psc_changed: 80,
  registered_office_changed: 70,
  accounts_overdue: 40,
  confirmation_overdue: 40,
  charge_registered: 30,
  charge_satisfied: 25,
  strike_off_proposed: 25,
  sic_codes_changed: 14,
  status_changed: 12,
  name_changed: 8,
  accounts_type_changed: 5,
  strike_off_discontinued: 5,
  insolvency_updated: 3,
  insolvency_started: 2,
  website_changed: 1,
  director_identity_overdue: 0,
  all_directors_overdue: 0,
  psc_identity_overdue: 0,
  default_office_applied: 0,
  registered_office_disputed: 0,
  registered_office_undeliverable: 0,
  false_statement_strike_off: 0,
  psc_statement_made: 0,
  psc_statement_withdrawn: 0,
  majority_owner_added: 0,
  owner_sanctioned: 0,
  owner_protected: 0,
  owner_country_changed: 0,
  parent_dissolved: 0,
  default_service_address_applied: 0,
  default_office_upheld: 0,
  psc_statement_unresolved: 0,
}

/** Reads the first page, a page deep in the feed and a rare type, of ordinary lists and of the longest there is. */
const SIGNAL_FEED: Curve = {
  name: 'feed',
  does: 'read a page of the signal feed',
  rows: 'signals',
  tables: ['signal', 'watched_signal', 'watch'],
  async grow(world, { from, to }) {
    const { app, client } = world
    const companies = Math.floor(to / SIGNALS_PER_COMPANY)
    const lists = 1 + Math.floor(to / SIGNALS_PER_LIST)
    await client.query('truncate signal, watch, watched_signal, watchlist restart identity cascade')
    await addAccounts(world, { from: from === 0 ? 0 : 1 + Math.floor(from / SIGNALS_PER_LIST), to: lists })
    await fillTables(world, SIGNAL_FEED.tables, async () => {
      await client.query(
        `insert into watchlist (account_id, mode, used)
         select 'acc_' || n, 'live', case n when 1 then $2::integer else ${LIST_COMPANIES} end
         from generate_series(1, $1::integer) n`,
        [lists, Math.min(LIST_COMPANIES_MAX, companies)],
      )
      await client.query(
        `insert into watch (watchlist_id, company_number, watched_at)
         select id, lpad(((id * 7919::bigint + n * ($1::integer / used)) % $1 + 1)::text, 8, '0'), '2025-01-01'
         from watchlist cross join generate_series(0, used - 1) n`,
        [companies],
      )
      await insertSignals(client, to, companies)
      // With the watches in a hash table, the rows are written in the order of the signals.
      await client.query(
        `insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type)
         select watch.watchlist_id, signal.detected_at, signal.id, signal.signal_type
         from signal join watch using (company_number)`,
      )
    })
    const { rows } = await client.query<{ accountId: string; deep: string | null }>(
      `select account_id as "accountId", (
         select 'sig_' || signal_id from watched_signal where watchlist_id = id
         order by detected_at desc, signal_id desc offset used limit 1) as deep
       from watchlist order by id <> 1, hashint4(id) limit ${READERS_MAX}`,
    )
    const [longest, ...others] = rows
    return (index) => {
      const ordinary = others[scatter(index, others.length)]
      const { accountId = '', deep = null } = (index % 2 === 0 ? longest : ordinary) ?? {}
      const kinds: Array<Partial<FeedQuery>> = [{}, deep === null ? {} : { cursor: deep }, { signalType: RARE_TYPE }]
      return listFeed(app.db, { accountId, mode: 'live', limit: PAGE_SIGNALS, offset: 0, ...kinds[(index >> 1) % 3] })
    }
  },
}

/** Inserts them in the order of time, over a year. Some companies have many more than others. */
async function insertSignals(client: pg.Client, signals: number, companies: number): Promise<void> {
  await client.query(
    `insert into signal (company_number, company_name, signal_type, severity, summary, occurred_on, detected_at,
       changes, source_kind, source_reference, dedupe_key)
     select lpad(company::text, 8, '0'), 'COMPANY NUMBER ' || company || ' LIMITED', type, 'notice',
       'COMPANY NUMBER ' || company || ' LIMITED filed something new.', detected_at::date,
       detected_at, '[{"field": "what_is_new", "from": "as it was before", "to": "as it is now"}]', 'stream',
       'companies ' || n, n::text
     from (
       select n, 1 + floor($2::integer * power(random(), 1.5))::integer as company,
         ${drawType()} as type,
         timestamptz '2025-06-01' + (n / ${RECORDED_TOGETHER}) * $3::float8 * interval '1 millisecond' as detected_at
       from (select n, random() * 1000 as drawn from generate_series(0, $1::integer - 1) n offset 0) each
       offset 0
     ) drawn`,
    [signals, companies, Math.floor((365 * 86_400_000) / (signals / RECORDED_TOGETHER))],
  )
}

function drawType(): string {
  let below = 0
  const cases = SIGNAL_TYPES.map((type) => {
    below += TYPE_SHARES[type]
    return `when drawn < ${below} then '${type}'`
  })
  return `case ${cases.join(' ')} end`
}

const ENTRIES_PER_ACCOUNT = 100
const HOLDS_PER_ACCOUNT = ENTRIES_PER_ACCOUNT / 2

/** Two entries for each hold, which is how most of a ledger looks. */
const CHARGES: Curve = {
  name: 'charge',
  does: 'hold and capture a credit',
  rows: 'ledger entries',
  tables: ['ledger_entry', 'credit_hold'],
  async grow(world, { from, to }) {
    const { app, client } = world
    await addAccounts(world, { from: from / ENTRIES_PER_ACCOUNT, to: to / ENTRIES_PER_ACCOUNT })
    const holds = `select 'hld_' || lpad(n::text, 27, '0') as id, 'job_' || lpad(n::text, 27, '0') as reference,
      'acc_' || ((n - 1) / ${HOLDS_PER_ACCOUNT} + 1) as account_id from generate_series($1::integer + 1, $2::integer) n`
    const range = [from / 2, to / 2]
    await fillTables(world, CHARGES.tables, async () => {
      await client.query(
        `insert into credit_hold (id, account_id, reference, amount, state, created_at, expires_at, settled_at)
         select id, account_id, reference, 1, 'captured', now(), now(), now() from (${holds}) hold`,
        range,
      )
      await client.query(
        `insert into ledger_entry (account_id, kind, amount, reason, reference, hold_id, balance_delta, held_delta,
           balance_after, held_after, created_at)
         select account_id, kind, 1, 'matched', reference, id, balance_delta, held_delta, 1000000, 0, now()
         from (${holds}) hold
         cross join (values ('hold', 0, 1), ('capture', -1, -1)) step (kind, balance_delta, held_delta)`,
        range,
      )
    })
    return (index) =>
      app.db.transaction(async (tx) => {
        const accountId = `acc_${scatter(index, to / ENTRIES_PER_ACCOUNT) + 1}`
        const at = app.clock.now()
        const reference = `charge ${to} ${index}`
        const hold = await holdCredit(tx, { accountId, reference, reason: 'resolution', lifeSeconds: 600, at })
        await captureHold(tx, { accountId, holdId: hold.id, outcome: 'matched', at })
      })
  },
}

/** Where the engine keeps the jobs of all queues that have no table of their own. */
const TABLE = 'pgboss.job_common'

const JOB_BACKLOG: Curve = {
  name: 'job',
  does: 'pick up a job',
  rows: 'jobs that wait',
  tables: [TABLE],
  async grow(world, { from, to }) {
    const { app, client } = world
    // The engine writes one as it would be; the others are its copies.
    const id = await app.db.transaction((tx) => app.jobs.enqueue(tx, resolveDomainJob, { domain: 'waiting.co.uk' }))
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = '${TABLE}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    )
    const values = rows.map(({ name }) => {
      if (name === 'id') return 'uuidv7()'
      return name === 'created_on' ? `created_on + n * interval '1 microsecond'` : name
    })
    await fillTables(world, [TABLE], () =>
      client.query(
        `insert into ${TABLE} (${rows.map(({ name }) => name).join(', ')})
         select ${values.join(', ')} from ${TABLE} cross join generate_series($2::integer + 2, $3::integer) n where id = $1`,
        [id, from, to],
      ),
    )
    return async () => {
      const claimed = await app.jobs.fetch(resolveDomainJob.name, 1)
      if (claimed.length !== 1) throw new Error('no job was picked up')
    }
  },
}

const PER_DESTINATION = 100
/** Each event goes to so many. */
const DESTINATIONS_PER_EVENT = 10
/** As many as a sender takes at once. */
const BATCH = 50
const SEALED_AT_ONCE = 10_000

const DELIVERY_BACKLOG: Curve = {
  name: 'delivery',
  does: 'claim a destination and what is due there',
  rows: 'deliveries that wait',
  tables: ['webhook_delivery', 'webhook_event'],
  async grow(world, { from, to }) {
    const { app, client } = world
    const destinations = { from: from / PER_DESTINATION, to: to / PER_DESTINATION }
    await addAccounts(world, destinations)
    await addDestinations(world, destinations)
    await fillTables(world, DELIVERY_BACKLOG.tables, async () => {
      await client.query(
        `insert into webhook_event (id, event_id, signal_type, body, created_at) overriding system value
         select n, 'evt_' || lpad(n::text, 27, '0'), 'status_changed',
           '{"type":"signal","sequence":' || n || ',"data":{"summary":"' || repeat('It went into liquidation. ', 20) || '"}}',
           now() from generate_series($1::integer + 1, $2::integer) n`,
        [from / DESTINATIONS_PER_EVENT, to / DESTINATIONS_PER_EVENT],
      )
      await client.query(
        `insert into webhook_delivery (destination_id, event_number, state, due_at)
         select destination,
           (destination - 1) / ${DESTINATIONS_PER_EVENT} * ${PER_DESTINATION} + n, 'pending', now() - interval '1 minute'
         from generate_series($1::integer + 1, $2::integer) destination
         cross join generate_series(1, ${PER_DESTINATION}) n`,
        [destinations.from, destinations.to],
      )
    })
    return async (index) => {
      const destinationId = scatter(index, destinations.to) + 1
      const leased = await leaseDestination(app, { destinationId, jobId: 'growth', attempt: 1 })
      const due = await listDue(app, { destinationId, except: [] })
      if (!leased || due.length !== BATCH) throw new Error(`destination ${destinationId} was not claimed`)
    }
  },
}

/** Each has a secret of its own, which the product seals. */
async function addDestinations({ app, client }: GrowthWorld, { from, to }: Range): Promise<void> {
  for (let done = from; done < to; done += SEALED_AT_ONCE) {
    const ids = Array.from({ length: Math.min(SEALED_AT_ONCE, to - done) }, (_, index) => done + index + 1)
    await client.query(
      `insert into webhook_destination (id, account_id, webhook_url, signal_type, secret_sealed, created_at)
       overriding system value
       select id, 'acc_' || id, 'https://receiver.co.uk/' || id, 'all', sealed, now()
       from unnest($1::integer[], $2::text[]) as destination (id, sealed)`,
      [ids, ids.map((id) => sealSecret(app, id, newSecret()))],
    )
  }
}

const WATCHLIST_COMPANIES = 100
const WATCHERS_PER_COMPANY = 10

/**
 * Each watcher already has feed rows, because most of the writing goes into the feed, and a list that wants every signal by
 * e-mail at once.
 */
const WATCHERS: Curve = {
  name: 'fanout',
  does: `write a change into ${WATCHERS_PER_COMPANY} feeds`,
  rows: 'watches',
  tables: ['watch', 'watched_signal'],
  async grow(world, { from, to }) {
    const { app, client } = world
    const lists = { from: from / WATCHLIST_COMPANIES, to: to / WATCHLIST_COMPANIES }
    await addAccounts(world, lists)
    await client.query(
      `insert into watchlist (id, account_id, mode, used) overriding system value
       select n, 'acc_' || n, 'live', ${WATCHLIST_COMPANIES} from generate_series($1::integer + 1, $2::integer) n`,
      [lists.from, lists.to],
    )
    await client.query(
      `with made as (
         insert into company_list (id, watchlist_id, name, is_default, created_at)
         select 'wl_' || n, n, 'Watchlist', true, now() from generate_series($1::integer + 1, $2::integer) n
         returning key, watchlist_id
       )
       insert into list_email (list_key, watchlist_id, is_default, digest_since, digest_through, digest_queued_through,
         instant_severity)
       select key, watchlist_id, true, now(), now(), now(), 'info' from made`,
      [lists.from, lists.to],
    )
    const watches = `select list, lpad(((list - 1) / ${WATCHERS_PER_COMPANY} * ${WATCHLIST_COMPANIES} + n)::text, 8, '0') as number, n
      from generate_series($1::integer + 1, $2::integer) list cross join generate_series(0, ${WATCHLIST_COMPANIES - 1}) n`
    await fillTables(world, WATCHERS.tables, async () => {
      await client.query(
        `insert into watch (watchlist_id, company_number, watched_at) select list, number, '2025-01-01' from (${watches}) each`,
        [lists.from, lists.to],
      )
      await client.query(
        `insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type)
         select list, timestamptz '2025-01-01' + n * interval '1 day', n, 'accounts_filed' from (${watches}) each`,
        [lists.from, lists.to],
      )
    })
    return (index) => {
      const number = String(scatter(index, to / WATCHERS_PER_COMPANY)).padStart(8, '0')
      const signal = syntheticSignal(number, `growth:${to}:${index}`)
      return app.db.transaction((tx) => raiseSignals(app, tx, [signal], app.clock.now()))
    }
  },
}

export const CURVES = [KNOWN_ANSWERS, COMPANY_SEARCH, SIGNAL_FEED, CHARGES, JOB_BACKLOG, DELIVERY_BACKLOG, WATCHERS]
