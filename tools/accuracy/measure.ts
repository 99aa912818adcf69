import type { Label, Website } from '../../rig/labels.ts'
import type { Settings } from '../../rig/settings.ts'
import { openWorldStage } from '../../rig/stage.ts'
import { narrowWorld, openWorld } from '../../rig/world.ts'
import type { App } from '../../src/app.ts'
import type { Db } from '../../src/lib/db/db.ts'
import { type Company, findCompanies } from '../../src/register/index.ts'
import { listCuesOf } from '../../src/resolver/extract/role.ts'
import { resolveDomain } from '../../src/resolver/index.ts'
import { openReaderThreads } from '../../src/resolver/read/reader-threads.ts'
import type { QuestionRecorder } from '../../src/resolver/second-reader/question-recorder.ts'
import { type ResolvedSite, toAnswer } from './answer.ts'
import { findLargestGap } from './explanation-gap.ts'
import { scoreFolds } from './folds.ts'
import { measureHeldOutError } from './held-out.ts'
import { readNamedWorld } from './named-world.ts'
import { classifyNaming, scoreNamings } from './naming.ts'
import type { Progress } from './progress.ts'
import { listEmptyQuotes } from './quotes.ts'
import type { Report } from './report.ts'
import { resolveSites } from './resolve-sites.ts'
import { scoreAnswers } from './scoring.ts'
import { searchWebsites, storeAnswers } from './search-websites.ts'
import { LiveReader, readCost, scoreReader } from './second-reader.ts'
import { scoreShapes } from './shapes.ts'
import { scoreWebsites } from './websites.ts'

export interface MeasureOptions {
  only?: string
  folds?: number
  /** Measures without the cues that this world taught. */
  withoutOwnCues?: boolean
  /** Makes the reader that has its say on what the rules leave open or match. */
  openReader?: ((app: App) => QuestionRecorder) | undefined
  settings?: Settings
  concurrency: number
  progress: Progress
  signal: AbortSignal
}

/** Resolves the domains of a world and scores them. Everything it starts has ended when it returns. */
export async function measureAccuracy(path: string, options: MeasureOptions): Promise<Report> {
  const { progress, concurrency, signal } = options
  using world = openWorld(path)
  const { labels, websites } = narrowWorld(world, options.only)
  await using stage = await openWorldStage(world, {
    say: (step) => progress.say(step),
    // The engine of jobs needs a few besides one for each resolution under way.
    settings: { DATABASE_CONNECTIONS_MAX: String(concurrency + 4), ...options.settings },
  })
  const secondReader = options.openReader?.(stage.app) ?? null
  const domains = [...new Set(labels.map((label) => label.domain))]
  if (websites.length > 0) progress.say(`looking for the web sites of ${websites.length} companies by their names`)
  const guessed = await searchWebsites(stage.app, websites, options)
  const readerThreads = openReaderThreads({ data: options.withoutOwnCues ? { withoutCuesOf: world.name } : {} })
  progress.start(domains.length)
  const startedAt = performance.now()
  let sites: ResolvedSite[]
  try {
    sites = await resolveSites(domains, {
      resolve: (domain) => resolveDomain({ ...stage.app, readerThreads, secondReader }, domain),
      concurrency,
      signal,
      onSite: () => progress.advance(),
    })
  } finally {
    progress.stop()
    await readerThreads.close()
  }
  const seconds = (performance.now() - startedAt) / 1_000
  await storeAnswers(stage.app, sites)
  if (websites.length > 0) progress.say('looking again, with what is known now')
  const found = await searchWebsites(stage.app, websites, options)
  const score = scoreAnswers(sites.map(toAnswer), labels)
  progress.say('reading the names of the sites')
  const companies = await readCompanies(stage.app.db, { sites, labels, websites })
  const named = await readNamedWorld(stage.app.db, { folder: world.folder, sites, companies })
  const namings = new Map(score.scoredAnswers.map((scored) => [scored, classifyNaming(scored, named)]))
  const bySite = new Map(sites.map((site) => [site.domain, site]))
  return {
    world: world.name,
    only: options.only ?? null,
    cuesOff: options.withoutOwnCues ? listCuesOf(world.name) : null,
    ranAt: stage.app.clock.now(),
    companies: stage.companies,
    score,
    shapes: scoreShapes(score.scoredAnswers),
    namings,
    parts: scoreNamings(namings),
    largestGap: findLargestGap(sites),
    emptyQuotes: listEmptyQuotes(sites),
    heldOutError: measureHeldOutError(world.name, score.scoredAnswers, bySite),
    reverse: scoreWebsites(found, websites),
    guessed: scoreWebsites(guessed, websites.filter(isGuessable)),
    reader: secondReader && {
      ...scoreReader(secondReader.questions, score, labels),
      usage: await readCost(stage.app.db, domains.length),
      answered: secondReader instanceof LiveReader ? secondReader.answered : null,
    },
    questions: secondReader?.format() ?? '',
    folds: options.folds === undefined ? null : scoreFolds(score.scoredAnswers, options.folds),
    sites: bySite,
    companyNames: new Map([...companies].map(([number, { name }]) => [number, name])),
    seconds,
  }
}

/** A world marks companies whose domain cannot be guessed from their name. */
const isGuessable = ({ stratum }: Website) => stratum !== 'known_domain_only'

async function readCompanies(
  db: Db,
  named: { sites: ResolvedSite[]; labels: Label[]; websites: Website[] },
): Promise<Map<string, Company>> {
  const numbers = new Set([
    ...named.labels.flatMap((label) => label.companyNumbers),
    ...named.websites.map((website) => website.companyNumber),
    ...named.sites.flatMap((site) => toAnswer(site).candidates),
  ])
  const companies = await findCompanies(db, [...numbers])
  return new Map(companies.map((company) => [company.number, company]))
}
