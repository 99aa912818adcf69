import { toDate, toText } from '../../lib/text/loose-json.ts'
import { toMidSentence } from '../../lib/text/wording.ts'
import { describeStatus } from '../../register/index.ts'
import { keyOfFact, type PartDetector } from './detected-signal.ts'
import { formatOn } from './wording.ts'

/** The parent of a company left the register. The change is queued for each of its subsidiaries. */
export const detectParent: PartDetector = (before, after, context) => {
  const [number, name, status] = ['number', 'name', 'status'].map((member) => toText(after?.[member]))
  if (!number || !name || !status) return []
  const day = toDate(after?.['dissolved_on'])
  const words = toMidSentence(describeStatus({ status, statusDetail: null }) ?? 'off the register')
  return {
    signalType: 'parent_dissolved',
    severity: 'warning',
    summary: `${name} (${number}), the parent of ${context.company}, is off the register: ${words}${formatOn(day)}.`,
    occurredOn: day ?? context.day,
    changes: [{ field: 'parent_status', from: toText(before?.['status']), to: status }],
    dedupe: keyOfFact(number, day ?? 'dissolved'),
  }
}
