import { type LooseRecord, toCode, toDate, toList, toRecord, toText } from '../../lib/text/loose-json.ts'
import { type DetectedSignal, isNews, keyOfFact, type PartDetector, readId } from './detected-signal.ts'
import { formatList, formatOn } from './wording.ts'

/** `satisfied` is the older word for the same. One that is satisfied in part is not. */
const SATISFIED = new Set(['satisfied', 'fully-satisfied'])

export const detectCharge: PartDetector = (before, after, context) => {
  const charge = after && toCharge(after)
  if (!charge) return []
  const signals: DetectedSignal[] = []
  if (!before && isNews(charge.registeredOn, context)) {
    signals.push({
      signalType: 'charge_registered',
      severity: 'notice',
      summary: `${context.company} had ${charge.words} registered against it${formatOn(charge.registeredOn)}.`,
      occurredOn: charge.registeredOn,
      changes: [{ field: 'charge_status', from: null, to: charge.status }],
      dedupe: keyOfFact(charge.id),
    })
  }
  const { satisfiedOn } = charge
  const statusBefore = before && toText(before['status'])
  const isSatisfiedNow = SATISFIED.has(charge.status ?? '') && !SATISFIED.has(statusBefore ?? '')
  if (isSatisfiedNow && (before || isNews(satisfiedOn, context))) {
    signals.push({
      signalType: 'charge_satisfied',
      severity: 'info',
      summary: `${context.company} satisfied ${charge.words}${formatOn(satisfiedOn)}.`,
      occurredOn: satisfiedOn ?? context.day,
      changes: [{ field: 'charge_status', from: statusBefore, to: charge.status }],
      dedupe: keyOfFact(charge.id),
    })
  }
  return signals
}

function toCharge(charge: LooseRecord) {
  const code = toText(charge['charge_code'])
  const number = toCode(charge['charge_number'])
  const id = readId(charge) ?? toText(charge['id']) ?? code ?? number
  if (!id) return null
  const lenders = toList(charge['persons_entitled']).flatMap((person) => toText(toRecord(person)['name']) ?? [])
  const label = code ?? (number ? `number ${number}` : null)
  const favour = lenders.length > 0 ? `in favour of ${formatList(lenders)}` : null
  return {
    id,
    status: toText(charge['status']),
    registeredOn: toDate(charge['delivered_on']) ?? toDate(charge['created_on']),
    satisfiedOn: toDate(charge['satisfied_on']),
    words: ['a charge', label && `(${label})`, favour].filter(Boolean).join(' '),
  }
}
