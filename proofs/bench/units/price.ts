/** The price of a million domains of a list, by what is done with them. */
import { markdownTable } from '../../../rig/statistics.ts'
import { ASSUMED } from './plan.ts'
import type { UnitCosts } from './unit-costs.ts'

const DOMAINS = 1_000_000
const MONTH_SECONDS = 30 * 86_400

/** May be added to reading by the rules. */
export interface Extras {
  secondReader: boolean
  renderer: boolean
  archive: boolean
}

/** Returns € for a million domains read once, of which the answers are kept for a number of months. */
export function priceMillion(costs: UnitCosts, extras: Extras) {
  const assumed = (name: keyof typeof ASSUMED): number => ASSUMED[name].value
  const [sites, parked] = [DOMAINS * assumed('listSiteShare'), DOMAINS * assumed('listParkedShare')]
  const siteMs = costs.resolution.workerCpuMs * assumed('siteCpuFactor') + costs.resolution.databaseCpuMs
  const parkedMs = (costs.resolution.workerCpuMs + costs.resolution.databaseCpuMs) * assumed('parkedCpuShare')
  const toEuros = (cpuMs: number) => ((cpuMs / 1_000) * assumed('coreEuros')) / (MONTH_SECONDS * assumed('busyShare'))
  const reading = toEuros(sites * siteMs + parked * parkedMs + (DOMAINS - sites - parked) * assumed('deadCpuMs'))

  const question =
    assumed('readerInputTokens') * assumed('readerInputEuros') +
    assumed('readerOutputTokens') * assumed('readerOutputEuros')
  const secondReader = extras.secondReader ? (sites * assumed('readerAskedShare') * question) / 1e6 : 0
  const pages = sites * assumed('renderedShare') * assumed('renderedPages')
  const renderer = extras.renderer ? toEuros(pages * assumed('renderCpuMs')) : 0
  return { reading, secondReader, renderer, ...priceStored(costs, extras) }
}

/** The readings for a month in their crawl databases, and the answers for as long as they are kept. */
function priceStored(costs: UnitCosts, { archive }: Extras): { readings: number; answers: number } {
  const assumed = (name: keyof typeof ASSUMED): number => ASSUMED[name].value
  const readings = ((DOMAINS * assumed('storeBytes')) / 1e12) * assumed('terabyteEuros')
  const terabytes = (DOMAINS * assumed('listClaimShare') * costs.resolution.bytes) / 1e12
  const months = assumed('answersKept')
  const monthsHot = archive ? Math.min(months, assumed('archiveAfterMonths')) : months
  const hot = terabytes * monthsHot * assumed('terabyteEuros') * assumed('copies')
  const cold = terabytes * assumed('archivedShare') * (months - monthsHot) * assumed('coldTerabyteEuros')
  return { readings, answers: hot + cold }
}

const NONE: Extras = { secondReader: false, renderer: false, archive: false }
const COLUMNS: ReadonlyArray<{ name: string; extras: Extras }> = [
  { name: 'rules alone', extras: NONE },
  { name: 'with archive', extras: { ...NONE, archive: true } },
  { name: 'with second reader', extras: { ...NONE, secondReader: true } },
  { name: 'with renderer', extras: { ...NONE, renderer: true } },
  { name: 'with all', extras: { secondReader: true, renderer: true, archive: true } },
]

export function renderPrices(costs: UnitCosts): string {
  const prices = COLUMNS.map(({ extras }) => priceMillion(costs, extras))
  const row = (says: string, valueOf: (price: (typeof prices)[number]) => number) => [
    says,
    ...prices.map((price) => valueOf(price).toFixed(2)),
  ]
  const total = (price: (typeof prices)[number]) => Object.values(price).reduce((sum, euros) => sum + euros, 0)
  return markdownTable(
    ['€ for a million domains read', ...COLUMNS.map(({ name }) => name)],
    [
      row('reading: workers and databases', ({ reading }) => reading),
      row('questions to a second reader', ({ secondReader }) => secondReader),
      row('rendering', ({ renderer }) => renderer),
      row('readings in crawl databases, a month', ({ readings }) => readings),
      row('answers that claim a company, while they are kept', ({ answers }) => answers),
      row('in all', total),
    ],
  )
}
