/** Known answers as requests find them: with what the account has decided and paid, and today's companies. */
import type { App } from '../../app.ts'
import { availableSql } from '../../credits/index.ts'
import {
  joinOwnDecision,
  type ListedReview,
  OWN_COMPANY,
  OWN_DECISION,
  type OwnDecision,
  type OwnDecisionRow,
  toOwnDecision,
} from '../../decisions/index.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { latestOf, type Position } from '../../lib/db/position.ts'
import {
  type Company,
  type CompanyRow,
  companyVersionsSql,
  parseCompanies,
  selectCompanies,
} from '../../register/index.ts'
import { isPaidSql } from '../money/payments.ts'
import {
  acceptsSql,
  columnsWith,
  type Freshness,
  isDueSql,
  type KnownResolution,
  oldestFor,
  type ReaderChoice,
  seenFindingsSql,
  seenSql,
} from './known.ts'

export interface FoundKnown {
  /** The shared answer. */
  known: KnownResolution
  /** This account's own decision, which replaces it. */
  own: OwnDecision | null
  /** The domain on this account's review list. */
  listed: ListedReview | null
  /** The candidates, and the company of its own decision, as the register has them today. */
  companies: Company[]
  stamp: AnswerStamp
  isPaid: boolean
  available: number
}

/** The rows that a known answer was read from. While they are the same, and the account's own rows too, so is the answer. */
export interface AnswerStamp {
  resolutionId: string
  /** The version of the row in `known_domain`. */
  knownVersion: string
  companyNumbers: string[]
  companyVersions: string
  /** Whether the words of a second reader are in it; null where there are none. */
  showsReading: boolean | null
}

const STAMP = (by: {
  account: string
  choice: string
}) => `jsonb_build_object('resolutionId', r.id, 'knownVersion', k.xmin,
  'companyNumbers', to_jsonb(array_remove(${COMPANY_NUMBERS}, null)), 'companyVersions', ${companyVersionsSql(COMPANY_NUMBERS)},
  'showsReading', case when jsonb_typeof(r.findings->'secondReading') = 'object' then ${acceptsSql(by)} end) as stamp`

/** The candidates, and the company that the account names itself. */
const COMPANY_NUMBERS = `array_append(
  array(select one->>'companyNumber' from jsonb_array_elements(r.findings->'candidates') one), ${OWN_COMPANY})`

type KnownAsk = { domain: string; accountId: string } & Freshness & ReaderChoice

/**
 * Returns the domain's newest answer if it is still fresh, and whether the account has paid for it. An account's own
 * decision never expires.
 */
export async function findKnown(db: Db, ask: KnownAsk): Promise<FoundKnown | null> {
  return onlyRow(await findAllKnown(db, [ask]))
}

/**
 * Returns the same, from the replica where it has replayed the position. Requests that come at the same time are read by one
 * statement, which starts after all of them came.
 */
export async function findKnownAsOf(app: App, ask: KnownAsk & { position?: Position | null | undefined }) {
  const found = await app.knownLookups.add(ask, (added) => {
    const asks = added as Array<typeof ask>
    return findAllKnown(app.reads.asOf(latestOf(asks.map(({ position }) => position ?? null))), asks)
  })
  return found as FoundKnown | null
}

/** All of them come from one process, so that either all or none have a second reader. */
async function findAllKnown(db: Db, asks: readonly KnownAsk[]): Promise<Array<FoundKnown | null>> {
  const wanted = asks.map((ask) => {
    const { domain, accountId, at, secondReader } = ask
    return { domain, accountId, at, oldest: oldestFor(ask, at), secondReader }
  })
  const hasSecondReader = asks.some((ask) => ask.hasSecondReader)
  const rows = await db.query<KnownRow>(hasSecondReader ? KNOWN_WITH_READER : KNOWN, [JSON.stringify(wanted)])
  const found = new Map(rows.map(({ row, ...known }) => [row, toFoundKnown(known)]))
  return asks.map((_, index) => found.get(index + 1) ?? null)
}

function toFoundKnown(row: Omit<KnownRow, 'row'>): FoundKnown {
  const { companies, own, listedState: state, listedId: resolutionId, stamp, isPaid, available, ...known } = row
  const listed = state && resolutionId ? { state, resolutionId } : null
  return { known, own: toOwnDecision(own), listed, companies: parseCompanies(companies), stamp, isPaid, available }
}

const BY = { account: 'asked.account_id', choice: 'asked.second_reader' }

/** Each is found by its keys, and by the same plan however many come together. */
const toStatement = (hasSecondReader: boolean) => `select asked.row, found.*
  from rows from (jsonb_to_recordset($1::jsonb) as (domain text, "accountId" text, at timestamptz, oldest timestamptz,
    "secondReader" boolean)) with ordinality as asked (domain, account_id, at, oldest, second_reader, row)
  cross join lateral (
    select ${columnsWith(seenFindingsSql(BY))}, k.expires_at as "expiresAt", ${selectCompanies(COMPANY_NUMBERS)} as companies, ${STAMP(BY)}, ${OWN_DECISION} as own,
      own_item.state as "listedState", own_item.resolution_id as "listedId",
      ${isPaidSql({ account: BY.account, domain: 'k.domain', company: 'r.company_number', at: 'asked.at' })} as "isPaid",
      ${availableSql(BY.account)} as available
    from known_domain k join resolution r on r.id = ${seenSql('resolution_id', BY)}
    ${joinOwnDecision({ account: BY.account, domain: 'k.domain', company: 'r.company_number' })}
    where k.domain = asked.domain and (k.expires_at > asked.at or own_item.override_id is not null)
      and (asked.oldest is null or k.resolved_at >= asked.oldest)
      and (own_item.override_id is not null or not ${isDueSql(BY, 'asked.at', hasSecondReader)})
    limit 1) found`

const KNOWN = toStatement(false)
const KNOWN_WITH_READER = toStatement(true)

interface KnownRow extends KnownResolution, Pick<FoundKnown, 'stamp' | 'isPaid' | 'available'> {
  /** The position among the asks, from 1. */
  row: number
  companies: CompanyRow[] | null
  own: OwnDecisionRow | null
  listedState: ListedReview['state'] | null
  listedId: string | null
}
