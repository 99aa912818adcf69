/** The columns of an export: their ids in the API, and their words. */
export const EXPORT_COLUMNS = [
  ['company_name', 'Company'],
  ['company_number', 'Company number'],
  ['company_status', 'Status'],
  ['registered_office', 'Registered office'],
  ['sic', 'Trade (SIC)'],
  ['incorporated_on', 'Incorporated'],
  ['employees', 'Employees'],
  ['parent', 'Parent company'],
  ['outcome', 'Outcome'],
  ['confidence', 'Confidence'],
  ['quote', 'Quote'],
  ['page', 'Page of the quote'],
  ['evidence_url', 'Link to the evidence'],
  ['candidates', 'Candidates'],
  ['cost', 'Cost'],
  ['reason', 'Why'],
  ['input', 'Value used'],
  ['domain', 'Domain'],
  ['row', 'Row number'],
  ['decided_by', 'Decided by'],
] as const

export type ExportColumn = (typeof EXPORT_COLUMNS)[number][0]

const RARE: readonly ExportColumn[] = ['input', 'domain', 'row', 'decided_by']

export const USUAL_COLUMNS: readonly ExportColumn[] = EXPORT_COLUMNS.map(([id]) => id).filter(
  (id) => !RARE.includes(id),
)
