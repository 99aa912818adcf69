/** Real names and addresses from a file in the Basic Company Data layout, to mix into a made-up register. */
import { readFileSync } from 'node:fs'
import { parseCsv } from '../companies-house/csv.ts'

export interface NamedCompany {
  name: string
  line1: string
  town: string
  county: string
  postcode: string
}

export function readRealCompanies(csvPath: string): NamedCompany[] {
  const [header = [], ...rows] = parseCsv(readFileSync(csvPath, 'utf8'))
  const columns = header.map((name) => name.trim())
  const at = (row: readonly string[], column: string) => row[columns.indexOf(column)] ?? ''
  const companies = rows.map((row) => ({
    name: at(row, 'CompanyName'),
    line1: at(row, 'RegAddress.AddressLine1'),
    town: at(row, 'RegAddress.PostTown'),
    county: at(row, 'RegAddress.County'),
    postcode: at(row, 'RegAddress.PostCode'),
  }))
  return companies.filter(({ name }) => name !== '')
}

/** Spreads the companies evenly over a register of `count` rows: the one that belongs at this row, if one does. */
export function realCompanyAt(companies: readonly NamedCompany[], index: number, count: number): NamedCompany | null {
  if (companies.length === 0) return null
  const stride = Math.max(1, Math.floor(count / companies.length))
  return index % stride === 0 ? (companies[index / stride] ?? null) : null
}
