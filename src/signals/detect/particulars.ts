import type { Address, CompanyFacts } from '../../register/index.ts'
import type { ChangeContext, DetectedSignal } from './change-context.ts'
import { keyOfStep } from './dedupe.ts'
import { formatList, formatOn } from './wording.ts'

export function detectName(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  if (toNameForm(before.name) === toNameForm(after.name)) return []
  const [previous] = after.previousNames
  const isDated = previous !== undefined && toNameForm(previous.name) === toNameForm(before.name)
  const changedOn = isDated ? previous.ceased_on : null
  return [
    {
      signalType: 'name_changed',
      severity: 'notice',
      summary: `${before.name} changed its name to ${after.name}${formatOn(changedOn)}.`,
      occurredOn: changedOn ?? context.day,
      changes: [{ field: 'company_name', from: before.name, to: after.name }],
      dedupe: keyOfStep('name', toNameForm(before.name), toNameForm(after.name)),
    },
  ]
}

export function detectOffice(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  const [from, to] = [toOfficeForm(before.address), toOfficeForm(after.address)]
  // One source gave no address: that is no move.
  if (from === to || from === '' || to === '') return []
  return [
    {
      signalType: 'registered_office_changed',
      severity: 'notice',
      summary: `${context.company} moved its registered office from ${inOneLine(before.address)} to ${inOneLine(after.address)}.`,
      occurredOn: context.day,
      changes: [
        { field: 'registered_address', from: inOneLine(before.address), to: inOneLine(after.address) },
        ...(before.address.postcode === after.address.postcode
          ? []
          : [{ field: 'registered_postcode', from: before.address.postcode, to: after.address.postcode }]),
      ],
      dedupe: keyOfStep('office', from, to),
    },
  ]
}

export function detectSicCodes(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  const [from, to] = [before.sicCodes.toSorted(), after.sicCodes.toSorted()]
  if (from.join() === to.join()) return []
  const format = (codes: string[]) => (codes.length === 0 ? 'none' : formatList(codes))
  return [
    {
      signalType: 'sic_codes_changed',
      severity: 'info',
      summary: `${context.company} changed its SIC codes from ${format(from)} to ${format(to)}.`,
      occurredOn: context.day,
      changes: [{ field: 'sic_codes', from: before.sicCodes, to: after.sicCodes }],
      dedupe: keyOfStep('sic', from.join(), to.join()),
    },
  ]
}

function toNameForm(name: string): string {
  return name.toUpperCase().replaceAll(/\s+/g, ' ').trim()
}

/**
 * The snapshot writes addresses in capitals and the streams as they were filed; they split the lines differently, and
 * fill in the country or leave it out. None of that is a move, so only the letters and digits of the rest are compared.
 */
function toOfficeForm(address: Address): string {
  const { careOf, poBox, line1, line2, town, county, postcode } = address
  const parts = [careOf, poBox, line1, line2, town, county, postcode]
  return parts
    .join('')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function inOneLine(address: Address): string {
  const { careOf, poBox, line1, line2, town, county, country, postcode } = address
  return [careOf, poBox, line1, line2, town, county, country, postcode].filter(Boolean).join(', ')
}
