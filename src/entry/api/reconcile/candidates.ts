/** Which of the companies found is meant, and how sure that is. Pure: the same question has the same answer. */
import { type Company, isOffRegister, toNameKey } from '../../../register/index.ts'
import { doesAgree, isOfTypes, listTypes, type ReconcileType } from './properties.ts'
import { findLegalForm, type ReconcileQuery } from './queries.ts'

/** A company, and what it was found by. */
export interface Found {
  company: Company
  /** `letters`: the name itself but for its spaces. `likeness`: a name like it. `hint`: only what else was given. */
  by: 'number' | 'name' | 'letters' | 'previous_name' | 'likeness' | 'previous_likeness' | 'hint'
  /** How alike the names are, from 0 to 1. */
  likeness: number
}

export interface Candidate {
  id: string
  name: string
  description: string
  score: number
  match: boolean
  type: ReconcileType[]
  features: Array<{ id: string; value: number | boolean }>
}

/** The very name is before a previous one, and that before any name that is only like it, whatever else is known. */
const SCORES: Record<Found['by'], number> = {
  number: 100,
  name: 100,
  letters: 98,
  previous_name: 88,
  likeness: 86,
  previous_likeness: 80,
  hint: 50,
}
const OFF_REGISTER_LOSS = 5
const OTHER_FORM_LOSS = 3
const OTHER_TYPE_LOSS = 10
const CONTRADICTION_LOSS = 15

interface Weighed extends Found {
  score: number
  isLive: boolean
  hasOtherForm: boolean
  /** By property; null where the register says nothing of it. */
  hints: Array<[propertyId: string, agrees: boolean | null]>
}

/** Best first, at most as many as were asked for. */
export function rankCandidates(query: ReconcileQuery, found: readonly Found[]): Candidate[] {
  const weighed = found
    .filter(({ company }) => !query.isTypeStrict || isOfTypes(company.type, query.types))
    .map((one) => weigh(query, one))
    .toSorted((a, b) => b.score - a.score || (a.company.number < b.company.number ? -1 : 1))
  const certain = findCertain(query, weighed)
  return weighed.slice(0, query.limit).map((one) => presentCandidate(query, one, one === certain))
}

function weigh(query: ReconcileQuery, found: Found): Weighed {
  const { company, by, likeness } = found
  const isLive = !isOffRegister(company.status)
  const form = findLegalForm(company.name)
  const hasOtherForm = query.legalForm !== null && form !== null && form !== query.legalForm
  const hints = query.hints.map(({ propertyId, values }): [string, boolean | null] => [
    propertyId,
    doesAgree(company, propertyId, values),
  ])
  const losses = [
    isLive || by === 'number' ? 0 : OFF_REGISTER_LOSS,
    hasOtherForm ? OTHER_FORM_LOSS : 0,
    isOfTypes(company.type, query.types) ? 0 : OTHER_TYPE_LOSS,
    CONTRADICTION_LOSS * hints.filter(([, agrees]) => agrees === false).length,
  ]
  const score = SCORES[by] * likeness - losses.reduce((sum, loss) => sum + loss, 0)
  return { ...found, score: Math.round(Math.max(0, score) * 10) / 10, isLive, hasOtherForm, hints }
}

/**
 * Returns the candidate that needs no review by a person: the company whose number was entered, or the only one on the
 * register with exactly this name, unless a given hint contradicts it. A hint may distinguish companies of one name.
 */
function findCertain(query: ReconcileQuery, weighed: readonly Weighed[]): Weighed | null {
  const fitting = weighed.filter(({ hints }) => hints.every(([, agrees]) => agrees !== false))
  const meant = fitting.filter(({ by, isLive }) => by === 'number' || (isLive && (by === 'name' || by === 'letters')))
  const [only] = meant
  if (!only || meant.length > 1) return null
  if (only.by === 'number') return only
  return only.by === 'name' && !only.hasOtherForm && isOfTypes(only.company.type, query.types) ? only : null
}

function presentCandidate(query: ReconcileQuery, weighed: Weighed, isCertain: boolean): Candidate {
  const { company, by, score, likeness, isLive, hints } = weighed
  return {
    id: company.number,
    name: company.name,
    description: describeCompany(company, isPrevious(by) ? findFormerName(company, query.nameKey) : null),
    score,
    match: isCertain,
    type: listTypes(company.type),
    features: [
      ...(by === 'hint' || by === 'number' ? [] : [{ id: 'name_likeness', value: likeness }]),
      { id: 'previous_name', value: isPrevious(by) },
      { id: 'on_register', value: isLive },
      ...new Map(hints).entries().flatMap(([id, agrees]) => (agrees === null ? [] : [{ id, value: agrees }])),
    ],
  }
}

function isPrevious(by: Found['by']): boolean {
  return by === 'previous_name' || by === 'previous_likeness'
}

/** Describes what distinguishes companies of one name. `formerName` is the name it was found by, if not the current one. */
export function describeCompany(company: Company, formerName: string | null = null): string {
  const { number, status, incorporatedOn, dissolvedOn, address } = company
  const parts = [
    formerName && `was called ${formerName}`,
    number,
    status.replaceAll('-', ' '),
    incorporatedOn && `from ${incorporatedOn}`,
    dissolvedOn && `to ${dissolvedOn}`,
    [address.town, address.postcode].filter(Boolean).join(' '),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Returns the former name that was entered; without an exact match, the newest. */
function findFormerName({ previousNames }: Company, nameKey: string): string {
  const letters = nameKey.replaceAll(' ', '')
  const same = previousNames.find(({ name }) => toNameKey(name).replaceAll(' ', '') === letters)
  return (same ?? previousNames[0])?.name ?? 'something else'
}
