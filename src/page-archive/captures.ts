/** The kept pages of an answer or of a domain, and their bodies. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { App } from '../app.ts'
import type { Db } from '../lib/db/db.ts'

export interface KeptCapture {
  id: string
  resolutionId: string
  domain: string
  url: string
  /** The page that a redirect leads to in the end; null for a quoted page. */
  leadsTo: string | null
  status: number
  fetchedAt: Date
  ip: string
  request: string
  response: string
  isCut: boolean
  sha256: string
  /** The length of the body, without its encodings. */
  bytes: number
  keptUntil: Date
}

const SELECT = `select capture.id::text, resolution_id as "resolutionId", domain, url, leads_to as "leadsTo", status, fetched_at as "fetchedAt", ip,
    request, response, is_cut as "isCut", encode(sha256, 'hex') as sha256, bytes, kept_until as "keptUntil"
  from page_capture capture join page_body using (sha256)`

/** More than an answer can quote. */
const OF_ANSWER_MAX = 100

/** Returns the pages that an answer quotes and that are still kept, in the order of their reading. */
export async function listCaptures(db: Db, resolutionId: string): Promise<KeptCapture[]> {
  return db.query<KeptCapture>(`${SELECT} where resolution_id = $1 order by fetched_at, capture.id limit $2`, [
    resolutionId,
    OF_ANSWER_MAX,
  ])
}

/** Returns the next pages of a domain's answers, from the one after `afterId` on. */
export async function listOfDomain(
  db: Db,
  { domain, afterId, limit }: { domain: string; afterId: string; limit: number },
): Promise<KeptCapture[]> {
  return db.query<KeptCapture>(`${SELECT} where domain = $1 and capture.id > $2 order by capture.id limit $3`, [
    domain,
    afterId,
    limit,
  ])
}

/** A page that an answer quotes, or a redirect to one, as its row says. */
export interface KeptQuote
  extends Pick<KeptCapture, 'id' | 'resolutionId' | 'url' | 'leadsTo' | 'status' | 'fetchedAt' | 'sha256'> {
  /** The hashes of all pages that the answer has of this address. */
  hashesOfUrl: string[]
}

/** Returns the next pages of all answers. */
export async function listKeptQuotes(
  db: Db,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<KeptQuote[]> {
  return db.query<KeptQuote>(
    `select page.id::text, page.resolution_id as "resolutionId", page.url, page.leads_to as "leadsTo", page.status,
       page.fetched_at as "fetchedAt", encode(page.sha256, 'hex') as sha256,
       array(select encode(same.sha256, 'hex') from page_capture same where same.resolution_id = page.resolution_id
         and same.url = page.url and same.leads_to is null) as "hashesOfUrl"
     from page_capture page where page.id > $1 order by page.id limit $2`,
    [afterId, limit],
  )
}

/** As much as a crawl reads of one page, and more. */
export const BODY_BYTES_MAX = 4_000_000
const decompress = promisify(zstdDecompress)

export interface StoredBody {
  id: string
  sha256: string
  bytes: number
  storedIn: 'postgres' | 'folder' | 's3'
  content: Buffer | null
}

export const BODY_COLUMNS = `id::text, encode(sha256, 'hex') as sha256, bytes, stored_in as "storedIn", content`

/** The hash says what it is; the id is another one when the same bytes are kept again later. */
export function nameOf({ sha256, id }: Pick<StoredBody, 'sha256' | 'id'>): string {
  return `${sha256.slice(0, 2)}/${sha256}-${id}.zst`
}

/** Returns the compressed bytes, wherever they are; null where they are missing. */
export async function findStored(app: Pick<App, 'pageStores'>, body: StoredBody): Promise<Buffer | null> {
  if (body.content !== null || body.storedIn === 'postgres') return body.content
  const store = app.pageStores[body.storedIn]
  if (!store) throw new Error(`a page is kept in ${body.storedIn}, which this process has no settings for`)
  return store.find(nameOf(body))
}

/** Bytes that should be kept are missing or are not the kept ones. `nameplated archive verify` names all of them. */
export class BodyDamage extends Error {
  constructor(what: string, cause?: unknown) {
    super(`${what}: see nameplated archive verify`, { cause })
    this.name = 'BodyDamage'
  }
}

/** Throws unless it decompresses, within a bound, to the bytes with this hash. */
export async function decode(stored: Buffer, sha256: string): Promise<Buffer> {
  const body = await decompress(stored, { maxOutputLength: BODY_BYTES_MAX }).catch((error: unknown) => {
    throw new BodyDamage(`the kept body ${sha256} cannot be decompressed`, error)
  })
  if (createHash('sha256').update(body).digest('hex') !== sha256) {
    throw new BodyDamage(`the kept body ${sha256} has another hash`)
  }
  return body
}

/** Returns a body as it was received, without its encodings; null where no page has it. Throws where it is damaged. */
export async function findBody(app: Pick<App, 'db' | 'pageStores'>, sha256: string): Promise<Buffer | null> {
  // It may be moved between the look and the reading.
  for (let round = 0; round < 2; round += 1) {
    const [body] = await app.db.query<StoredBody>(
      `select ${BODY_COLUMNS} from page_body where sha256 = decode($1, 'hex')`,
      [sha256],
    )
    if (!body) return null
    const stored = await findStored(app, body)
    if (stored) return decode(stored, sha256)
  }
  return null
}
