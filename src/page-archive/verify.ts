/** Reads every kept body, wherever it is, and compares it with its hash. */
import type { App } from '../app.ts'
import { StoreFailure } from '../lib/blobs/blob-store.ts'
import { BODY_COLUMNS, decode, findStored, nameOf, type StoredBody } from './captures.ts'

export interface Verification {
  bodies: number
  bytes: number
  storedBytes: number
  /** It is not where it should be. */
  missing: number
  /** It does not decompress, or has another hash or length. */
  damaged: number
  /** The store outside did not answer. */
  unreachable: number
  examples: string[]
}

type Archive = Pick<App, 'db' | 'pageStores'>
type Finding = 'whole' | 'missing' | 'damaged' | 'unreachable'

const BATCH = 100
const AT_ONCE = 8
const EXAMPLES_MAX = 10

export async function verifyBodies(app: Archive, onProgress: (checked: number) => void): Promise<Verification> {
  const report: Verification = {
    bodies: 0,
    bytes: 0,
    storedBytes: 0,
    missing: 0,
    damaged: 0,
    unreachable: 0,
    examples: [],
  }
  let afterId = '0'
  for (;;) {
    const bodies = await listAfter(app, afterId)
    for (let index = 0; index < bodies.length; index += AT_ONCE) {
      const some = bodies.slice(index, index + AT_ONCE)
      const findings = await Promise.all(some.map((body) => verifyBody(app, body)))
      findings.forEach((finding, position) => addFinding(report, some[position], finding))
    }
    onProgress(report.bodies)
    const last = bodies.at(-1)
    // Ids only grow, so this ends.
    if (!last) return report
    afterId = last.id
  }
}

interface CheckedBody extends StoredBody {
  storedBytes: number
}

async function listAfter({ db }: Archive, afterId: string): Promise<CheckedBody[]> {
  return db.query<CheckedBody>(
    `select ${BODY_COLUMNS}, stored_bytes as "storedBytes" from page_body where id > $1 order by page_body.id limit $2`,
    [afterId, BATCH],
  )
}

function addFinding(report: Verification, body: CheckedBody | undefined, finding: Finding): void {
  if (!body) return
  report.bodies += 1
  report.bytes += body.bytes
  report.storedBytes += body.storedBytes
  if (finding === 'whole') return
  report[finding] += 1
  if (report.examples.length < EXAMPLES_MAX) report.examples.push(`${finding}: ${body.storedIn} ${nameOf(body)}`)
}

async function verifyBody(app: Archive, body: CheckedBody): Promise<Finding> {
  let stored: Buffer | null
  try {
    stored = await findStored(app, body)
  } catch (error) {
    if (error instanceof StoreFailure) return 'unreachable'
    throw error
  }
  if (stored === null) return (await isDeleted(app, body)) ? 'whole' : 'missing'
  try {
    const whole = await decode(stored, body.sha256)
    return whole.byteLength === body.bytes ? 'whole' : 'damaged'
  } catch {
    return 'damaged'
  }
}

/** It was deleted since the look: then nothing is missing. */
async function isDeleted({ db }: Archive, { id }: CheckedBody): Promise<boolean> {
  return (await db.query('select from page_body where id = $1', [id])).length === 0
}
