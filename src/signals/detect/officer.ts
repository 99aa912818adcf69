import { type Finding, isFounding, isNews, type Occasion } from './change-context.ts'
import { keyOfFact } from './dedupe.ts'
import { type Resource, readDate, readId, readText } from './resource.ts'
import { sayOn, sayPerson, sayWords, withArticle } from './wording.ts'

/** Who directs: directors, members of an LLP or of a governing organ, general partners, managing officers. */
const DIRECTING = [
  'director',
  'nominee-director',
  'llp-member',
  'llp-designated-member',
  'member-of-a-management-organ',
  'member-of-a-supervisory-organ',
  'member-of-an-administrative-organ',
  'general-partner-in-a-limited-partnership',
  'managing-officer',
  'manager-of-an-eeig',
]
const CORPORATE = 'corporate-'

/** Appointments and resignations of directors. A record that is deleted was filed by mistake: nobody resigned. */
export function detectOfficer(before: Resource | null, after: Resource | null, on: Occasion): Finding[] {
  const officer = after && toDirector(after)
  if (!officer) return []
  const findings: Finding[] = []
  if (!before && isNews(officer.appointedOn, on) && !isFounding(officer.appointedOn, on)) {
    findings.push({
      signalType: 'director_appointed',
      severity: 'notice',
      summary: `${on.company} appointed ${officer.name} as ${withArticle(officer.role)}${sayOn(officer.appointedOn)}.`,
      occurredOn: officer.appointedOn,
      changes: [{ field: 'director', from: null, to: officer.name }],
      dedupe: keyOfFact(officer.id),
    })
  }
  const { resignedOn } = officer
  if (resignedOn && (before ? !readDate(before, 'resigned_on') : isNews(resignedOn, on))) {
    findings.push({
      signalType: 'director_resigned',
      severity: 'notice',
      summary: `${officer.name} resigned as ${withArticle(officer.role)} of ${on.company}${sayOn(resignedOn)}.`,
      occurredOn: resignedOn,
      changes: [{ field: 'director', from: officer.name, to: null }],
      dedupe: keyOfFact(officer.id),
    })
  }
  return findings
}

function toDirector(officer: Resource) {
  const role = readText(officer, 'officer_role') ?? ''
  const isCorporate = role.startsWith(CORPORATE)
  const plainRole = isCorporate ? role.slice(CORPORATE.length) : role
  const name = readText(officer, 'name')
  if (!DIRECTING.includes(plainRole) || !name) return null
  const appointedOn = readDate(officer, 'appointed_on')
  return {
    id: readId(officer) ?? `${name}/${role}/${appointedOn ?? ''}`,
    name: sayPerson(name, isCorporate),
    role: sayRole(plainRole),
    appointedOn,
    resignedOn: readDate(officer, 'resigned_on'),
  }
}

function sayRole(role: string): string {
  return sayWords(role.replace('nominee-', '')).replace('llp', 'LLP').replace('eeig', 'EEIG')
}
