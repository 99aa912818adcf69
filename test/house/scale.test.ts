/** docs/scale.md says what was measured and what follows from it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_USE } from '../../proofs/bench/units/meter.ts'
import { ASSUMED, LOADS, planFor, renderAssumptions, renderPlan } from '../../proofs/bench/units/plan.ts'
import { priceMillion, renderPrices } from '../../proofs/bench/units/price.ts'
import { findPart, readScalePage } from '../../proofs/bench/units/scale-page.ts'
import { parseUnits, renderUnits, UNITS, type UnitCosts } from '../../proofs/bench/units/unit-costs.ts'
import { metrics } from '../../src/lib/metrics.ts'

const RECORD = join(import.meta.dirname, '../../docs/proof/units.json')
const FREE = Object.fromEntries(Object.keys(UNITS).map((name) => [name, NO_USE])) as UnitCosts
const [small, large] = [LOADS[0], LOADS[3]].map((load) => load ?? { name: '', domains: 0, accounts: 0, companies: 0 })

test('its plan follows from its table of unit costs, and its assumptions are those of the arithmetic', () => {
  const page = readScalePage()
  expect(findPart(page, 'plan')).toBe(renderPlan(parseUnits(findPart(page, 'units'))))
  expect(findPart(page, 'prices')).toBe(renderPrices(parseUnits(findPart(page, 'units'))))
  expect(findPart(page, 'assumptions')).toBe(renderAssumptions())
})

test.runIf(existsSync(RECORD))(
  'its unit costs are the recorded ones (npm run bench -- units --record writes both)',
  () => {
    const { details } = JSON.parse(readFileSync(RECORD, 'utf8')) as { details: string }
    expect(findPart(readScalePage(), 'units')).toBe(details.trim())
  },
)

test('a table of unit costs is read as it was written', () => {
  const costs = { ...FREE, signal: { ...NO_USE, workerCpuMs: 1.25, bytes: 12_345 } }
  expect(parseUnits(renderUnits(costs))).toEqual(costs)
})

test('what costs nothing needs no cores but those of lists, and still a register on a disk', () => {
  const need = planFor(large as (typeof LOADS)[number], FREE)
  expect(need).toMatchObject({ workerCores: 0, apiCores: 0, walMegabytesPerSecond: 0 })
  const unclaimed = need.crawlsPerSecond * (1 - 8 / 360)
  expect(need.databaseCores).toBeCloseTo((unclaimed * ASSUMED.lookCpuMs.value) / 1_000 / ASSUMED.busyShare.value, 6)
  expect(need.crawlsPerSecond).toBeCloseTo(139, 0)
  expect(need.hotTerabytes).toBeCloseTo((16_000_000 * ASSUMED.bytesPerCompany.value) / 1e12, 6)
})

test('a second of CPU for each site is a core for each site a second, when half of it may be busy and real sites are larger', () => {
  const costs = { ...FREE, resolution: { ...NO_USE, workerCpuMs: 1_000 } }
  const { workerCores, crawlsPerSecond } = planFor(small as (typeof LOADS)[number], costs)
  const factor = ASSUMED.siteCpuFactor.value / ASSUMED.busyShare.value
  expect(workerCores).toBeCloseTo(crawlsPerSecond * factor, 6)
})

test('answers that claim a company are hot until the archive takes them, and readings of all domains are in crawl databases', () => {
  const costs = { ...FREE, resolution: { ...NO_USE, bytes: 1_000 } }
  const load = { name: '', domains: 1_000_000, accounts: 0, companies: 100_000 }
  const { hotTerabytes, coldTerabytes, crawlTerabytes } = planFor(load, costs)
  const claims = load.companies * ASSUMED.claimsPerCompany.value
  const registerBytes = load.companies * ASSUMED.bytesPerCompany.value
  expect(hotTerabytes * 1e12).toBeCloseTo(claims * 1_000 * 13 + registerBytes, 0)
  expect(coldTerabytes * 1e12).toBeCloseTo(claims * 1_000 * (36 - 13) * ASSUMED.archivedShare.value, 0)
  expect(crawlTerabytes * 1e12).toBeCloseTo(1_000_000 * ASSUMED.storeBytes.value, 0)
})

test('the price of a million domains is the sum of CPU, questions, pages and bytes', () => {
  const none = { secondReader: false, renderer: false, archive: false }
  // Half of a core for a month is 1,296,000 seconds for 12 €.
  const secondEuros = 12 / 1_296_000
  const free = priceMillion(FREE, none)
  expect(free.reading).toBeCloseTo(620_000 * 0.0027 * secondEuros, 6)
  expect(free).toMatchObject({ secondReader: 0, renderer: 0, answers: 0 })
  const read = priceMillion(FREE, { ...none, secondReader: true, renderer: true })
  expect(read.secondReader).toBeCloseTo((45_000 * (2_500 * 0.15 + 100 * 0.6)) / 1e6, 6)
  expect(read.renderer).toBeCloseTo(72_000 * 1.6 * secondEuros, 6)
  const costs = { ...FREE, resolution: { ...NO_USE, bytes: 10_000 } }
  const [kept, archived] = [none, { ...none, archive: true }].map((extras) => priceMillion(costs, extras).answers)
  const terabytes = (30_000 * 10_000) / 1e12
  expect(kept).toBeCloseTo(terabytes * 36 * 240, 6)
  expect(archived).toBeCloseTo(terabytes * (13 * 240 + 23 * ASSUMED.archivedShare.value * 6), 6)
})

test('every metric that it waits for is one that the service tells', () => {
  const named = [...readScalePage().matchAll(/`((?:nameplate|nodejs|process)_[a-z0-9_]+)/g)].map(([, name]) => name)
  expect(new Set(named).difference(new Set(metrics.getMetricsAsArray().map(({ name }) => name)))).toEqual(new Set())
})
