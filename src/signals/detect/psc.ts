import { joinTexts, type LooseRecord, toDate, toText, toTexts } from '../../lib/text/loose-json.ts'
import { WITHHELD_NAME } from '../../register/index.ts'
import type { FieldChange } from '../signals.ts'
import {
  type ChangeContext,
  type DetectedSignal,
  isFounding,
  isNews,
  keyOfFact,
  keyOfStep,
  type PartDetector,
  readId,
} from './detected-signal.ts'
import { becameProtected, detectOwner, protectedChanges } from './psc-owner.ts'
import { detectStatement, isStatement } from './psc-statement.ts'
import { capitalised, formatOn } from './wording.ts'

/** People and entities with significant control: notified, changed, ceased. */
export const detectPsc: PartDetector = (before, after, context) => {
  if (!after) return []
  if (isStatement(after)) return detectStatement(before, after, context)
  const id = readId(after)
  if (!id) return []
  if (!before) {
    const isCeasedLately = isNews(toDate(after['ceased_on']), context)
    return [...notified(id, after, context), isCeasedLately ? ceased(id, after, context) : []].flat()
  }
  if (hasCeased(after) && !hasCeased(before)) return ceased(id, after, context)
  return changed(id, before, after, context)
}

function notified(id: string, psc: LooseRecord, context: ChangeContext): DetectedSignal[] {
  const date = findNotified(psc, context)
  if (date === null) return []
  const dedupe = keyOfFact(id, 'notified')
  const became: DetectedSignal = {
    signalType: 'psc_changed',
    severity: 'notice',
    summary: `${capitalised(formatPsc(psc))} became a person with significant control of ${context.company}${formatOn(toDate(psc['notified_on']))}.`,
    occurredOn: date,
    changes: [
      { field: 'psc_name', from: null, to: formatPsc(psc) },
      { field: 'psc_natures_of_control', from: null, to: toTexts(psc['natures_of_control']) },
    ],
    dedupe,
  }
  if (hasCeased(psc)) return [became]
  return [became, ...detectOwner(null, psc, { id, name: formatPsc(psc), occurredOn: date, dedupe }, context)]
}

/**
 * Returns the day of an owner's notification that is news, null for another. Where all owners were known before, an owner
 * in force who comes is news however late they are notified, without a date on the day they come. Those that come with the
 * company itself are not.
 */
function findNotified(psc: LooseRecord, context: ChangeContext): string | null {
  const date = toDate(psc['notified_on'])
  if (!context.areOwnersKnown || hasCeased(psc))
    return isNews(date, context) && !isFounding(date, context) ? date : null
  const { incorporatedOn, day } = context
  const isOfNewCompany = isNews(incorporatedOn, context) && (date === null || date <= incorporatedOn)
  return isOfNewCompany ? null : (date ?? day)
}

function ceased(id: string, psc: LooseRecord, context: ChangeContext): DetectedSignal {
  const date = toDate(psc['ceased_on'])
  return {
    signalType: 'psc_changed',
    severity: 'notice',
    summary: `${capitalised(formatPsc(psc))} ceased to be a person with significant control of ${context.company}${formatOn(date)}.`,
    occurredOn: date ?? context.day,
    changes: [{ field: 'psc_name', from: formatPsc(psc), to: null }],
    dedupe: keyOfFact(id, 'ceased'),
  }
}

function changed(id: string, before: LooseRecord, after: LooseRecord, context: ChangeContext): DetectedSignal[] {
  const changes = becameProtected(before, after) ? protectedChanges(before, after) : comparePscs(before, after)
  if (changes.length === 0) return []
  const what = changes.map(({ field }) => WHAT[field] ?? field.replace('psc_', '').replaceAll('_', ' '))
  const dedupe = keyOfStep(`psc-${id}`, JSON.stringify(detailsOf(before)), JSON.stringify(detailsOf(after)))
  const differs: DetectedSignal = {
    signalType: 'psc_changed',
    severity: 'notice',
    summary: `Details of ${formatPsc(after)}, a person with significant control of ${context.company}, changed: ${what.join(', ')}.`,
    occurredOn: context.day,
    changes,
    dedupe,
  }
  if (hasCeased(after)) return [differs]
  // The same key: a step back is a change of the record too, after which the same step is another.
  const owner = { id, name: formatPsc(after), occurredOn: context.day, dedupe }
  return [differs, ...detectOwner(before, after, owner, context)]
}

const WHAT: Readonly<Record<string, string>> = {
  psc_is_sanctioned: 'the mark of sanctions',
  psc_ceased_on: 'the day on which it ended',
}

function comparePscs(before: LooseRecord, after: LooseRecord): FieldChange[] {
  const [from, to] = [detailsOf(before), detailsOf(after)]
  return Object.keys(to)
    .filter((field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]))
    .map((field) => ({ field: `psc_${field}`, from: from[field] ?? null, to: to[field] ?? null }))
}

/**
 * Returns the details that are compared. Tags, links and the parts of a name change without a meaning; nationality and
 * residence of people go into no signal.
 */
function detailsOf(psc: LooseRecord): Record<string, FieldChange['from']> {
  return {
    name: toText(psc['name']),
    natures_of_control: toTexts(psc['natures_of_control']).sort(),
    address: joinTexts(psc['address']),
    identification: joinTexts(psc['identification']),
    // The streams leave a false flag out.
    is_sanctioned: psc['is_sanctioned'] === true,
    ceased_on: toDate(psc['ceased_on']),
  }
}

function hasCeased(psc: LooseRecord): boolean {
  return toDate(psc['ceased_on']) !== null || psc['ceased'] === true
}

/** The register keeps some people's names back for their protection; we withhold others at their request. */
function formatPsc(psc: LooseRecord): string {
  const isWithheld = toText(psc['kind'])?.startsWith('individual')
  return toText(psc['name']) ?? (isWithheld ? WITHHELD_NAME : 'a person whose details are protected')
}
