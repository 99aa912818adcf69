import { type LooseRecord, toDate, toRecord, toText } from '../../lib/text/loose-json.ts'
import { findRegistrarForm, type RegistrarForm } from '../../register/index.ts'
import {
  type ChangeContext,
  type DetectedSignal,
  isNews,
  keyOfFact,
  type PartDetector,
  readId,
} from './detected-signal.ts'
import { defaultOffice } from './remarks.ts'
import { formatOn } from './wording.ts'

/**
 * Detects the filings by which the registrar replaces an address with the default one, and the one by which a court upholds
 * it. Of other filings, the change that they bring about is the signal.
 */
export const detectFiling: PartDetector = (before, after, context) => {
  const form = before || !after ? null : findRegistrarForm(after)
  if (!form || !after) return []
  const values = toRecord(after['description_values'])
  const on = toDate(values['change_date']) ?? toDate(after['date'])
  return isNews(on, context) ? DETECTORS[form]({ filing: after, values, on }, context) : []
}

interface Filed {
  filing: LooseRecord
  values: LooseRecord
  on: string
}

const DETECTORS: Record<RegistrarForm, (filed: Filed, context: ChangeContext) => DetectedSignal | []> = {
  RP05: ({ values, on }, context) => defaultOffice(context, { from: null, to: toText(values['default_address']), on }),
  RP09: (filed, context) => {
    const isMember = toText(filed.filing['description'])?.endsWith('-member') ?? false
    const role = isMember ? 'a member' : 'an officer'
    return serviceAddress(filed, { role, field: 'officer_service_address', name: 'officer_name' }, context)
  },
  RP10: (filed, context) => {
    const role = 'a person with significant control'
    return serviceAddress(filed, { role, field: 'psc_service_address', name: 'psc_name' }, context)
  },
  'OC-UPHELD': upheldOffice,
}

function serviceAddress(
  { filing, values, on }: Filed,
  person: { role: string; field: string; name: string },
  { company }: ChangeContext,
): DetectedSignal | [] {
  const id = readId(filing) ?? toText(filing['transaction_id'])
  if (id === null) return []
  const name = toText(values[person.name])
  const who = name === null ? `${person.role} of ${company}` : `${name}, ${person.role} of ${company},`
  return {
    signalType: 'default_service_address_applied',
    severity: 'notice',
    summary: `Companies House replaced the service address of ${who} with its own default address${formatOn(on)}.`,
    occurredOn: on,
    changes: [{ field: person.field, from: null, to: toText(values['default_address']) }],
    dedupe: keyOfFact(id),
  }
}

function upheldOffice({ filing, on }: Filed, { company }: ChangeContext): DetectedSignal | [] {
  const id = readId(filing) ?? toText(filing['transaction_id'])
  if (id === null) return []
  return {
    signalType: 'default_office_upheld',
    severity: 'warning',
    summary: `A court upheld the decision of Companies House to use its default address as the registered office of ${company}${formatOn(on)}.`,
    occurredOn: on,
    changes: [{ field: 'default_office_upheld', from: false, to: true }],
    dedupe: keyOfFact(id),
  }
}
