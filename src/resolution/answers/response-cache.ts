/** Responses for paid matches, in the memory of this process: they spare a repeated request the reading and writing of JSON. */
import type { App } from '../../app.ts'
import { availableSql } from '../../credits/index.ts'
import { joinOwnDecision } from '../../decisions/index.ts'
import { Batcher } from '../../lib/db/batcher.ts'
import type { Db } from '../../lib/db/db.ts'
import { companyVersionsSql } from '../../register/index.ts'
import { isEnteredSql, isPaidSql } from '../money/payments.ts'

/** The rows that a known answer was read from. While they are the same, and the account's own rows too, so is the response. */
export interface AnswerVersion {
  resolutionId: string
  /** The version of the row in `known_domain`. */
  knownVersion: string
  companyNumbers: string[]
  companyVersions: string
}

/** SQL for the version of an answer, beside the answer itself: `k` is its known domain and `r` its resolution. */
export const answerVersionSql = (companyNumbers: string): string =>
  `jsonb_build_object('resolutionId', r.id, 'knownVersion', k.xmin,
    'companyNumbers', to_jsonb(array_remove(${companyNumbers}, null)), 'companyVersions', ${companyVersionsSql(companyNumbers)})`

/** The text of a response around the place of what the caller typed. */
interface CachedResponse {
  before: string
  after: string
  version: AnswerVersion
}

/** No caller types this. */
const TYPED = '\u0000'
const CHARACTERS_MAX = 32_000_000

export class ResponseCache {
  readonly #app: Pick<App, 'db' | 'clock'>
  readonly #checks = new Batcher<Check, number | null>({ slots: 4, itemsMax: 64 })
  /** By domain, the oldest first. */
  readonly #responses = new Map<string, CachedResponse>()
  #characters = 0

  constructor(app: Pick<App, 'db' | 'clock'>) {
    this.#app = app
  }

  /**
   * Returns the response to what the caller typed, and the credits available, when `requestDomain` would return this matched
   * answer, charge nothing and change nothing; null otherwise. The check reads everything in one snapshot and keeps none of
   * it: a refund, a dispute, a decision or a renamed company is seen by the next request.
   */
  async find(ask: {
    domain: string
    typed: string
    accountId: string
  }): Promise<{ text: string; available: number } | null> {
    const { domain, typed, accountId } = ask
    const cached = this.#responses.get(domain)
    if (!cached) return null
    const { before, after, version } = cached
    const check = { domain, accountId, at: this.#app.clock.now(), version }
    // Requests that come at the same time are checked by one statement.
    const available = await this.#checks.add(check, (checks) => checkAll(this.#app.db, checks))
    return available === null ? null : { text: before + JSON.stringify(typed) + after, available }
  }

  /** `write` returns the response to what a caller typed. */
  keep(domain: string, version: AnswerVersion, write: (typed: string) => string): void {
    const [before = '', after, ...others] = write(TYPED).split(JSON.stringify(TYPED))
    if (after === undefined || others.length > 0) throw new Error(`the response for ${domain} is not in two parts`)
    this.#delete(domain)
    this.#responses.set(domain, { before, after, version })
    this.#characters += before.length + after.length
    for (const oldest of this.#responses.keys()) {
      if (this.#characters <= CHARACTERS_MAX) break
      this.#delete(oldest)
    }
  }

  #delete(domain: string): void {
    const { before, after } = this.#responses.get(domain) ?? { before: '', after: '' }
    this.#characters -= before.length + after.length
    this.#responses.delete(domain)
  }
}

interface Check {
  domain: string
  accountId: string
  at: Date
  version: AnswerVersion
}

/** Returns the credits available for each check that passes, null for the others. */
async function checkAll(db: Db, checks: readonly Check[]): Promise<Array<number | null>> {
  const rows = await db.query<{ available: number | null }>(CHECK, [JSON.stringify(checks)])
  return rows.map(({ available }) => available)
}

/**
 * One scalar for each request, so that each is found by its keys however many rows the planner expects. All come in one
 * JSON value: the planner would make a plan of its own for every length of an array, which takes longer than the check.
 */
const CHECK = `select (
    select ${availableSql('asked.account_id')}
    from known_domain k
    ${joinOwnDecision({ account: 'asked.account_id', domain: 'k.domain', company: 'k.company_number' })}
    where k.domain = asked.domain and k.xmin = (version->>'knownVersion')::xid and k.expires_at > asked.at
      and k.resolution_id = version->>'resolutionId' and k.outcome = 'matched'
      and own.id is null and own_item.state is distinct from 'open'
      and ${isPaidSql({ account: 'asked.account_id', domain: 'k.domain', company: 'k.company_number', at: 'asked.at' })}
      and ${isEnteredSql({ account: 'asked.account_id', resolution: `version->>'resolutionId'` })}
      and ${companyVersionsSql(`array(select jsonb_array_elements_text(version->'companyNumbers'))`)} = version->>'companyVersions'
  ) as available
  from rows from (jsonb_to_recordset($1::jsonb) as (domain text, "accountId" text, at timestamptz, version jsonb))
    with ordinality as asked (domain, account_id, at, version, row)
  order by asked.row`
