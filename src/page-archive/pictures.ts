/** Pictures of quoted words, made after the answer from the kept pages. They are stored, moved and deleted with their pages. */
import { createHash } from 'node:crypto'
import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Db } from '../lib/db/db.ts'
import { compressBody } from '../resolver/index.ts'
import { findBody } from './captures.ts'
import { putBodies } from './keep.ts'

export interface UnpicturedPage {
  id: string
  resolutionId: string
  url: string
  sha256: string
  /** Line and headers of the response. */
  response: string
}

/** Only pages of the last day: where answers come faster than pictures, the newest have one. */
const WINDOW_SECONDS = 86_400
const WINDOW_ROWS = 5_000
const ATTEMPTS_MAX = 2
const RETRY_SECONDS = 600

/** Returns the newest page without a picture, and claims it for this process. */
export async function claimUnpictured(db: Db, at: Date): Promise<UnpicturedPage | null> {
  const [claimed] = await db.query<UnpicturedPage>(
    `with wanted as (
       select page.id from (select * from page_capture order by id desc limit $2) page
         left join page_picture picture on picture.capture_id = page.id
       where page.leads_to is null and page.status between 200 and 299 and page.fetched_at > $3
         and (picture.capture_id is null or (picture.sha256 is null and attempts < $4 and tried_at < $5))
       order by page.id desc limit 1
     ), claim as (
       insert into page_picture (capture_id, attempts, tried_at) select id, 1, $1 from wanted
       on conflict (capture_id) do update set attempts = page_picture.attempts + 1, tried_at = $1
         where page_picture.sha256 is null and page_picture.tried_at < $5
       returning capture_id
     )
     select page.id::text, resolution_id as "resolutionId", url, encode(sha256, 'hex') as sha256, response
     from claim join page_capture page on page.id = claim.capture_id`,
    [at, WINDOW_ROWS, addSeconds(at, -WINDOW_SECONDS), ATTEMPTS_MAX, addSeconds(at, -RETRY_SECONDS)],
  )
  return claimed ?? null
}

/** Keeps a picture of a page, unless the page was deleted meanwhile. */
export async function keepPicture(app: Pick<App, 'db' | 'clock'>, captureId: string, png: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(png).digest('hex')
  const content = (await compressBody(png)).toString('base64')
  await app.db.transaction(async (tx) => {
    // The lock: a transaction that deletes the page waits, and sees the picture then.
    const page = await tx.query('select from page_picture where capture_id = $1 for update', [captureId])
    if (page.length === 0) return
    await putBodies(tx, [{ sha256, bytes: png.byteLength, content }], app.clock.now())
    await tx.query(`update page_picture set sha256 = decode($2, 'hex') where capture_id = $1`, [captureId, sha256])
  })
}

/** Gives a page up: it has no words that can be shown. */
export async function giveUpPicture(db: Db, captureId: string): Promise<void> {
  await db.query('update page_picture set attempts = $2 where capture_id = $1', [captureId, ATTEMPTS_MAX])
}

/** Returns the picture of a page, by the hash of the page, or the first one of the answer; null where there is none. */
export async function findPicture(
  app: Pick<App, 'db' | 'pageStores'>,
  { resolutionId, pageSha256 }: { resolutionId: string; pageSha256: string | null },
): Promise<Buffer | null> {
  const [picture] = await app.db.query<{ sha256: string }>(
    `select encode(picture.sha256, 'hex') as sha256
     from page_capture page join page_picture picture on picture.capture_id = page.id
     where resolution_id = $1 and ($2::text is null or page.sha256 = decode($2, 'hex')) and picture.sha256 is not null
     order by page.id limit 1`,
    [resolutionId, pageSha256],
  )
  return picture ? findBody(app, picture.sha256) : null
}
