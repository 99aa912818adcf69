import type { Database, Tx } from '../../lib/db/db.ts'
import { CHAINED_COLUMNS, type ChainedEntry, type EntryPart, FIRST_HASH, findEdited } from './chain.ts'

export interface ChainProblem {
  /** Null for what is about all accounts. */
  accountId: string | null
  kind: 'edited' | 'removed' | 'inserted' | 'reordered' | 'recomputed' | 'anchor'
  /** The position in the account's chain. */
  seq: number | null
  /** The row of `audit_event`; null where it is missing. */
  id: string | null
  words: string
}

export interface Verified {
  accounts: number
  entries: number
  /** Entries whose address was removed, as its time was over or the account is erased. */
  addressesRemoved: number
  problems: ChainProblem[]
  /** The end of the chain, where one account was verified. */
  head: { entries: number; hash: string } | null
}

interface VerifiedRow extends ChainedEntry {
  isErased: boolean
  headEntries: number | null
  headHash: Buffer | null
}

const BATCH_ROWS = 250
export const PROBLEMS_MAX = 100
const PROGRESS_ENTRIES = 100_000

/** Makes every chain again, or that of one account, without the addresses of entries before a time, in one view of the database and the memory of one batch. */
export async function verifyAudit(
  db: Database,
  {
    accountId,
    addressesBefore,
    onProgress,
  }: { accountId: string | null; addressesBefore: Date; onProgress: (entries: number) => void },
): Promise<Verified> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    const walk = new Walk(tx, addressesBefore)
    // One cursor reads the index once: a statement for each batch would plan, and may sort, each time.
    await tx.query(`declare verified no scroll cursor for ${ROWS}`, [accountId])
    while (walk.problems.length < PROBLEMS_MAX) {
      const rows = await tx.query<VerifiedRow>(`fetch ${BATCH_ROWS} from verified`)
      for (const row of rows) await walk.take(row)
      if (rows.length < BATCH_ROWS) break
      if (walk.entries % PROGRESS_ENTRIES === 0) onProgress(walk.entries)
    }
    await tx.query('close verified')
    await walk.end()
    const outside = await listOutside(tx, accountId)
    const { accounts, entries, addressesRemoved, head } = walk
    const problems = [...walk.problems, ...outside].slice(0, PROBLEMS_MAX)
    return { accounts, entries, addressesRemoved, problems, head: accountId === null ? null : head }
  })
}

const ROWS = `select ${CHAINED_COLUMNS}, account.erased_at is not null as "isErased",
    chain.entries::integer as "headEntries", chain.head_hash as "headHash"
  from audit_event event
    left join audit_chain chain on chain.account_id = event.account_id
    left join account on account.id = event.account_id
  where seq is not null and event.account_id is not null and ($1::text is null or event.account_id = $1)
  order by event.account_id, seq`

/** Rows that no chain holds, and chains without a row. */
async function listOutside(tx: Tx, accountId: string | null): Promise<ChainProblem[]> {
  const rows = await tx.query<{ accountId: string; id: string }>(
    `select account_id as "accountId", id::text from audit_event
     where account_id is not null and seq is null and ($1::text is null or account_id = $1) limit $2`,
    [accountId, PROBLEMS_MAX],
  )
  const empty = await tx.query<{ accountId: string }>(
    `select account_id as "accountId" from audit_chain chain
     where entries > 0 and ($1::text is null or account_id = $1)
       and not exists (select from audit_event event where event.account_id = chain.account_id and seq is not null)
     limit $2`,
    [accountId, PROBLEMS_MAX],
  )
  return [
    ...rows.map((row) => ({ ...row, kind: 'inserted' as const, seq: null, words: 'is in no chain' })),
    ...empty.map((row) => ({ ...row, kind: 'removed' as const, seq: 1, id: null, words: 'all entries are missing' })),
  ]
}

/** Compares each entry with the one before it, account by account. */
class Walk {
  readonly problems: ChainProblem[] = []
  entries = 0
  accounts = 0
  addressesRemoved = 0
  head: Verified['head'] = null
  readonly #tx: Tx
  readonly #addressesBefore: Date
  #last: VerifiedRow | null = null
  /** The end of the chain before the last entry. */
  #before: Buffer = FIRST_HASH
  /** The part of the last entry that is not what it was; the next entry shows whether it was edited or inserted. */
  #edited: EntryPart | null = null
  /** After one broken link the next ones say nothing new until one holds. */
  #isLost = false

  constructor(tx: Tx, addressesBefore: Date) {
    this.#tx = tx
    this.#addressesBefore = addressesBefore
  }

  async take(row: VerifiedRow): Promise<void> {
    if (this.#last?.accountId !== row.accountId) {
      await this.end()
      this.accounts += 1
    }
    this.entries += 1
    if (row.originSalt === null) this.addressesRemoved += 1
    await this.#checkLink(row, row.previousHash, row.seq)
    this.#before = this.#last?.entryHash ?? FIRST_HASH
    this.#last = row
    this.#edited = findEdited(row, { isErased: row.isErased, addressesBefore: this.#addressesBefore })
  }

  /** Compares the last entry of an account with the stored end of its chain. */
  async end(): Promise<void> {
    const last = this.#last
    if (last) {
      const { headEntries, headHash } = last
      this.head = { entries: last.seq, hash: last.entryHash.toString('hex') }
      await this.#checkLink(null, headHash ?? FIRST_HASH, (headEntries ?? last.seq) + 1)
    }
    this.#last = null
    this.#before = FIRST_HASH
    this.#edited = null
    this.#isLost = false
  }

  /** `follows` is the hash that the next entry, or the end of the chain, says it follows; `seq` its position. */
  async #checkLink(next: VerifiedRow | null, follows: Buffer, seq: number): Promise<void> {
    const last = this.#last
    const lastSeq = last?.seq ?? 0
    if (last && this.#edited !== null) {
      const isForeign = follows.equals(this.#before)
      const words = isForeign ? 'does not belong to the chain' : `${this.#edited} is not what was written`
      this.#report(last, isForeign ? 'inserted' : 'edited', words)
      if (isForeign) return
    }
    const isWhole = follows.equals(last?.entryHash ?? FIRST_HASH)
    if (isWhole && seq === lastSeq + 1) {
      this.#isLost = false
      return
    }
    if (this.#isLost) return
    this.#isLost = true
    if (isWhole && next) return this.#report(next, 'edited', `its position was ${lastSeq + 1}`)
    if (seq > lastSeq + 1) return this.#reportMissing(next ?? last, { from: lastSeq + 1, to: seq - 1 })
    const found = await this.#findSeq(next ?? last, follows)
    if (found === null) {
      if (last) return this.#report(last, 'edited', 'another entry was here, or one after it is missing')
      return this.#reportMissing(next, { from: 1, to: seq })
    }
    if (last && found === lastSeq - 1) return this.#report(last, 'inserted', 'no other entry follows it')
    if (next) this.#report(next, 'reordered', `it follows the entry that is at position ${found}`)
    else if (last) this.#report(last, 'reordered', `the last entry is at position ${found}`)
  }

  async #findSeq(row: VerifiedRow | null, hash: Buffer): Promise<number | null> {
    if (hash.equals(FIRST_HASH)) return 0
    const [found] = await this.#tx.query<{ seq: number }>(
      'select seq::integer from audit_event where account_id = $1 and entry_hash = $2 limit 1',
      [row?.accountId, hash],
    )
    return found?.seq ?? null
  }

  #report({ accountId, seq, id }: VerifiedRow, kind: ChainProblem['kind'], words: string): void {
    this.problems.push({ accountId, kind, seq, id, words })
  }

  #reportMissing(row: VerifiedRow | null, { from, to }: { from: number; to: number }): void {
    if (!row) return
    const words = from === to ? 'the entry is missing' : `the entries up to ${to} are missing`
    this.problems.push({ accountId: row.accountId, kind: 'removed', seq: from, id: null, words })
  }
}
