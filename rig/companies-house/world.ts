/** Loads the register of a world folder: `register.csv`, and the details of some companies in `companies.jsonl`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadField, readSicTexts, type SicTexts, toCompany } from './bulk-row.ts'
import type { Company } from './company.ts'
import { parseCsv } from './csv.ts'
import type { Charge, Insolvency, Officer, Psc } from './resources.ts'

export interface World {
  companies: Company[]
  sicTexts: SicTexts
}

interface Details {
  company_number: string
  officers?: Officer[]
  charges?: Charge[]
  insolvency?: Insolvency | null
  persons_with_significant_control?: Psc[]
}

export function loadWorld(directory: string, today: string): World {
  const details = readDetails(join(directory, 'companies.jsonl'))
  const sicTexts = new Map<string, string>()
  const companies: Company[] = []
  for (const read of readRows(join(directory, 'register.csv'))) {
    for (const text of readSicTexts(read)) sicTexts.set(text.split(' - ')[0] ?? '', text)
    const company = toCompany(read, today)
    const known = details.get(company.number)
    if (known) addDetails(company, known)
    companies.push(company)
  }
  return { companies, sicTexts }
}

function* readRows(path: string): Generator<ReadField> {
  const [header = [], ...rows] = parseCsv(readFileSync(path, 'utf8'))
  const columns = new Map(header.map((name, index) => [name.trim(), index]))
  for (const row of rows) {
    if (row.length !== header.length) throw new Error(`${path}: a row has ${row.length} fields, not ${header.length}`)
    yield (column) => row[columns.get(column) ?? -1] ?? ''
  }
}

function readDetails(path: string): Map<string, Details> {
  if (!existsSync(path)) return new Map()
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const details = lines.map((line) => JSON.parse(line) as Details)
  return new Map(details.map((each) => [each.company_number, each]))
}

/** Described charges replace those that the row only counts, so that both sides of the register agree. */
function addDetails(company: Company, details: Details): void {
  company.officers = details.officers ?? []
  company.pscs = details.persons_with_significant_control ?? []
  if (details.charges) {
    company.charges = details.charges
    company.undescribedCharges = { outstanding: 0, partSatisfied: 0, satisfied: 0 }
  }
  company.insolvency = details.insolvency ?? null
}
