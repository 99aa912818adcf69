/**
 * A register of any size in the layout of the Basic Company Data product: the same rows for the same seed, made one at a
 * time. A later edition of the same register has 1 % of its rows changed, 0.1 % removed and 0.1 % added.
 */
import { BULK_HEADER } from '../companies-house/bulk-row.ts'
import { randomOf } from '../random.ts'
import { changeCompany, companyAt, type SyntheticCompany } from './company.ts'

/** The file's first line, without its line end. */
export const HEADER: string = BULK_HEADER

export interface SyntheticOptions {
  /** 1 is the first file; each later one differs from the first by its changes. */
  edition?: number
}

const CHANGED_SHARE = 0.01
const REMOVED_SHARE = 0.001
const ADDED_SHARE = 0.001

/** CSV lines, each ending with `\n`. */
export function* syntheticRows(count: number, seed = 1, options: SyntheticOptions = {}): Generator<string> {
  for (const company of syntheticCompanies(count, seed, options)) yield toCsvLine(company)
}

export function* syntheticCompanies(
  count: number,
  seed = 1,
  options: SyntheticOptions = {},
): Generator<SyntheticCompany> {
  const { edition = 1 } = options
  const added = edition > 1 ? Math.floor(count * ADDED_SHARE) : 0
  // Beyond the rows of every other edition, so that an added company has a number of its own.
  const addedFrom = count + (edition - 2) * added
  for (let index = 0; index < count; index += 1) {
    const fate = edition > 1 ? randomOf(seed, index, 100 + edition).next() : 1
    if (fate < REMOVED_SHARE) continue
    const company = companyAt(index, seed)
    if (fate < REMOVED_SHARE + CHANGED_SHARE) changeCompany(company, randomOf(seed, index, 200 + edition), edition)
    yield company
  }
  for (let index = addedFrom; index < addedFrom + added; index += 1) yield companyAt(index, seed)
}

const NO_PREVIOUS_NAME = ',"",""'

/** Returns one line of the file, its `\n` included. Made-up text holds no quotes. */
function toCsvLine(company: SyntheticCompany): string {
  const { charges, sicTexts, previousNames } = company
  const partnership = company.category === 'Limited Partnership' ? '1","3' : '0","0'
  let previous = ''
  for (let nth = 0; nth < 10; nth += 1) {
    const named = previousNames[nth]
    previous += named ? `,"${named.changedOn}","${named.name}"` : NO_PREVIOUS_NAME
  }
  return (
    `"${company.name}","${company.number}","","","${company.line1}","","${company.town}",` +
    `"${company.county}","ENGLAND","${company.postcode}","${company.category}","${company.status}",` +
    `"United Kingdom","","${company.incorporatedOn}","${company.accountsRefDay}","${company.accountsRefMonth}",` +
    `"${company.accountsNextDue}","${company.accountsLastMadeUp}","${company.accountsCategory}","","",` +
    `"${charges.total}","${charges.outstanding}","0","${charges.satisfied}","${sicTexts[0] ?? ''}","${sicTexts[1] ?? ''}",` +
    `"","","${partnership}","http://business.data.gov.uk/id/company/${company.number}"${previous},` +
    `"${company.confirmationNextDue}","${company.confirmationLastMadeUp}"\n`
  )
}
