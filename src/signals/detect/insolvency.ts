import { type LooseRecord, toCode, toDate, toList, toRecord, toText, toTexts } from '../../lib/text/loose-json.ts'
import { formatDay } from '../../lib/text/wording.ts'
import { describeCode } from '../../register/index.ts'
import type { FieldChange } from '../signals.ts'
import {
  type ChangeContext,
  type DetectedSignal,
  isNews,
  keyOfFact,
  keyOfStep,
  type PartDetector,
} from './detected-signal.ts'
import { formatOn } from './wording.ts'

/** The dates that open a case, the one that says it best first. */
const OPENING_DATES = [
  'administration-started-on',
  'voluntary-arrangement-started-on',
  'moratorium-started-on',
  'wound-up-on',
  'ordered-to-wind-up-on',
  'instrumented-on',
  'petitioned-on',
  'declaration-solvent-on',
]

interface InsolvencyCase {
  number: string
  type: string
  dates: Map<string, string>
  practitioners: string[]
  notes: string[]
}

/** New cases, and what became known of those we had. */
export const detectInsolvency: PartDetector = (before, after, context) => {
  if (!after) return []
  const known = new Map(before ? readCases(before).map((each) => [each.number, each]) : [])
  return readCases(after).flatMap((each) => {
    const earlier = known.get(each.number)
    if (earlier) return caseUpdated(earlier, each, context)
    return before || isNews(openedOn(each), context) ? caseStarted(each, context) : []
  })
}

function caseStarted(opened: InsolvencyCase, context: ChangeContext): DetectedSignal {
  const date = openedOn(opened)
  const practitioners = opened.practitioners.length > 0 ? opened.practitioners : null
  return {
    signalType: 'insolvency_started',
    severity: 'warning',
    summary: `${context.company} entered insolvency proceedings (${formatCase(opened)})${formatOn(date)}.`,
    occurredOn: date ?? context.day,
    changes: [
      { field: 'insolvency_case', from: null, to: opened.type },
      ...(practitioners ? [{ field: 'insolvency_practitioners', from: null, to: practitioners }] : []),
    ],
    dedupe: keyOfFact(opened.number),
  }
}

function caseUpdated(before: InsolvencyCase, after: InsolvencyCase, context: ChangeContext): DetectedSignal | [] {
  const changes = compareCases(before, after)
  if (changes.length === 0) return []
  const what = changes.map((change) => describeChange(change, after))
  return {
    signalType: 'insolvency_updated',
    severity: 'notice',
    summary: `The insolvency proceedings of ${context.company} (${formatCase(after)}) were updated: ${what.join(', ')}.`,
    occurredOn: latestDate(changes, context) ?? context.day,
    changes,
    dedupe: keyOfStep(`case-${after.number}`, contentOf(before), contentOf(after)),
  }
}

function formatCase({ type }: InsolvencyCase): string {
  return lowerFirst(describeCode('insolvency_case', type))
}

/** `commencement of winding up (3 March 2026)`, `practitioners` */
function describeChange({ field, to }: FieldChange, { dates }: InsolvencyCase): string {
  const type = field.replaceAll('_', '-')
  if (!dates.has(type) || typeof to !== 'string') return field.replaceAll('_', ' ').replace('insolvency ', '')
  return `${lowerFirst(describeCode('insolvency_date', type)).replace(/ on$/, '')} (${formatDay(to)})`
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}

function compareCases(before: InsolvencyCase, after: InsolvencyCase): FieldChange[] {
  const changes: FieldChange[] = []
  if (before.type !== after.type) changes.push({ field: 'insolvency_case', from: before.type, to: after.type })
  for (const type of new Set([...before.dates.keys(), ...after.dates.keys()])) {
    const [from, to] = [before.dates.get(type) ?? null, after.dates.get(type) ?? null]
    if (from !== to) changes.push({ field: type.replaceAll('-', '_'), from, to })
  }
  for (const member of ['practitioners', 'notes'] as const) {
    const [from, to] = [before[member], after[member]]
    if (JSON.stringify(from) !== JSON.stringify(to)) changes.push({ field: `insolvency_${member}`, from, to })
  }
  return changes
}

/** Some dates lie ahead, such as the day a company is due to be dissolved; nothing occurred on them yet. */
function latestDate(changes: readonly FieldChange[], { day }: ChangeContext): string | null {
  const dates = changes.flatMap(({ field, to }) => (field.endsWith('_on') && typeof to === 'string' ? to : []))
  const past = dates.filter((date) => date <= day)
  return past.length > 0 ? past.reduce((a, b) => (a > b ? a : b)) : null
}

function openedOn(opened: InsolvencyCase): string | null {
  const type = OPENING_DATES.find((each) => opened.dates.has(each))
  return (type && opened.dates.get(type)) ?? null
}

function contentOf({ type, dates, practitioners, notes }: InsolvencyCase): string {
  return JSON.stringify([type, [...dates].map((entry) => entry.join(' ')).sort(), practitioners, notes])
}

function readCases(insolvency: LooseRecord): InsolvencyCase[] {
  return toList(insolvency['cases']).flatMap((value, index) => {
    const resource = toRecord(value)
    const type = toText(resource['type'])
    if (!type) return []
    return {
      number: toCode(resource['number']) ?? String(index + 1),
      type,
      dates: readDates(resource),
      practitioners: toList(resource['practitioners']).map(toPractitioner).sort(),
      notes: toTexts(resource['notes']).sort(),
    }
  })
}

function readDates(resource: LooseRecord): Map<string, string> {
  const dates = toList(resource['dates']).map(toRecord)
  return new Map(
    dates.flatMap((each) => {
      const [type, date] = [toText(each['type']), toDate(each['date'])]
      return type && date ? [[type, date] as const] : []
    }),
  )
}

/** Their addresses are left out: an office that moves says nothing about the case. */
function toPractitioner(value: unknown): string {
  const practitioner = toRecord(value)
  const appointedOn = toDate(practitioner['appointed_on'])
  const ceasedOn = toDate(practitioner['ceased_to_act_on'])
  const parts = [
    toText(practitioner['name']),
    toText(practitioner['role']),
    appointedOn && `appointed ${appointedOn}`,
    ceasedOn && `ceased to act ${ceasedOn}`,
  ]
  return parts.filter(Boolean).join(', ')
}
