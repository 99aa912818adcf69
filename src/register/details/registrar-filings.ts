/** The filings by which Companies House itself, or a court, acts on an address of a company. */
import { type LooseRecord, toText } from '../../lib/text/loose-json.ts'

const FORMS = ['RP05', 'RP09', 'RP10', 'OC-UPHELD'] as const
export type RegistrarForm = (typeof FORMS)[number]

/** How the descriptions of these forms begin. */
const DESCRIBED: ReadonlyArray<[string, RegistrarForm]> = [
  ['default-companies-house-registered-office-address-applied', 'RP05'],
  ['default-companies-house-service-address-applied-psc', 'RP10'],
  ['default-companies-house-service-address-applied', 'RP09'],
  ['court-upheld-registrars-decision-on-registered-office-address', 'OC-UPHELD'],
]

/** Returns the form by the type of the filing, and for another type by its description; null for every other filing. */
export function findRegistrarForm(filing: LooseRecord): RegistrarForm | null {
  const type = toText(filing['type'])
  const form = FORMS.find((each) => each === type)
  if (form) return form
  const description = toText(filing['description']) ?? ''
  return DESCRIBED.find(([beginning]) => description.startsWith(beginning))?.[1] ?? null
}
