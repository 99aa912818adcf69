import { type Finding, isNews, type Occasion } from './change-context.ts'
import { keyOfFact } from './dedupe.ts'
import { type Resource, readDate, readId, readList, readText, toResource } from './resource.ts'
import { sayList, sayOn } from './wording.ts'

/** `satisfied` is the older word for the same. One that is satisfied in part still stands. */
const SATISFIED = new Set(['satisfied', 'fully-satisfied'])

export function detectCharge(before: Resource | null, after: Resource | null, on: Occasion): Finding[] {
  const charge = after && toCharge(after)
  if (!charge) return []
  const findings: Finding[] = []
  if (!before && isNews(charge.registeredOn, on)) {
    findings.push({
      signalType: 'charge_registered',
      severity: 'notice',
      summary: `${on.company} had ${charge.words} registered against it${sayOn(charge.registeredOn)}.`,
      occurredOn: charge.registeredOn,
      changes: [{ field: 'charge_status', from: null, to: charge.status }],
      dedupe: keyOfFact(charge.id),
    })
  }
  const { satisfiedOn } = charge
  const statusBefore = before && readText(before, 'status')
  const isSatisfiedNow = SATISFIED.has(charge.status ?? '') && !SATISFIED.has(statusBefore ?? '')
  if (isSatisfiedNow && (before || isNews(satisfiedOn, on))) {
    findings.push({
      signalType: 'charge_satisfied',
      severity: 'info',
      summary: `${on.company} satisfied ${charge.words}${sayOn(satisfiedOn)}.`,
      occurredOn: satisfiedOn ?? on.day,
      changes: [{ field: 'charge_status', from: statusBefore, to: charge.status }],
      dedupe: keyOfFact(charge.id),
    })
  }
  return findings
}

function toCharge(charge: Resource) {
  const code = readText(charge, 'charge_code')
  const number = readText(charge, 'charge_number')
  const id = readId(charge) ?? readText(charge, 'id') ?? code ?? number
  if (!id) return null
  const lenders = readList(charge, 'persons_entitled').flatMap((person) => readText(toResource(person), 'name') ?? [])
  const label = code ?? (number ? `number ${number}` : null)
  const favour = lenders.length > 0 ? `in favour of ${sayList(lenders)}` : null
  return {
    id,
    status: readText(charge, 'status'),
    registeredOn: readDate(charge, 'delivered_on') ?? readDate(charge, 'created_on'),
    satisfiedOn: readDate(charge, 'satisfied_on'),
    words: ['a charge', label && `(${label})`, favour].filter(Boolean).join(' '),
  }
}
