/** A day of the accounts data product: one zip with a file for each filing of accounts. */
import { randomOf } from '../random.ts'
import { type AccountsFigures, type AccountsFiling, STYLE_COUNT, writeAccounts } from './accounts-document.ts'
import { type ZippedFile, zipFiles } from './zip.ts'

const KINDS = { micro: 46, dormant: 8, small: 45, full: 1 } as const
const FORMS = { ixbrl: 97, xbrl: 2, cic: 1 } as const

/** Draws a filing; the same seed and index always give the same one. */
export function drawFiling(seed: number, index: number): AccountsFiling {
  const random = randomOf(seed, index)
  const kind = random.pickByWeight(KINDS)
  const month = 1 + random.below(12)
  const lastDay = new Date(Date.UTC(2025, month, 0)).toISOString().slice(0, 10)
  const draw = (size: number) => Math.round(size * (0.2 + random.next()))
  const year = (): AccountsFigures => {
    if (kind === 'dormant')
      return { employees: 0, net_assets: 1, current_assets: 1, creditors: null, cash: null, turnover: null }
    // Full accounts are of larger companies, in thousands.
    const scale = kind === 'full' ? 1_000 : 1
    const currentAssets = draw(kind === 'full' ? 9_000 : 60_000) * scale
    const creditors = draw(kind === 'full' ? 5_000 : 40_000) * scale
    return {
      employees: random.isTrue(0.84) ? random.below(kind === 'full' ? 300 : 12) : null,
      net_assets: currentAssets - creditors,
      current_assets: currentAssets,
      creditors,
      cash: kind !== 'micro' && random.isTrue(0.7) ? draw(kind === 'full' ? 2_000 : 20_000) * scale : null,
      turnover: kind === 'full' ? draw(40_000) * scale : null,
    }
  }
  return {
    number: String(1_000_000 + index).padStart(8, '0'),
    name: `SIMULATED & COMPANY ${index} LIMITED`,
    kind,
    form: random.pickByWeight(FORMS),
    madeUpTo: lastDay,
    current: year(),
    prior: year(),
    style: random.below(STYLE_COUNT),
    notes: kind === 'full' ? 200 : 60 + random.below(120),
  }
}

/** Returns the file of a filing, under the name that the register gives it. */
export function toAccountsFile(filing: AccountsFiling): ZippedFile {
  const stem = `Prod223_3456_${filing.number}_${filing.madeUpTo.replaceAll('-', '')}`
  const bytes = Buffer.from(writeAccounts(filing))
  if (filing.form !== 'cic') return { name: `${stem}.${filing.form === 'xbrl' ? 'xml' : 'html'}`, bytes }
  const report = Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"><body><p>CIC 34</p></body></html>')
  const files = [
    { name: 'cic34/cicReport.xhtml', bytes: report },
    { name: 'accounts/financialStatement.xhtml', bytes },
  ]
  return { name: `${stem}_CIC.zip`, bytes: Buffer.concat([...zipFiles(PUBLISHED_AT, files)]) }
}

const PUBLISHED_AT = new Date('2026-02-10T06:00:00Z')

/** Yields the zip of a day, piece by piece. */
export function writeAccountsDay(files: Iterable<ZippedFile>): Generator<Buffer> {
  return zipFiles(PUBLISHED_AT, files)
}

/** Yields the files of drawn filings. */
export function* drawAccountsFiles(seed: number, count: number): Generator<ZippedFile> {
  for (let index = 0; index < count; index += 1) yield toAccountsFile(drawFiling(seed, index))
}
