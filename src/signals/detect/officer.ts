import { createHash } from 'node:crypto'
import { type LooseRecord, toDate, toText } from '../../lib/text/loose-json.ts'
import { isCorporateRole, isDirector, toPlainRole, WITHHELD_NAME } from '../../register/index.ts'
import { type DetectedSignal, isFounding, isNews, keyOfFact, type PartDetector, readId } from './detected-signal.ts'
import { capitalised, formatOn, formatPerson, formatTerm, withArticle } from './wording.ts'

/** Detects appointments and resignations of directors. A deleted record was filed by mistake and is no resignation. */
export const detectOfficer: PartDetector = (before, after, context) => {
  const officer = after && toDirector(after)
  if (!officer) return []
  const signals: DetectedSignal[] = []
  if (!before && isNews(officer.appointedOn, context) && !isFounding(officer.appointedOn, context)) {
    signals.push({
      signalType: 'director_appointed',
      severity: 'notice',
      summary: `${context.company} appointed ${officer.name} as ${withArticle(officer.role)}${formatOn(officer.appointedOn)}.`,
      occurredOn: officer.appointedOn,
      changes: [{ field: 'director', from: null, to: officer.name }],
      dedupe: keyOfFact(officer.id),
    })
  }
  const { resignedOn } = officer
  if (resignedOn && (before ? !toDate(before['resigned_on']) : isNews(resignedOn, context))) {
    signals.push({
      signalType: 'director_resigned',
      severity: 'notice',
      summary: `${capitalised(officer.name)} resigned as ${withArticle(officer.role)} of ${context.company}${formatOn(resignedOn)}.`,
      occurredOn: resignedOn,
      changes: [{ field: 'director', from: officer.name, to: null }],
      dedupe: keyOfFact(officer.id),
    })
  }
  return signals
}

function toDirector(officer: LooseRecord) {
  const role = toText(officer['officer_role']) ?? ''
  const name = toText(officer['name']) ?? (officer['name_withheld'] === true ? WITHHELD_NAME : null)
  if (!isDirector({ role }) || !name) return null
  const appointedOn = toDate(officer['appointed_on'])
  return {
    id: readId(officer) ?? hashText(`${name}/${role}/${appointedOn ?? ''}`),
    name: formatPerson(name, isCorporateRole(role)),
    role: formatRole(toPlainRole(role)),
    appointedOn,
    resignedOn: toDate(officer['resigned_on']),
  }
}

function formatRole(role: string): string {
  return formatTerm(role.replace('nominee-', '')).replace('llp', 'LLP').replace('eeig', 'EEIG')
}

/** Keys stay when a name is removed. */
const hashText = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
