/** A charge, as REST and the streams send it: what it is over, what it secures and what it no longer covers, in words. */
import { type LooseRecord, toDate, toList, toRecord, toText } from '../../lib/text/loose-json.ts'
import { CODE_LISTS } from '../vocabulary.ts'
import { inWords } from './part-items.ts'

/** Some old deeds have whole pages. */
export const CHARGE_TEXT_LENGTH_MAX = 2_000

const FLAGS = Object.keys(CODE_LISTS.charge_flag)

export type Charge = ReturnType<typeof parseCharge>

export function parseCharge(data: LooseRecord) {
  // The register's documentation and older records write it with another s.
  const released = toText(data['assets_ceased_released']) ?? toText(data['assests_ceased_released'])
  return {
    charge_code: toText(data['charge_code']),
    status: toText(data['status']),
    status_text: inWords('charge_status', toText(data['status'])),
    created_on: toDate(data['created_on']) ?? toDate(data['acquired_on']),
    delivered_on: toDate(data['delivered_on']),
    satisfied_on: toDate(data['satisfied_on']),
    // An object in practice, a list of one in the documentation.
    description: toText(toRecord(toList(data['classification'])[0] ?? data['classification'])['description']),
    persons_entitled: toList(data['persons_entitled']).flatMap((person) => toText(toRecord(person)['name']) ?? []),
    particulars: parseParticulars(toRecord(data['particulars'])),
    secured_details: parseSecured(toRecord(data['secured_details'])),
    assets_ceased_released: released,
    assets_ceased_released_text: inWords('charge_assets_released', released),
  }
}

/** A flag that is left out and one that is false are the same: what the register does not say. */
function parseParticulars(data: LooseRecord) {
  const type = toText(data['type'])
  const description = toCutText(data['description'])
  const flags = FLAGS.filter((flag) => data[flag] === true)
  if (type === null && description === null && flags.length === 0) return null
  const flagsText = flags.flatMap((flag) => inWords('charge_flag', flag) ?? [])
  return { type, type_text: inWords('charge_particulars', type), description, flags, flags_text: flagsText }
}

function parseSecured(data: LooseRecord) {
  const type = toText(data['type'])
  const description = toCutText(data['description'])
  if (type === null && description === null) return null
  return { type, type_text: inWords('charge_secured', type), description }
}

function toCutText(value: unknown): string | null {
  const text = toText(value)
  if (text === null || text.length <= CHARGE_TEXT_LENGTH_MAX) return text
  // Half a character at the end is left out.
  return `${text.slice(0, CHARGE_TEXT_LENGTH_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
