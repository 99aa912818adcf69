/** Removes names from signals and webhook events: of people who are withheld, and of records that the register deleted. */
import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import {
  DELETED_NAME,
  type PersonRemoval,
  replaceNames,
  takeRemovals,
  toNamePattern,
  WITHHELD_NAME,
} from '../register/index.ts'
import { replaceInEvents } from '../webhooks/index.ts'
import { presentChange } from './change-words.ts'
import type { FieldChange } from './signals.ts'

const BATCH = 200
const BATCHES_MAX = 1_000

/** Safe to run again: a removal stays queued until its signals and events are done. */
export async function removeQueuedPeople({ db }: Pick<App, 'db'>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    if ((await db.transaction(removeBatch)) < BATCH) return
  }
}

async function removeBatch(tx: Tx): Promise<number> {
  await tx.query(`set local statement_timeout = '10min'`)
  const { removals, taken } = await takeRemovals(tx, BATCH)
  for (const removal of removals) await removePerson(tx, removal)
  return taken
}

type Texts = Pick<StoredSignal, 'summary' | 'changes'>

interface StoredSignal {
  id: string
  summary: string
  changes: FieldChange[]
  detectedAt: Date
}

const SIGNALS_MAX = 10_000

async function removePerson(tx: Tx, { companyNumber, name, reason }: PersonRemoval): Promise<void> {
  const pattern = toNamePattern(name)
  const words = reason === 'withheld' ? WITHHELD_NAME : DELETED_NAME
  const signals = await tx.query<StoredSignal>(
    `select id::text, summary, changes, detected_at as "detectedAt" from signal
     where company_number = $1 order by id desc limit ${SIGNALS_MAX}`,
    [companyNumber],
  )
  const named = signals.filter(({ summary, changes }) => hasName(pattern, summary, changes))
  for (const signal of named) {
    const { summary, changes } = withoutPerson(signal, pattern, words)
    await tx.query('update signal set summary = $3, changes = $4 where company_number = $1 and id = $2', [
      companyNumber,
      signal.id,
      summary,
      JSON.stringify(changes),
    ])
  }
  const events = { companyNumber, createdAt: named.map(({ detectedAt }) => detectedAt) }
  await replaceInEvents(tx, events, (data) => {
    const { summary, changes } = withoutPerson(data as unknown as Texts, pattern, words)
    return { ...data, summary, changes: changes.map(presentChange) }
  })
}

function hasName(pattern: RegExp, ...values: unknown[]): boolean {
  const text = JSON.stringify(values)
  return text.search(pattern) !== -1
}

/** Details of a person, beside the name. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set(['psc_address', 'psc_name'])

function withoutPerson({ summary, changes }: Texts, pattern: RegExp, words: string): Texts {
  return {
    summary: replaceNames(summary, [pattern], words) as string,
    changes: changes.map(({ field, from, to }): FieldChange => {
      const clean = (value: FieldChange['from']) =>
        value !== null && PERSONAL_FIELDS.has(field)
          ? words
          : (replaceNames(value, [pattern], words) as FieldChange['from'])
      return { field, from: clean(from), to: clean(to) }
    }),
  }
}
