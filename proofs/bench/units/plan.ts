/** Arithmetic from the cost of one of each thing to machines, disks and money, with its assumptions. */
import type { UnitCosts } from './unit-costs.ts'

export interface Load {
  name: string
  /** Read again every month. */
  domains: number
  accounts: number
  companies: number
}

export const LOADS: readonly Load[] = [
  { name: 'a tenth of .uk', domains: 1_100_000, accounts: 1_000, companies: 5_700_000 },
  { name: 'all of .uk', domains: 11_000_000, accounts: 10_000, companies: 5_700_000 },
  { name: 'ten times .uk', domains: 110_000_000, accounts: 100_000, companies: 16_000_000 },
  { name: 'every domain', domains: 360_000_000, accounts: 100_000, companies: 16_000_000 },
]

/** Assumed, not measured. Each line is in docs/scale.md with its value. */
export const ASSUMED = {
  filingsPerDay: { value: 94_000, says: 'filings a day, each of which becomes a signal' },
  lookupsPerAccountDay: { value: 400, says: 'repeated look-ups an account makes in a day' },
  chargesPerAccountDay: { value: 10, says: 'answers an account pays for in a day' },
  searchesPerAccountDay: { value: 90, says: 'searches an account makes in a day' },
  watchesPerAccount: { value: 100, says: 'companies an account watches' },
  newWatchesPerAccountDay: { value: 1, says: 'companies an account adds in a day' },
  destinationsPerAccount: { value: 0.3, says: 'webhook destinations an account has' },
  peakOverMean: { value: 3.5, says: 'the busiest second over the mean, for what customers ask' },
  busyShare: { value: 0.5, says: 'of a core that may be busy; the rest is for peaks and for a machine that is lost' },
  claimingShareMax: { value: 0.25, says: 'of a list’s domains that claim a company, at most' },
  claimsPerCompany: { value: 0.5, says: 'domains that claim each company of the register, at most' },
  storeCpuMs: { value: 4.7, says: 'ms of its crawl database for a domain of a list: see sweep' },
  storeBytes: { value: 2_000, says: 'bytes in its crawl database for a domain of a list: see sweep' },
  lookCpuMs: { value: 3.8, says: 'ms of the main database for a domain of a list that claims no company: see sweep' },
  siteCpuFactor: { value: 3, says: 'CPU to read a real site over that of a simulated one, whose pages are shorter' },
  siteBytes: { value: 300_000, says: 'bytes a real site sends for one reading: ten pages, compressed' },
  siteSeconds: { value: 10, says: 'seconds a real site takes; 20 is the most the crawl allows itself' },
  dnsPerSite: { value: 6, says: 'name queries a reading makes: three names, two record types' },
  searchGrowth: { value: 2, says: 'CPU of a search over the whole register against one over 300,000 companies' },
  walGrowth: { value: 10, says: 'WAL of a write in large tables over that in small ones: see growth' },
  answersKept: {
    value: 36,
    says: 'answers kept of each domain that claims a company: three years of monthly readings',
  },
  archiveAfterMonths: { value: 13, says: 'months after which an answer becomes part of a file' },
  archivedShare: {
    value: 0.1,
    says: 'of its bytes in the database that an answer takes in a file; 0.06 for simulated ones, which are more alike',
  },
  bytesPerCompany: { value: 1_500, says: 'bytes a company takes in the register and its search' },
  deliveryDaysKept: { value: 30, says: 'days that deliveries are kept' },
  machineCores: {
    value: 16,
    says: 'cores of a machine; at least two machines serve and work, with two cores each at least',
  },
  coreEuros: { value: 12, says: '€ a core with 4 GB costs in a month' },
  terabyteEuros: { value: 80, says: '€ a terabyte of fast disk costs in a month' },
  coldTerabyteEuros: { value: 6, says: '€ a terabyte of object storage costs in a month' },
  listSiteShare: { value: 0.18, says: 'of a list of all names ever seen that have a site: see sweep' },
  listParkedShare: { value: 0.2, says: 'of such a list that are parked' },
  parkedCpuShare: {
    value: 0.3,
    says: 'CPU for a parked page over that for a simulated site: two requests instead of 6.6',
  },
  deadCpuMs: { value: 2.7, says: 'ms of CPU of workers and databases for a name that does not exist: see sweep' },
  listClaimShare: { value: 0.03, says: 'of such a list that claim a company' },
  readerAskedShare: {
    value: 0.25,
    says: 'of sites about which a second reader is asked: 304 of 1,297 are open in exam-1, and some matches',
  },
  readerInputTokens: { value: 2_500, says: 'tokens of a question: 6,000 characters at most, and the instructions' },
  readerOutputTokens: { value: 100, says: 'tokens of its answer: 220 to 300 characters in exam-1' },
  readerInputEuros: { value: 0.15, says: '€ a million tokens of questions cost: a small hosted model' },
  readerOutputEuros: { value: 0.6, says: '€ a million tokens of answers cost' },
  renderedShare: { value: 0.1, says: 'of sites that scripts draw and a renderer would read; Nameplate has none' },
  renderedPages: { value: 4, says: 'pages that it would render of each' },
  renderCpuMs: { value: 1_600, says: 'ms of CPU for a page in headless Chromium, drawn by a short script' },
  copies: { value: 3, says: 'copies of the database: the primary, a standby, a replica to read from' },
} as const satisfies Record<string, { value: number; says: string }>

const DAY_SECONDS = 86_400
const MONTH_SECONDS = 30 * DAY_SECONDS
/** One may be lost. */
const MACHINES_MIN = 2
const PAGE_BYTES = 8_192
/** 600 in five minutes; a company that is watched takes five. */
const REST_COMPANIES_PER_DAY = ((600 / 300) * DAY_SECONDS) / 5

export function planFor(load: Load, costs: UnitCosts) {
  const assumed = (name: keyof typeof ASSUMED): number => ASSUMED[name].value
  const perAccount = (name: keyof typeof ASSUMED) => (load.accounts * assumed(name)) / DAY_SECONDS
  const watchers = (load.accounts * assumed('watchesPerAccount')) / load.companies
  const signals = assumed('filingsPerDay') / DAY_SECONDS
  const deliveries = signals * watchers * assumed('destinationsPerAccount')
  const crawls = load.domains / MONTH_SECONDS
  const asked = {
    lookup: perAccount('lookupsPerAccountDay'),
    charge: perAccount('chargesPerAccountDay'),
    search: perAccount('searchesPerAccountDay'),
    watch: perAccount('newWatchesPerAccountDay'),
  }
  const peak = assumed('peakOverMean')
  const names = Object.keys(asked) as Array<keyof typeof asked>
  const sumAsked = (valueOf: (name: keyof typeof asked) => number) =>
    names.reduce((sum, name) => sum + asked[name] * valueOf(name), 0)
  const searchFactor = (name: keyof typeof asked) => (name === 'search' ? assumed('searchGrowth') : 1)
  const signalled = (figure: 'workerCpuMs' | 'databaseCpuMs' | 'walBytes') =>
    signals * costs.signal[figure] + deliveries * costs.delivery[figure]
  const toCores = (msPerSecond: number) => msPerSecond / 1_000 / assumed('busyShare')

  const workerCores = toCores(
    crawls * costs.resolution.workerCpuMs * assumed('siteCpuFactor') + signalled('workerCpuMs'),
  )
  const apiCores = toCores(peak * sumAsked((name) => costs[name].apiCpuMs))
  // A reading that claims a company is an answer of the main database; all others stay in the crawl databases.
  const claimingShare = shareOfClaims(load)
  const claims = crawls * claimingShare
  const databaseCores = toCores(
    claims * costs.resolution.databaseCpuMs +
      (crawls - claims) * assumed('lookCpuMs') +
      peak * sumAsked((name) => costs[name].databaseCpuMs * searchFactor(name)) +
      signalled('databaseCpuMs'),
  )
  const walBytes =
    assumed('walGrowth') *
    (claims * costs.resolution.walBytes + peak * sumAsked((name) => costs[name].walBytes) + signalled('walBytes'))
  const serviceCores = Math.max(2 * MACHINES_MIN, workerCores + apiCores)
  const perDatabase = Math.max(2, databaseCores)
  // One copy: a store that is lost costs readings and no money.
  const crawlDatabaseCores = toCores(crawls * assumed('storeCpuMs'))
  const answerBytes = load.domains * claimingShare * costs.resolution.bytes
  const monthsHot = Math.min(assumed('answersKept'), assumed('archiveAfterMonths'))
  const hotBytes =
    answerBytes * monthsHot +
    load.companies * assumed('bytesPerCompany') +
    365 * DAY_SECONDS * (asked.charge * costs.charge.bytes + signals * costs.signal.bytes) +
    load.accounts * assumed('watchesPerAccount') * costs.watch.bytes +
    assumed('deliveryDaysKept') * DAY_SECONDS * deliveries * costs.delivery.bytes
  const coldBytes = answerBytes * assumed('archivedShare') * (assumed('answersKept') - monthsHot)
  const crawlBytes = load.domains * assumed('storeBytes')
  const [hotTerabytes, coldTerabytes, crawlTerabytes] = [hotBytes / 1e12, coldBytes / 1e12, crawlBytes / 1e12]
  return {
    crawlsPerSecond: crawls,
    sitesInFlight: crawls * assumed('siteSeconds'),
    dnsPerSecond: crawls * assumed('dnsPerSite'),
    requestsPerSecond: peak * sumAsked(() => 1),
    workerCores,
    apiCores,
    databaseCores,
    crawlDatabaseCores,
    machines:
      Math.max(MACHINES_MIN, Math.ceil(serviceCores / assumed('machineCores'))) +
      Math.ceil(crawlDatabaseCores / assumed('machineCores')) +
      assumed('copies') * Math.ceil(perDatabase / assumed('machineCores')),
    walMegabytesPerSecond: walBytes / 1e6,
    // The log, and later the pages it changed.
    writesPerSecond: (2 * walBytes) / PAGE_BYTES,
    webMegabitsPerSecond: (crawls * assumed('siteBytes') * 8) / 1e6,
    hotTerabytes,
    crawlTerabytes,
    coldTerabytes,
    // Until every watched company was read once.
    baselineDays: Math.min(load.accounts * assumed('watchesPerAccount'), load.companies) / REST_COMPANIES_PER_DAY,
    eurosPerMonth:
      (serviceCores + crawlDatabaseCores + perDatabase * assumed('copies')) * assumed('coreEuros') +
      (hotTerabytes * assumed('copies') + crawlTerabytes) * assumed('terabyteEuros') +
      coldTerabytes * assumed('coldTerabyteEuros'),
  }
}

/** Companies are few beside all domains of the world, and many beside a tenth of .uk. */
export function shareOfClaims({ domains, companies }: Pick<Load, 'domains' | 'companies'>): number {
  return Math.min(ASSUMED.claimingShareMax.value, (companies * ASSUMED.claimsPerCompany.value) / domains)
}

const ROWS: ReadonlyArray<{ figure: keyof ReturnType<typeof planFor>; says: string }> = [
  { figure: 'crawlsPerSecond', says: 'sites read a second' },
  { figure: 'sitesInFlight', says: 'sites being read at any moment' },
  { figure: 'dnsPerSecond', says: 'name queries a second' },
  { figure: 'webMegabitsPerSecond', says: 'received from the web, Mbit/s' },
  { figure: 'requestsPerSecond', says: 'requests a second at the peak' },
  { figure: 'workerCores', says: 'cores for workers' },
  { figure: 'apiCores', says: 'cores for the API' },
  { figure: 'databaseCores', says: 'cores for the main PostgreSQL' },
  { figure: 'crawlDatabaseCores', says: 'cores for crawl databases' },
  { figure: 'machines', says: 'machines, those of PostgreSQL’s copies included' },
  { figure: 'walMegabytesPerSecond', says: 'WAL of the main database, MB/s at the peak' },
  { figure: 'writesPerSecond', says: 'disk writes of a page a second' },
  { figure: 'hotTerabytes', says: 'stored where it is asked for, TB' },
  { figure: 'crawlTerabytes', says: 'readings in crawl databases, TB' },
  { figure: 'coldTerabytes', says: 'older answers in files, TB' },
  { figure: 'baselineDays', says: 'days until all watched companies were read once from the register' },
  { figure: 'eurosPerMonth', says: '€ a month' },
]

export function renderPlan(costs: UnitCosts): string {
  const needs = LOADS.map((load) => planFor(load, costs))
  const given = [
    ['domains, read every month', LOADS.map(({ domains }) => domains)],
    ['accounts', LOADS.map(({ accounts }) => accounts)],
    ['companies', LOADS.map(({ companies }) => companies)],
  ] as const
  return [
    `| | ${LOADS.map(({ name }) => name).join(' | ')} |`,
    `| --- | ${LOADS.map(() => '---:').join(' | ')} |`,
    ...given.map(([says, values]) => `| ${says} | ${values.map(twoDigits).join(' | ')} |`),
    ...ROWS.map(({ figure, says }) => `| ${says} | ${needs.map((need) => twoDigits(need[figure])).join(' | ')} |`),
  ].join('\n')
}

export function renderAssumptions(): string {
  const lines = Object.values(ASSUMED).map(({ value, says }) => `| ${value.toLocaleString('en-GB')} | ${says} |`)
  return ['| Assumed | |', '| ---: | --- |', ...lines].join('\n')
}

/** More digits would promise what an assumption cannot keep. */
function twoDigits(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-GB', { maximumFractionDigits: 3 })
}
