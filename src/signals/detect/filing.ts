import { toDate, toRecord, toText } from '../../lib/text/loose-json.ts'
import { isNews, type PartDetector } from './detected-signal.ts'
import { defaultOffice } from './remarks.ts'

/**
 * Detects the filing by which the registrar replaces an office with the default address. Of other filings, the change that
 * they bring about is the signal.
 */
export const detectFiling: PartDetector = (before, after, context) => {
  if (before || !after || toText(after['type']) !== 'RP05') return []
  const values = toRecord(after['description_values'])
  const on = toDate(values['change_date']) ?? toDate(after['date'])
  if (!isNews(on, context)) return []
  return defaultOffice(context, { from: null, to: toText(values['default_address']), on })
}
