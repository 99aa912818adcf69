/** Which of the companies found is meant, and how sure that is. Pure: the same question has the same answer. */
import { type Company, isOffRegister } from '../register/index.ts'
import { findLegalForm } from './legal-form.ts'
import { doesAgree, isOfTypes } from './properties.ts'

/** One cell that is to be matched. */
export interface ReconcileQuery {
  /** As `toNameKey` writes it; empty when nothing is left of it. */
  nameKey: string
  legalForm: string | null
  /** The query text, where it may be a company number. */
  number: string | null
  hints: Hint[]
  types: string[]
  /** Companies of other types are left out; otherwise they only come later. */
  isTypeStrict: boolean
  limit: number
}

/** Something else that is known of the company. */
interface Hint {
  propertyId: string
  values: string[]
}

/** A company, and what it was found by. */
export interface Found {
  company: Company
  /** `letters`: the name itself but for its spaces. `likeness`: a name like it. `hint`: only what else was given. */
  by: 'number' | 'name' | 'letters' | 'previous_name' | 'likeness' | 'previous_likeness' | 'hint'
  /** How alike the names are, from 0 to 1. */
  likeness: number
}

export interface Candidate extends Found {
  /** From 0 to 100. */
  score: number
  isLive: boolean
  hasOtherForm: boolean
  /** By property; null where the register says nothing of it. */
  hints: Array<[propertyId: string, agrees: boolean | null]>
}

export interface RankedCandidate extends Candidate {
  /** No person needs to check it. */
  isCertain: boolean
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

/** Best first, at most as many as were asked for. */
export function rankCandidates(query: ReconcileQuery, found: readonly Found[]): RankedCandidate[] {
  const weighed = weighCandidates(query, found)
  const certain = findCertain(query, weighed)
  return weighed.slice(0, query.limit).map((one) => ({ ...one, isCertain: one === certain }))
}

/** All of them, best first. */
export function weighCandidates(query: ReconcileQuery, found: readonly Found[]): Candidate[] {
  return found
    .filter(({ company }) => !query.isTypeStrict || isOfTypes(company.type, query.types))
    .map((one) => weigh(query, one))
    .toSorted((a, b) => b.score - a.score || (a.company.number < b.company.number ? -1 : 1))
}

function weigh(query: ReconcileQuery, found: Found): Candidate {
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
function findCertain(query: ReconcileQuery, weighed: readonly Candidate[]): Candidate | null {
  const fitting = weighed.filter(({ hints }) => hints.every(([, agrees]) => agrees !== false))
  const meant = fitting.filter(({ by, isLive }) => by === 'number' || (isLive && (by === 'name' || by === 'letters')))
  const [only] = meant
  if (!only || meant.length > 1) return null
  if (only.by === 'number') return only
  return only.by === 'name' && !only.hasOtherForm && isOfTypes(only.company.type, query.types) ? only : null
}

export function isPrevious(by: Found['by']): boolean {
  return by === 'previous_name' || by === 'previous_likeness'
}
