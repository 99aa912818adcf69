import type { Address } from '../../register/index.ts'
import type { Finding, Occasion } from './change-context.ts'
import type { CompanyFacts } from './company-facts.ts'
import { keyOfStep } from './dedupe.ts'
import { sayList, sayOn } from './wording.ts'

export function detectName(before: CompanyFacts, after: CompanyFacts, on: Occasion): Finding[] {
  if (toNameForm(before.name) === toNameForm(after.name)) return []
  const [previous] = after.previousNames
  const isDated = previous !== undefined && toNameForm(previous.name) === toNameForm(before.name)
  const changedOn = isDated ? previous.ceased_on : null
  return [
    {
      signalType: 'name_changed',
      severity: 'notice',
      summary: `${before.name} changed its name to ${after.name}${sayOn(changedOn)}.`,
      occurredOn: changedOn ?? on.day,
      changes: [{ field: 'company_name', from: before.name, to: after.name }],
      dedupe: keyOfStep('name', toNameForm(before.name), toNameForm(after.name)),
    },
  ]
}

export function detectOffice(before: CompanyFacts, after: CompanyFacts, on: Occasion): Finding[] {
  const [from, to] = [toOfficeForm(before.address), toOfficeForm(after.address)]
  // An address that is missing on one side was not given by that source; nobody moved.
  if (from === to || from === '' || to === '') return []
  return [
    {
      signalType: 'registered_office_changed',
      severity: 'notice',
      summary: `${on.company} moved its registered office from ${inOneLine(before.address)} to ${inOneLine(after.address)}.`,
      occurredOn: on.day,
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

export function detectSicCodes(before: CompanyFacts, after: CompanyFacts, on: Occasion): Finding[] {
  const [from, to] = [before.sicCodes.toSorted(), after.sicCodes.toSorted()]
  if (from.join() === to.join()) return []
  const say = (codes: string[]) => (codes.length === 0 ? 'none' : sayList(codes))
  return [
    {
      signalType: 'sic_codes_changed',
      severity: 'info',
      summary: `${on.company} changed its SIC codes from ${say(from)} to ${say(to)}.`,
      occurredOn: on.day,
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
