/** The postcode of a row beside the registered office of a company. Pure. A postcode may be whole or only its first half. */
import type { Company } from '../company.ts'

/** `same`: the whole postcode. `near`: its first half, or the row has only that. `unknown`: one of the two has none. */
export type Office = 'same' | 'near' | 'other' | 'unknown'

export function compareOffices(postcode: string | null, { address }: Company): Office {
  const [typed, office] = [compact(postcode ?? ''), compact(address.postcode ?? '')]
  if (typed === '' || office === '') return 'unknown'
  if (typed === office) return 'same'
  const outward = outwardOf(office)
  return typed === outward || (typed.length > 4 && outwardOf(typed) === outward) ? 'near' : 'other'
}

/** Whether the row has another postcode than the office. The first half alone agrees. */
export function isElsewhere(postcode: string | null, { address }: Company): boolean {
  if (postcode === null || !address.postcode) return false
  const [typed, office] = [compact(postcode), compact(address.postcode)]
  return typed !== office && typed !== outwardOf(office)
}

/** Returns a whole postcode without its space; null for anything else. */
export function findWholePostcode(postcode: string | null): string | null {
  const typed = compact(postcode ?? '')
  return /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(typed) ? typed : null
}

const outwardOf = (whole: string) => whole.slice(0, -3)

const compact = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
