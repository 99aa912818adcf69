/** A follower of the register as a process. Its parent says which companies change, in place of a stream. */
import { serveParent } from '../../../rig/child.ts'
import { openApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { openTypesetters } from '../../../src/evidence/index.ts'
import { applyCompanies } from '../../../src/register/apply-companies.ts'
import { findCompanies } from '../../../src/register/search/find-companies.ts'
import { openReaderThreads } from '../../../src/resolver/index.ts'
import { recordQueuedChanges } from '../../../src/signals/index.ts'

export interface ChangeQuestion {
  /** Each once. */
  companyNumbers: string[]
}

const SIC_CODES = ['31090', '62012']

const app = await openApp(loadConfig(process.env), {
  runsJobs: false,
  readerThreads: openReaderThreads(),
  typesetters: openTypesetters(),
})
let timepoint = 1_000_000

/** Every change is a new SIC code, which raises one signal. */
async function change({ companyNumbers }: ChangeQuestion): Promise<{ signals: number }> {
  timepoint += 1
  const companies = await findCompanies(app.db, companyNumbers)
  const incoming = companies.map((company) => ({
    facts: { ...company, sicCodes: SIC_CODES.filter((code) => !company.sicCodes.includes(code)).slice(0, 1) },
    rowHash: null,
    timepoint,
  }))
  const options = { source: 'stream', reference: String(timepoint), at: app.clock.now(), isStale: () => false } as const
  await app.db.transaction((tx) => applyCompanies(tx, incoming, options))
  return { signals: await recordQueuedChanges(app) }
}

serveParent('ready', change)
