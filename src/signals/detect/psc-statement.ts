import { type LooseRecord, toDate, toText } from '../../lib/text/loose-json.ts'
import { describeCode } from '../../register/index.ts'
import { type DetectedSignal, isFounding, isNews, keyOfFact, type PartDetector, readId } from './detected-signal.ts'
import { formatOn } from './wording.ts'

/** Statements that a company makes about its owners ("one did not respond"): made, withdrawn. */
export const detectStatement: PartDetector = (before, after, context) => {
  const statement = after && toStatement(after)
  if (!statement) return []
  const { id, code, words, madeOn, withdrawnOn } = statement
  const signals: DetectedSignal[] = []
  if (!before && isNews(madeOn, context) && !isFounding(madeOn, context)) {
    signals.push({
      signalType: 'psc_statement_made',
      severity: 'notice',
      summary: `${context.company} made a statement about its owners${formatOn(madeOn)}: ${words}.`,
      occurredOn: madeOn,
      changes: [{ field: 'psc_statement', from: null, to: code }],
      dedupe: keyOfFact(id),
    })
  }
  if (withdrawnOn && (before ? !toDate(before['ceased_on']) : isNews(withdrawnOn, context))) {
    signals.push({
      signalType: 'psc_statement_withdrawn',
      severity: 'info',
      summary: `${context.company} withdrew a statement about its owners${formatOn(withdrawnOn)}: ${words}.`,
      occurredOn: withdrawnOn,
      changes: [{ field: 'psc_statement', from: code, to: null }],
      dedupe: keyOfFact(id),
    })
  }
  return signals
}

/** Statements are sent among the people, and name none. */
export function isStatement(psc: LooseRecord): boolean {
  return toText(psc['kind'])?.endsWith('statement') ?? false
}

function toStatement(record: LooseRecord) {
  const code = toText(record['statement'])
  const id = readId(record)
  if (!code || !id) return null
  return {
    id,
    code,
    words: describeCode('psc_statement', code),
    madeOn: toDate(record['notified_on']),
    withdrawnOn: toDate(record['ceased_on']),
  }
}
