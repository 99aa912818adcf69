/** Makes pictures of quoted words, where the operator has a browser: after the answer, from the kept bytes. */
import type { App } from '../app.ts'
import { StoreFailure } from '../lib/blobs/blob-store.ts'
import { BrowserFailure } from '../lib/browser/browser-process.ts'
import { takePicture } from '../lib/browser/passage-picture.ts'
import { defineJob, type JobRun } from '../lib/jobs/jobs.ts'
import {
  BodyDamage,
  claimUnpictured,
  findBody,
  giveUpPicture,
  keepPicture,
  type UnpicturedPage,
} from '../page-archive/index.ts'
import { findResolution } from './answers/known.ts'

const RUN_MS = 45_000
const PICTURES_MAX = 200
const PASSAGES_MAX = 20

/** One page after the other, each in a browser of its own. A page that cannot be shown costs nothing but its picture. */
export const picturePagesJob = defineJob({
  name: 'resolution.picture_pages',
  retriesMax: 0,
  timeoutSeconds: 120,
  schedule: '* * * * *',
  async run(app: App, _payload: object, run: Pick<JobRun, 'signal'>) {
    const program = app.config.pageArchive.browser
    if (program === null) return
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(RUN_MS)])
    const made = { kept: 0, without: 0, failed: 0 }
    for (let count = 0; count < PICTURES_MAX && !signal.aborted; count += 1) {
      const page = await claimUnpictured(app.db, app.clock.now())
      if (!page) break
      made[await picturePage(app, program, page)] += 1
    }
    if (made.kept + made.without + made.failed > 0) app.log.info({ event: 'page_archive.pictured', ...made })
  },
})

async function picturePage(app: App, program: string, page: UnpicturedPage): Promise<'kept' | 'without' | 'failed'> {
  try {
    const passages = await listPassages(app, page)
    const body = passages.length === 0 ? null : await findBody(app, page.sha256)
    const contentType = /^content-type:[ \t]*([^\r\n]+)/im.exec(page.response)?.[1] ?? 'text/html'
    const picture = body && (await takePicture({ program, body, contentType, passages }))
    if (picture) await keepPicture(app, page.id, picture)
    else await giveUpPicture(app.db, page.id)
    return picture ? 'kept' : 'without'
  } catch (error) {
    const isOfPage = [BrowserFailure, StoreFailure, BodyDamage].some((failure) => error instanceof failure)
    if (!isOfPage) throw error
    app.log.warn({ event: 'page_archive.no_picture', url: page.url, error })
    return 'failed'
  }
}

/** The words of the answer that are on this page: those of its evidence first. */
async function listPassages({ db }: App, { resolutionId, url, sha256 }: UnpicturedPage): Promise<string[]> {
  const known = await findResolution(db, resolutionId)
  if (!known) return []
  const { evidence, considered, secondReading } = known.findings
  const others = [...considered, ...(secondReading ? [secondReading] : [])].filter((item) => item.url === url)
  const quotes = [
    ...evidence.filter((item) => item.url === url && item.contentSha256 === sha256).map(({ quote }) => quote),
    ...others.map(({ quote }) => quote),
  ]
  return [...new Set(quotes.filter((quote) => quote !== null && quote !== ''))].slice(0, PASSAGES_MAX) as string[]
}
