/**
 * Real names with their postcodes, as people type them into lists, against a register that has nine in ten of their
 * companies, among N generated ones. For each way to type: how often the company meant comes first, how many rows are
 * matched without a person, and how many of these are another company. For a company that is not on the register every
 * match is wrong.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCsvLine, parseCsv } from '../../rig/companies-house/csv.ts'
import { randomOf } from '../../rig/random.ts'
import { openStage } from '../../rig/stage.ts'
import { round, spread } from '../../rig/statistics.ts'
import { syntheticRows } from '../../rig/synthetic-register/rows.ts'
import type { Database } from '../../src/lib/db/db.ts'
import { matchByName, NAME_ROWS_MAX, type NameMatch, type NameRow } from '../../src/reconcile/index.ts'
import { importSnapshot, openSnapshotFile, silentProgress } from '../../src/register/index.ts'
import type { RunOptions } from '../../tools/named-runs.ts'
import { SLIPS, type Slip, typeAbbreviated, typeWithoutEnding, typeWithSlip } from './names/typed-names.ts'

const NAMES_DEFAULT = 3_000
const NAMES_SHORT = 300
/** One company in ten is left out of the register. */
const LEFT_OUT_EVERY = 10
const WRONG_SHOWN_MAX = 12

const RIGHT_FIRST_MIN = 0.99
const TYPO_RIGHT_FIRST_MIN = 0.95
const WRONG_SHARE_MAX = 0.001

interface Real {
  index: number
  number: string
  name: string
  postcode: string
  isLeftOut: boolean
}

interface Asked extends NameRow {
  kind: string
  meant: Real
}

export async function benchNames(options: RunOptions): Promise<Record<string, unknown>> {
  const path = options.real
  if (path === undefined) throw new Error('Give the companies as --real <csv>, in the layout of Basic Company Data.')
  const [header = [], ...lines] = parseCsv(readFileSync(path, 'utf8'))
  const companies = readCompanies(header, lines)
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  const registerPath = join(folder, 'register.csv')
  writeFileSync(registerPath, writeRegister({ header, lines, companies }, options.rows ?? 0))
  await using stage = await openStage()
  const file = await openSnapshotFile(registerPath, () => Promise.reject(new Error('the file is local')))
  options.say('importing the register')
  const { added } = await importSnapshot(stage.app, file, silentProgress)
  await file.close()
  rmSync(folder, { recursive: true })
  const asked = listAsked(spread(companies, options.short ? NAMES_SHORT : NAMES_DEFAULT), companies, options.seed)
  return { companies: added, ...(await measure(stage.app.db, asked, options)) }
}

function readCompanies(header: readonly string[], lines: ReadonlyArray<readonly string[]>): Real[] {
  const columns = header.map((name) => name.trim())
  const at = ['CompanyName', 'CompanyNumber', 'RegAddress.PostCode'].map((name) => columns.indexOf(name))
  return lines.map((line, index) => {
    const [name = '', number = '', postcode = ''] = at.map((column) => line[column]?.trim() ?? '')
    return { index, name, number, postcode, isLeftOut: index % LEFT_OUT_EVERY === 0 }
  })
}

/** The real companies but for those left out, and generated ones with other numbers. */
function writeRegister(
  { header, lines, companies }: { header: string[]; lines: string[][]; companies: readonly Real[] },
  generated: number,
): string {
  const numbers = new Set(companies.map(({ number }) => number))
  const real = lines.filter((_, index) => !companies[index]?.isLeftOut).map(formatCsvLine)
  const others = syntheticRows(generated)
    .map((line) => line.trimEnd())
    .filter((line) => !numbers.has(line.split('","', 2)[1] ?? ''))
  return [formatCsvLine(header), ...real, ...others, ''].join('\n')
}

/** Every company with a postcode, typed in every way. */
function listAsked(chosen: readonly Real[], all: readonly Real[], seed: number): Asked[] {
  return chosen
    .filter(({ name, postcode }) => name !== '' && postcode !== '')
    .flatMap((meant) => {
      const random = randomOf(seed, meant.index)
      const other = random.pick(all).postcode
      const ask = (kind: string, name: string | null, postcode: string | null = meant.postcode): Asked[] =>
        name === null
          ? []
          : [
              {
                kind,
                name,
                postcode: postcode === meant.postcode && kind.startsWith('other') ? null : postcode,
                number: null,
                meant,
              },
            ]
      const [full, bare] = [meant.name, typeWithoutEnding(meant.name)]
      const slips = (Object.keys(SLIPS) as Slip[]).map((slip) => [slip, typeWithSlip(full, slip, random)] as const)
      return [
        ...ask('as_registered', full),
        ...ask('abbreviated', typeAbbreviated(full)),
        ...ask('no_ending', bare),
        ...slips.flatMap(([slip, typed]) => ask(`slip_${slip}`, typed)),
        ...ask('no_postcode', full, null),
        ...ask('no_postcode_no_ending', bare, null),
        ...ask('other_postcode', full, other),
        ...ask('other_postcode_no_ending', bare, other),
        ...ask('other_postcode_slip', slips[0]?.[1] ?? null, other),
      ]
    })
}

async function measure(db: Database, asked: readonly Asked[], options: RunOptions): Promise<Record<string, unknown>> {
  const answered: Array<Asked & { match: NameMatch }> = []
  const kinds = Map.groupBy(asked, ({ kind }) => kind)
  const perSecond: Record<string, number> = {}
  for (const [kind, rows] of kinds) {
    const startedAt = performance.now()
    for (let from = 0; from < rows.length; from += NAME_ROWS_MAX) {
      const batch = rows.slice(from, from + NAME_ROWS_MAX)
      const matches = await matchByName(db, batch)
      for (const [index, match] of matches.entries()) answered.push({ ...(batch[index] as Asked), match })
    }
    perSecond[kind] = Math.round(rows.length / ((performance.now() - startedAt) / 1_000))
    options.say(`${kind}: ${rows.length} rows, ${perSecond[kind]} a second`)
  }
  const [present, absent] = [
    answered.filter((one) => !one.meant.isLeftOut),
    answered.filter((one) => one.meant.isLeftOut),
  ]
  const of = (rows: typeof answered, kind: RegExp) => rows.filter((one) => kind.test(one.kind))
  const WITH_POSTCODE = /^(as_registered|abbreviated|no_ending|slip_)/
  const right = rightFirst(of(present, /^(as_registered|abbreviated|no_ending)$/))
  const typos = rightFirst(of(present, /^slip_/))
  const wrong = wrongShare(of(answered, WITH_POSTCODE))
  return {
    asked: answered.length,
    right_first: right,
    typo_right_first: typos,
    wrong_share: wrong,
    rows_per_second: Math.round(
      answered.length /
        Object.entries(perSecond).reduce((sum, [kind, rate]) => sum + (kinds.get(kind)?.length ?? 0) / rate, 0),
    ),
    kinds: Object.fromEntries(
      [...kinds.keys()].map((kind) => [
        kind,
        { ...describe(of(present, new RegExp(`^${kind}$`))), rows_per_second: perSecond[kind] },
      ]),
    ),
    not_on_register: Object.fromEntries(
      [...kinds.keys()].map((kind) => [kind, describe(of(absent, new RegExp(`^${kind}$`)))]),
    ),
    wrong: answered
      .filter(isWrong)
      .slice(0, WRONG_SHOWN_MAX)
      .map(
        ({ kind, name, postcode, match }) =>
          `${kind}: ${name}, ${postcode} → ${match.candidates[0]?.name}, ${match.candidates[0]?.postcode}`,
      ),
    ok: right >= RIGHT_FIRST_MIN && typos >= TYPO_RIGHT_FIRST_MIN && wrong <= WRONG_SHARE_MAX,
  }
}

function isWrong({ meant, match }: { meant: Real; match: NameMatch }): boolean {
  return match.verdict === 'matched' && (meant.isLeftOut || match.companyNumber !== meant.number)
}

type Answered = Asked & { match: NameMatch }

function describe(rows: readonly Answered[]): Record<string, unknown> {
  return {
    asked: rows.length,
    right_first: rightFirst(rows),
    matched: share(rows.filter(({ match }) => match.verdict === 'matched').length, rows.length),
    to_review: share(rows.filter(({ match }) => match.verdict === 'needs_review').length, rows.length),
    matched_wrongly: rows.filter(isWrong).length,
    wrong_share: wrongShare(rows),
  }
}

function rightFirst(rows: readonly Answered[]): number {
  return share(rows.filter(({ meant, match }) => match.candidates[0]?.number === meant.number).length, rows.length)
}

function wrongShare(rows: readonly Answered[]): number {
  return share(rows.filter(isWrong).length, rows.length, 5)
}

function share(part: number, whole: number, digits = 4): number {
  return round(part / Math.max(1, whole), digits)
}
