import { type ChangeContext, type DetectedSignal, isNews, keyOfFact } from './detected-signal.ts'
import { type Resource, readDate, readId, readList, readText, toResource } from './resource.ts'
import { formatList, formatOn } from './wording.ts'

/** `satisfied` is the older word for the same. One that is satisfied in part is not. */
const SATISFIED = new Set(['satisfied', 'fully-satisfied'])

export function detectCharge(
  before: Resource | null,
  after: Resource | null,
  context: ChangeContext,
): DetectedSignal[] {
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
  const statusBefore = before && readText(before, 'status')
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

function toCharge(charge: Resource) {
  const code = readText(charge, 'charge_code')
  const number = readText(charge, 'charge_number')
  const id = readId(charge) ?? readText(charge, 'id') ?? code ?? number
  if (!id) return null
  const lenders = readList(charge, 'persons_entitled').flatMap((person) => readText(toResource(person), 'name') ?? [])
  const label = code ?? (number ? `number ${number}` : null)
  const favour = lenders.length > 0 ? `in favour of ${formatList(lenders)}` : null
  return {
    id,
    status: readText(charge, 'status'),
    registeredOn: readDate(charge, 'delivered_on') ?? readDate(charge, 'created_on'),
    satisfiedOn: readDate(charge, 'satisfied_on'),
    words: ['a charge', label && `(${label})`, favour].filter(Boolean).join(' '),
  }
}
